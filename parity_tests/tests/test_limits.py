"""The default limits hold in every engine, to the last one allowed, and bound every depth."""

from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.worker import Json, Worker

CHARACTERS, VARIABLES, NODES = 65_536, 1_000, 10_000
DEEP = 70_000
"""Beyond every stack, and beyond the default limits."""
LONG = 20_000


def call(workers: dict[str, Worker], request: Json, limits: dict[str, int] | None = None) -> Json:
    """Every engine's answer, which must be one."""
    responses = [worker.run("introspect", request, limits) for worker in workers.values()]
    first, *others = (outcome(response, "introspect") for response in responses)
    for other in others:
        assert first_difference(first, other) is None
    return first


def exceeded(name: str, limit: int, span: tuple[int, int] | None) -> Json:
    """The error of one too many."""
    place = None if span is None else {"start": span[0], "end": span[1]}
    data = {"name": name, "limit": limit, "actual": limit + 1}
    return {"error": {"code": "limit_exceeded", "span": place, **data}}


def test_a_text_may_have_65536_characters(workers: dict[str, Worker]) -> None:
    text = "a".rjust(CHARACTERS)
    response = call(workers, {"expression": text, "values": {"a": 3}})
    assert response["document"]["nodes"][0]["span"] == {"start": CHARACTERS - 1, "end": CHARACTERS}
    response = call(workers, {"expression": text + " ", "values": {"a": 3}})
    assert response == exceeded("characters", CHARACTERS, (CHARACTERS, CHARACTERS + 1))


def test_a_request_may_have_1000_values(workers: dict[str, Worker]) -> None:
    values = {f"v{index}": index for index in range(VARIABLES)}
    response = call(workers, {"expression": "v7", "values": values})
    assert len(response["document"]["unused_values"]) == VARIABLES - 1
    response = call(workers, {"expression": "v7", "values": {**values, "w": 1}})
    assert response == exceeded("variables", VARIABLES, None)


def test_a_graph_may_have_10000_nodes(workers: dict[str, Worker]) -> None:
    text = "-" * (NODES - 1) + "a"
    document = call(workers, {"expression": text, "values": {"a": 3}})["document"]
    assert (document["root"], document["result"]) == (NODES - 1, -3)
    assert document["gradients"] == {"a": -1}
    response = call(workers, {"expression": "-" + text, "values": {"a": 3}})
    assert response == exceeded("nodes", NODES, (0, NODES + 1))


def test_30000_parentheses_are_a_text_like_any_other(workers: dict[str, Worker]) -> None:
    request = {"expression": "(" * 30_000 + "a" + ")" * 30_000, "values": {"a": 3}}
    assert call(workers, request)["document"]["result"] == 3


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
        response = call(workers, {"expression": text, "values": {"a": 0}}, limits)
        assert response["error"]["code"] == code
