"""Loss -> the row that reports it, with the reason in a sentence."""

from typing import TypedDict

from engine_py.canonical import canonical_text
from engine_py.document import Document
from engine_py.lab.conditions import name_of
from engine_py.lab.walk import Loss, Reason, Step


class Lost(TypedDict):
    """A contribution that its operand did not keep or pass on, at a step of the ledger."""

    step: int
    edge: int
    contribution: float
    reason: Reason
    sentence: str


def describe(document: Document, ledger: list[Step], loss: Loss) -> Lost:
    """Say what was lost, where and why."""
    step = ledger[loss.step]
    amount = canonical_text(step["contribution"])
    operand, operation = _ends(document, step)
    if loss.reason == "late":
        sentence = f"{operand} was visited before {operation} had sent it {amount}"
    elif loss.reason == "unvisited":
        sentence = f"{operation} sent {amount} to {operand}, which was never visited"
    else:
        by = ledger[loss.by or 0]
        sentence = (
            f"the {amount} that {operation} had sent to {operand} was overwritten "
            f"by {canonical_text(by['contribution'])} from {_ends(document, by)[1]}"
        )
    return {
        "step": loss.step,
        "edge": step["edge"],
        "contribution": step["contribution"],
        "reason": loss.reason,
        "sentence": sentence,
    }


def _ends(document: Document, step: Step) -> tuple[str, str]:
    edge, nodes = document["edges"][step["edge"]], document["nodes"]
    return name_of(nodes[edge["from"]]), name_of(nodes[edge["to"]])
