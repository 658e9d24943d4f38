"""In every engine, only limits bound the depth and length of a program."""

from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.worker import Json, Worker

DEEP = 70_000
"""Deeper than every stack, and than the default limits allow."""
LONG = 20_000


def answer(workers: dict[str, Worker], text: str, limits: dict[str, int] | None) -> Json:
    """Return the response of the engines at a = 0, which must be the same."""
    request = {"expression": text, "values": {"a": 0}}
    responses = [worker.run("introspect", request, limits) for worker in workers.values()]
    first, *others = (outcome(response, "introspect") for response in responses)
    for other in others:
        assert first_difference(first, other) is None
    return first


def test_by_default_a_text_may_nest_as_deep_as_it_is_long(workers: dict[str, Worker]) -> None:
    nested = answer(workers, "(" * 30_000 + "a" + ")" * 30_000, None)
    assert nested["document"]["result"] == 0
    chain = answer(workers, "-" * 9_999 + "a", None)["document"]
    assert (chain["root"], chain["result"], chain["gradients"]) == (9_999, 0, {"a": -1})
    error = {"code": "limit_exceeded", "name": "nodes", "limit": 10_000, "actual": 10_001}
    span = {"start": 0, "end": 10_001}
    assert answer(workers, "-" * 10_000 + "a", None) == {"error": {**error, "span": span}}


def test_a_sweep_of_more_points_than_any_double_is_refused(
    workers: dict[str, Worker],
) -> None:
    """300 grids of 2**53 - 1 points each are 10**4786 points."""
    grid = {"from": 0, "to": 1, "count": 2**53 - 1}
    request = {"expression": "a", "values": {"a": 0, **{f"b{i}": grid for i in range(300)}}}
    error = {"code": "limit_exceeded", "name": "sweep_nodes", "limit": 1_000_000, "span": None}
    for worker in workers.values():
        response = worker.run("sweep", request)
        assert outcome(response, "sweep") == {"error": {**error, "actual": 2**53 - 1}}


def test_only_limits_bound_depth_and_length(workers: dict[str, Worker]) -> None:
    limits = {"characters": 2_000_000, "nodes": 500_000}
    for text, code in [
        ("(" * DEEP + "a" + ")" * (DEEP + 1), "unexpected_token"),
        ("(" * DEEP, "unexpected_end"),
        ("relu(" * DEEP, "unexpected_end"),
        ("-" * DEEP, "unexpected_end"),
        ("1 / (" + "+".join(["a"] * LONG) + ")", "domain_error"),
        ("log(" + "-(" * LONG + "a" + ")" * (LONG + 1), "domain_error"),
        ("+".join(["a"] * LONG) + "+ 1e300" * 2 + " + exp(1000)", "non_finite"),
        ("\n".join(f"b{i} = {i}" for i in range(LONG)) + "\na", "unused_name"),
        ("a ** 2" * LONG, "unexpected_token"),
        ("9" * DEEP, "non_finite"),
    ]:
        assert answer(workers, text, limits)["error"]["code"] == code
