import struct
from math import inf, nan

import pytest

from engine_py.canonical import canonical_text, digest
from engine_py.tests.helpers import Json, units


@units("canonical", "numbers")
def test_the_numbers_of_the_rfc_have_their_texts(case: Json) -> None:
    for bits, text in case["texts"].items():
        [number] = struct.unpack(">d", bytes.fromhex(bits))
        assert canonical_text(number) == text
        assert canonical_text({"a": [number]}) == f'{{"a":[{text}]}}'


@units("canonical", "written")
def test_a_number_is_written_as_ecmascript_writes_it(case: Json) -> None:
    for number, text in case["texts"]:
        assert canonical_text(float(number)) == text


@units("canonical", "texts")
def test_a_value_has_the_text(case: Json) -> None:
    assert canonical_text(case["value"]) == case["text"]


@units("canonical", "refused")
def test_an_unpaired_surrogate_is_refused(case: Json) -> None:
    for value in case["values"]:
        with pytest.raises(ValueError, match="unpaired surrogate"):
            canonical_text(value)


@units("canonical", "digests")
def test_the_digest_is_the_sha_256_of_the_text(case: Json) -> None:
    assert digest(case["value"]) == case["digest"]


@pytest.mark.parametrize(
    ("integer", "text"),
    [
        (0, "0"),
        (-7, "-7"),
        (2**53, "9007199254740992"),
        (2**53 + 1, "9007199254740992"),
        (-(2**53) - 1, "-9007199254740992"),
        (2**53 + 2, "9007199254740994"),
        (10**21, "1e+21"),
        (2**68, "295147905179352830000"),
    ],
)
def test_an_integer_is_written_as_its_double(integer: int, text: str) -> None:
    assert canonical_text(integer) == text


@pytest.mark.parametrize("number", [inf, -inf, nan, 10**309, -(10**309)])
def test_a_number_that_is_not_a_finite_double_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="has no canonical text"):
        canonical_text({"a": [number]})


@pytest.mark.parametrize("value", [(1, 2), {1: 2}, {"a": {1, 2}}, [b"a"], {None: 1}, object()])
def test_a_value_that_json_does_not_have_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        canonical_text(value)
