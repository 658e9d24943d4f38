"""An outline is the document without its numbers: both engines, all fixtures, random programs."""

from random import Random
from typing import Any

from parity_tests.fuzz.programs import random_program
from parity_tests.kit.cases import load_cases
from parity_tests.kit.worker import Call, Json, Worker

PROGRAMS = 300
OF_VALUES = {"missing_value", "domain_error", "invalid_value"}


def without_numbers(document: Json) -> Json:
    """What the contract says of an outline, applied to the document."""
    nodes = [
        {
            **{name: member for name, member in node.items() if name != "grad"},
            "data": node["data"] if node["kind"] == "constant" else None,
        }
        for node in document["nodes"]
    ]
    members = ("id", "from", "to", "slot", "differentiable")
    edges = [{name: edge[name] for name in members} for edge in document["edges"]]
    same = {name: document[name] for name in ("contract", "expression", "view", "root")}
    return {**same, "nodes": nodes, "edges": edges}


def in_order_of_use(document: Json) -> list[Any]:
    """A variable's span is its first use."""
    leaves = [node for node in document["nodes"] if node["kind"] in ("input", "parameter")]
    return [node["label"] for node in sorted(leaves, key=lambda node: node["span"]["start"])]


def needs_values(error: Json) -> bool:
    """Tell an error that an outline cannot have."""
    too_many = error["code"] == "limit_exceeded" and error["name"] == "variables"
    computed = error.get("stage", "literal") != "literal"
    pointed = error.get("pointer", "").startswith("/values")
    return error["code"] in OF_VALUES or too_many or computed or pointed


def test_an_outline_is_what_the_document_will_have(workers: dict[str, Worker]) -> None:
    random = Random(8)
    calls: list[Call] = [case.call for case in load_cases() if case.command == "introspect"]
    calls += [random_program(random) for _ in range(PROGRAMS)]
    asked: list[Call] = [("parse", *call[1:]) for call in calls]
    documents = 0
    for name, worker in workers.items():
        pairs = zip(worker.run_many(calls), worker.run_many(asked), strict=True)
        for call, (introspected, parsed) in zip(calls, pairs, strict=True):
            where = (name, call)
            if introspected["kind"] == "result":
                document, outline = introspected["result"], parsed["result"]
                documents += 1
                assert outline.pop("variables") == in_order_of_use(document), where
                assert outline == without_numbers(document), where
            elif parsed["kind"] == "result":
                assert needs_values(introspected["error"]), where
            else:  # a fault of the text is the same fault
                error = introspected["error"]
                assert needs_values(error) or parsed["error"] == error, where
    assert documents > 2 * PROGRAMS
