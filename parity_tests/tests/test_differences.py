"""Every gradient is the derivative, up to the bound of rounding; a wrong one is found."""

from collections.abc import Callable
from math import inf, nextafter
from pathlib import Path
from random import Random

import pytest

from parity_tests.fuzz.programs import random_program
from parity_tests.kit.cases import load_cases
from parity_tests.kit.engines import load_engines
from parity_tests.kit.worker import Call, Json, Worker
from parity_tests.mutation.mistakes import Mistake, load_mistakes, put_into_copy
from parity_tests.oracle.differences import Comparison, compare
from parity_tests.oracle.graph import is_moderate, read_gradients
from parity_tests.oracle.tally import Tally

ENGINES = load_engines()
LESSONS: list[Call] = [
    ("introspect", case.request, case.limits)
    for case in load_cases()
    if case.topic == "lessons" and "document" in case.expect
]
MISTAKES = {
    "the right operand of - has the wrong sign": "a - b",
    "the gradient is overwritten, = for +=": "a * b + a",
    "the derivative of a power is off by one": "a ** 3 + b",
}
"""Each with a program that shows it."""
WRITTEN = [mistake for mistake in load_mistakes() if mistake.name in MISTAKES]


def call(expression: str) -> Call:
    names = [name for name in "ab" if name in expression]
    return "introspect", {"expression": expression, "values": dict.fromkeys(names, 2)}, None


def documents(worker: Worker, calls: list[Call]) -> list[Json]:
    responses = worker.run_many(calls)
    return [response["result"] for response in responses if response["kind"] == "result"]


def wrong(comparisons: list[Comparison]) -> list[str]:
    return [str(comparison) for comparison in comparisons if comparison.ratio > 1]


def test_the_gradients_of_the_lessons_are_derivatives(workers: dict[str, Worker]) -> None:
    assert len(LESSONS) >= 5
    for name, worker in workers.items():
        for document in documents(worker, LESSONS):
            comparisons = compare(document)
            assert comparisons, document["expression"]
            assert wrong(comparisons) == [], f"{name}: {document['expression']}"


def test_random_gradients_are_derivatives(workers: dict[str, Worker]) -> None:
    random = Random(3)
    calls = [random_program(random) for _ in range(640)]
    for name, worker in workers.items():
        moderate = [each for each in documents(worker, calls) if is_moderate(each)]
        compared = 0
        for document in moderate[:300]:
            comparisons = compare(document)
            assert wrong(comparisons) == [], f"{name}: {document['expression']}"
            compared += len(comparisons)
        assert len(moderate) >= 300
        assert compared >= 2500


def test_the_programs_of_the_mistakes_are_right_without_them(workers: dict[str, Worker]) -> None:
    for worker in workers.values():
        for document in documents(worker, [call(text) for text in MISTAKES.values()]):
            assert wrong(compare(document)) == []


def test_every_mistake_is_made_in_every_engine() -> None:
    made = {(mistake.engine, mistake.name) for mistake in WRITTEN}
    assert made == {(engine, mistake) for engine in ENGINES for mistake in MISTAKES}


@pytest.mark.parametrize(
    "mistake", [pytest.param(each, id=f"{each.engine}-{each.name}") for each in WRITTEN]
)
def test_a_wrong_gradient_is_found(mistake: Mistake, tmp_path: Path) -> None:
    engine = ENGINES[mistake.engine]
    put_into_copy([mistake.change], engine, tmp_path)
    with Worker(engine, root=tmp_path, seconds=30.0) as worker:
        [document] = documents(worker, [call(MISTAKES[mistake.name])])
    assert wrong(compare(document))


@pytest.mark.parametrize("slip", [lambda grad: nextafter(grad, inf), lambda grad: -grad])
def test_one_ulp_is_found_where_nothing_is_rounded(
    workers: dict[str, Worker], slip: Callable[[float], float]
) -> None:
    for worker in workers.values():
        [document] = documents(worker, [call("a * b + b")])
        assert wrong(compare(document)) == []
        document["gradients"]["b"] = slip(document["gradients"]["b"])
        [shown] = wrong(compare(document))
        assert "the derivative 3.0" in shown


@pytest.mark.parametrize("expression", ["relu(a - 2)", "(a - 2) ** 1.5"])
def test_there_is_nothing_to_compare_at_a_kink_or_an_edge(
    workers: dict[str, Worker], expression: str
) -> None:
    for worker in workers.values():
        [document] = documents(worker, [call(expression)])
        [root] = compare(document)
        assert root.gradient == root.derivative == 1


def test_a_tally_knows_what_is_beyond_the_bound(workers: dict[str, Worker]) -> None:
    for worker in workers.values():
        [document] = documents(worker, [call("exp(a * b) + a")])
        theirs = [gradient for _, gradient in sorted(read_gradients(document).items())]
        tally = Tally()
        tally.add(document, theirs)
        assert (tally.gradients, tally.equal, tally.worst_ratio) == (2, 2, 0.0)
        tally.add(document, [nextafter(gradient, inf) for gradient in theirs])
        assert (tally.worst_ulps, tally.worst_ratio <= 1) == (1, True)
        tally.add(document, [gradient * (1 + 1e-13) for gradient in theirs])
        assert tally.worst_ratio > 1
        assert "exp(a * b) + a" in tally.worst_program
