"""Replies. The expected numbers are derived by hand, or are those of the contract's files."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient

import service.compute
from engine_py import CONTRACT, DEFAULT_LIMITS, GradientError, Limits, introspect
from engine_py.introspect import Prepared, prepare_text
from engine_py.request import GradientRequest, View
from service.app import create_app
from service.compute import Engine
from service.config import Config
from service.observe import Metrics
from service.tests.validated import EXAMPLE, SCHEMAS, Post, validator_of


def test_the_example_has_the_gradients_of_the_product_rule(post: Post) -> None:
    # result = (2 - 3) * 10; d/da = d/db = c = 10; d/dc = a + b = -1
    reply = post(EXAMPLE)
    document = reply.content
    assert document["result"] == -10
    assert document["gradients"] == {"a": 10, "b": 10, "c": -1}
    assert document["values"] == {"a": 2, "b": -3, "c": 10}
    assert document["expression"] == "(a + b) * c"
    stated = {name: document[name] for name in ("contract", "view", "unused_values")}
    assert stated == {"contract": CONTRACT, "view": "folded", "unused_values": []}
    assert reply.headers["Cache-Control"] == "no-store"


def test_the_limits_are_published_under_the_names_used_in_problems() -> None:
    config = Config(body_bytes=9_000, compute_seconds=7, limits=Limits(nodes=8))
    found = create_app(config).test_client().get("/v1/limits").get_json()
    assert (found["body_bytes"], found["compute_seconds"], found["nodes"]) == (9_000, 7, 8)
    of_requests = {"body_bytes", "batch_requests", "batch_nodes", "picture_nodes"}
    of_time = {"waiting", "wait_seconds", "compute_seconds"}
    assert found.keys() == {"contract", *Limits._fields, *of_requests, *of_time}


@pytest.mark.parametrize("name", ["operations", "examples", "pitfalls"])
def test_a_contract_file_is_served_unchanged(client: FlaskClient, name: str) -> None:
    response = client.get(f"/v1/{name}")
    assert response.data == (SCHEMAS / f"{name}.json").read_bytes()
    assert response.content_type == "application/json"


# The examples of the contract: requests to begin with, and their expected numbers.


EXAMPLES_FILE = json.loads((SCHEMAS / "examples.json").read_text(encoding="utf-8"))
EXAMPLES = EXAMPLES_FILE["examples"]
PITFALLS_FILE = json.loads((SCHEMAS / "pitfalls.json").read_text(encoding="utf-8"))
PITFALLS: dict[str, Any] = {pitfall["name"]: pitfall for pitfall in PITFALLS_FILE["pitfalls"]}


def test_the_examples_and_pitfalls_conform_to_their_schemas() -> None:
    for name, file in (("examples", EXAMPLES_FILE), ("pitfalls", PITFALLS_FILE)):
        validator_of(name).validate(file)
    assert EXAMPLES_FILE["contract"] == CONTRACT
    assert len(PITFALLS) == len(PITFALLS_FILE["pitfalls"]) >= 6
    assert len(EXAMPLES) >= 8
    for member in ("name", "title"):
        assert len({example[member] for example in EXAMPLES}) == len(EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_an_example_uses_every_value_and_gives_the_expected_numbers(
    example: dict[str, Any],
) -> None:
    document = introspect(**example["request"])
    assert document["unused_values"] == []
    assert {member: document[member] for member in ("result", "gradients")} == example["expect"]


# The pitfalls: each is refused, or gives the wrong numbers that it states.


EXPERIMENTS = [name for name in PITFALLS if PITFALLS[name]["path"] == "/v1/experiment"]


def answer_to(client: FlaskClient, name: str) -> Any:
    pitfall = PITFALLS[name]
    return client.post(pitfall["path"], json=pitfall["request"]).get_json()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_gives_the_wrong_and_the_right_numbers(
    client: FlaskClient, name: str
) -> None:
    result, pitfall = answer_to(client, name), PITFALLS[name]
    here = result["walks"][-1]["gradients"]
    assert {variable: here[variable] for variable in pitfall["wrong"]} == pitfall["wrong"]
    right = result["document"]["gradients"]
    assert {variable: right[variable] for variable in pitfall["right"]} == pitfall["right"]
    assert pitfall["wrong"] != pitfall["right"]


def test_a_dead_relu_has_zero_gradients_and_a_live_one_does_not(client: FlaskClient) -> None:
    pitfall = PITFALLS["dead-relu"]
    gradients = answer_to(client, "dead-relu")["gradients"]
    assert {name: gradients[name] for name in pitfall["wrong"]} == pitfall["wrong"]
    alive = {**pitfall["request"]["values"], "b": 1}
    gradients = introspect(pitfall["request"]["expression"], alive)["gradients"]
    assert {name: gradients[name] for name in pitfall["right"]} == pitfall["right"]


def test_a_variable_exponent_is_refused_but_exp_and_log_give_its_gradient(
    client: FlaskClient,
) -> None:
    assert answer_to(client, "variable-exponent")["code"] == "exponent_not_literal"
    values = PITFALLS["variable-exponent"]["request"]["values"]
    right = PITFALLS["variable-exponent"]["right"]["n"]  # 8 log 2
    assert introspect("exp(n * log(x))", values)["gradients"]["n"] == pytest.approx(
        right, rel=1e-15
    )


# The cache of parsed programs: no reply shows whether its program was cached.


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that have been parsed."""
    found: list[str] = []

    def note(expression: str, view: View, limits: Limits) -> Prepared:
        found.append(expression)
        return prepare_text(expression, view, limits)

    monkeypatch.setattr(service.compute, "prepare_text", note)
    return found


@pytest.fixture
def engine() -> Engine:
    return Engine(DEFAULT_LIMITS, Metrics())


def request(expression: str, **values: float) -> GradientRequest:
    return GradientRequest(expression, values, [], "folded")


def test_a_repeated_program_is_parsed_once(engine: Engine, texts: list[str]) -> None:
    for number in (1.0, 2.0, 3.0):
        assert engine.answer(request("a * a", a=number))["gradients"] == {"a": 2 * number}
    assert texts == ["a * a"]


def test_a_cached_program_gives_the_same_document(engine: Engine) -> None:
    text = "c = a / 3; c * c - a"
    views: tuple[View, ...] = ("folded", "primitive", "folded")
    for view, values in product(views, ({"a": 2.0}, {"a": -3.0, "b": 1.0}, {"a": 2.0})):
        cached = engine.answer(GradientRequest(text, values, ["a"], view))
        assert cached == introspect(text, values, parameters=["a"], view=view)


def test_an_error_is_not_cached(engine: Engine) -> None:
    for text, code in (("2x", "unexpected_token"), ("a + b", "missing_value")) * 2:
        with pytest.raises(GradientError) as refusal:
            engine.answer(request(text, a=1.0))
        assert refusal.value.code == code
    assert engine.answer(request("a + b", a=1.0, b=2.0))["result"] == 3


@pytest.mark.parametrize(("length", "times"), [(100, 1), (10_000, 3)])
def test_long_programs_are_not_cached(
    engine: Engine, texts: list[str], length: int, times: int
) -> None:
    for _ in range(3):
        engine.answer(request("2".rjust(length)))
    assert len(texts) == times


def test_the_cache_is_bounded(engine: Engine, texts: list[str]) -> None:
    numbers = [str(number) for number in range(1_000)]
    for text in [*numbers, numbers[-1], numbers[0]]:
        engine.answer(request(text))
    assert texts == [*numbers, "0"]  # the last one is still cached, the first is not


def test_threads_can_share_the_cache(engine: Engine) -> None:
    def square(number: int) -> float:
        return engine.answer(request("b = a * a; b * b", a=float(number)))["gradients"]["a"]

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(square, range(200)))
    assert found == [4.0 * number**3 for number in range(200)]  # d a^4 / da
