"""Loss -> the row that reports it, with the reason in a sentence."""

from typing import TypedDict

from engine_py.canonical import canonical_text
from engine_py.document import Document
from engine_py.lab.conditions import name_of
from engine_py.lab.walk import Loss, Reason, Row


class Lost(TypedDict):
    """A contribution that its operand did not keep or pass on, at a step of the ledger."""

    step: int
    edge: int
    contribution: float
    node: int
    """The node whose visit it waited for; where it was overwritten, its operand."""
    reason: Reason
    sentence: str


def describe(document: Document, ledger: list[Row], loss: Loss) -> Lost:
    """Say what was lost, where and why."""
    row = ledger[loss.step]
    amount = canonical_text(row["contribution"])
    operand, operation = _ends(document, row)
    visit = name_of(document["nodes"][loss.node])
    itself = loss.node == document["edges"][row["edge"]]["from"]
    if loss.reason == "late":
        holder = "it" if itself else operand
        sentence = f"{visit} was visited before {holder} had {amount} from {operation}"
    elif loss.reason == "unvisited":
        visit = "which" if itself else f"and {visit}"
        sentence = f"{operation} gave {amount} to {operand}, {visit} was never visited"
    else:
        by = ledger[loss.by or 0]
        sentence = (
            f"the {amount} that {operand} had from {operation} was overwritten "
            f"by {canonical_text(by['contribution'])} from {_ends(document, by)[1]}"
        )
    return {
        "step": loss.step,
        "edge": row["edge"],
        "contribution": row["contribution"],
        "node": loss.node,
        "reason": loss.reason,
        "sentence": sentence,
    }


def _ends(document: Document, row: Row) -> tuple[str, str]:
    edge, nodes = document["edges"][row["edge"]], document["nodes"]
    return name_of(nodes[edge["from"]]), name_of(nodes[edge["to"]])
