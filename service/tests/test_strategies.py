"""A correct request is never refused for its form, and is answered alike whichever way it is sent.

The referee is the parity suite's oracle, which shares no code with the engine: where it has a
document that is the answer, and where the mathematics has none the problem says so.
"""

import json
import re
from functools import cache

import hypothesis.strategies as st
import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, Phase, find, given, settings

from parity_tests.fuzz.programs import FUNCTIONS
from parity_tests.kit.compare import first_difference
from parity_tests.kit.worker import Json
from parity_tests.oracle.document import NoAnswerError, reference_document
from service import Config, create_app
from service.tests.strategies import correct_requests, is_used_up, query_of, tame_requests

STEADY = settings(
    max_examples=150,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # a program takes hundreds of draws
)


@cache
def client() -> FlaskClient:
    return create_app(Config(log_requests=False)).test_client()


def answer(request: Json) -> Json:
    """Send a request in the body, in the query and in a batch; the answers are the same."""
    posted = client().post("/v1/gradient", json=request)
    queried = client().get(f"/v1/gradient?{query_of(request)}")
    batched = client().post("/v1/gradients", json={"requests": [request]})
    assert (queried.status_code, queried.data) == (posted.status_code, posted.data)
    content: Json = json.loads(posted.data)
    assert json.loads(batched.data) == {"results": [content]}
    assert posted.status_code == content.get("status", 200)
    return content


def expected(request: Json) -> Json | None:
    parameters, view = request.get("parameters", ()), request.get("view", "folded")
    try:
        return reference_document(request["expression"], request["values"], parameters, view)
    except NoAnswerError:
        return None


@STEADY
@given(correct_requests())
def test_a_correct_request_is_answered_unless_the_mathematics_has_no_answer(request: Json) -> None:
    content, document = answer(request), expected(request)
    if document is None:
        assert content.get("code") in ("domain_error", "non_finite")
    else:
        assert first_difference(document, content) is None


@STEADY
@given(tame_requests())
def test_a_program_that_stays_within_the_doubles_always_has_a_document(request: Json) -> None:
    assert answer(request)["expression"] == request["expression"]


# The proof that these tests meet what they are for


def meets(requests: st.SearchStrategy[Json], condition: str) -> bool:
    """Whether there is soon a request that holds a text of this form."""
    search = settings(STEADY, max_examples=3000, phases=[Phase.generate])
    form = re.compile(condition)
    return bool(find(requests, lambda each: bool(form.search(json.dumps(each))), settings=search))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "form",
    [
        *(r" \+ ", r" - ", r" \* ", r" / ", r"\*\*", *(row.name for row in FUNCTIONS)),
        *(r"\\r", r"\\t", r"\(\\n", r"\\n\\n", ";", r"\d\.[^\d]", r"[^\d]\.\d", r"\d[eE][-+]\d"),
        *(r"\* *-", r"- *-", r"\+ *\+", r"\*\* *- *\d", r"n0.*n0.*n0", "root =", r"exp[^\s(]"),
        *("unused", "parameters", "primitive", "__proto__"),
    ],
)
def test_correct_requests_have(form: str) -> None:
    assert meets(correct_requests(), form)


@pytest.mark.parametrize("form", [r" \+ ", r" - ", r" \* ", "tanh", "relu", "n0", r"-?\d\.\d"])
def test_tame_requests_have(form: str) -> None:
    assert meets(tame_requests(), form)


@pytest.mark.parametrize("code", ["domain_error", "non_finite"])
def test_some_correct_requests_have_no_answer_for(code: str) -> None:
    def has_it(request: Json) -> bool:
        return bool(answer(request).get("code") == code)

    assert find(correct_requests(), has_it, settings=settings(STEADY, phases=[Phase.generate]))


def test_a_name_that_nothing_uses_is_told_from_one_that_is_used() -> None:
    assert is_used_up({"expression": "n0 = a; n0 * 2"})
    assert not is_used_up({"expression": "n0 = a; b * 2"})
