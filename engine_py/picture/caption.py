"""Document -> captions: what cards and arrows say."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from engine_py.document import Document
from engine_py.picture.text import shortened, visible
from engine_py.template import Edge, Node

_LONGEST_LABEL = 24
_CARD_DIGITS, _STEP_DIGITS = 6, 4
_SIGNS = {"*": "×", "/": "÷", "-": "−", "neg": "−"}
_TAGS = {"input": "", "parameter": "param", "constant": "const", "operation": ""}

Shorten = Callable[[float, int], str]


class Card(NamedTuple):
    """What a card says."""

    name: str
    """A label, a number, an operation, or `label = operation`."""
    tag: str
    data: str
    grad: str


class Captions(NamedTuple):
    """What is written, by node id and by edge id."""

    cards: list[Card]
    steps: list[str]
    """`incoming × local = contribution` of each edge."""


def write_captions(document: Document) -> Captions:
    """Write all captions; a number that had to be shortened is rounded."""
    shorten = cache(shortened)  # most numbers stand in several places
    cards = [_card(node, shorten) for node in document["nodes"]]
    return Captions(cards, [_step(edge, shorten) for edge in document["edges"]])


def _card(node: Node, shorten: Shorten) -> Card:
    operation, label = node["operation"], node["label"]
    data = shorten(node["data"], _CARD_DIGITS)
    names = [] if label is None else [visible(label, _LONGEST_LABEL)]
    if operation is not None:
        names.append(_SIGNS.get(operation, visible(node.get("name", operation), _LONGEST_LABEL)))
    tag = "derived" if node["derived"] else _TAGS[node["kind"]]
    grad = "none" if node["grad"] is None else shorten(node["grad"], _CARD_DIGITS)
    return Card(" = ".join(names) or data, tag, data, grad)


def _step(edge: Edge, shorten: Shorten) -> str:
    incoming, local = edge["incoming_grad"], edge["local_grad"]
    contribution = edge["contribution"]
    if incoming is None or local is None or contribution is None:
        return "no gradient"
    factors = f"{shorten(incoming, _STEP_DIGITS)} × {shorten(local, _STEP_DIGITS)}"
    return f"{factors} = {shorten(contribution, _STEP_DIGITS)}"
