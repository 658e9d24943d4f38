from engine_py import DEFAULT_LIMITS, Limits, introspect
from engine_py.tests.helpers import refusal


def test_the_defaults_are_those_of_the_contract() -> None:
    assert DEFAULT_LIMITS._asdict() == {"characters": 65_536, "variables": 1_000, "nodes": 10_000}


def test_the_limits_that_are_not_named_keep_their_defaults() -> None:
    limits = Limits(nodes=2)
    assert introspect(" " * 65_535 + "1", {}, limits=limits)["result"] == 1
    error = refusal(introspect, " " * 65_536 + "1", {}, limits=limits)
    assert error["limit"] == 65_536
    values = {f"v{index}": index for index in range(1_001)}
    assert refusal(introspect, "1", values, limits=limits)["limit"] == 1_000
    assert refusal(introspect, "1 + 1", {}, limits=limits)["limit"] == 2
