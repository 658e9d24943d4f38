import pytest

from engine_py import GradientError, errors
from service import errors as http_errors

HTTP_ERRORS = [found for found in vars(http_errors).values() if isinstance(found, type)]


@pytest.mark.parametrize("error", [found for found in HTTP_ERRORS if found is not GradientError])
def test_an_error_of_http_has_the_form_of_the_engine_and_a_code_of_its_own(
    error: type[GradientError],
) -> None:
    engine_codes = {getattr(found, "code", None) for found in vars(errors).values()}
    assert error.code not in engine_codes
    assert error("why", limit=1).as_dict() == {
        "code": error.code,
        "message": "why",
        "span": None,
        "limit": 1,
    }
