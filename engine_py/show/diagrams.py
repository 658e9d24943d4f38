"""Document -> its graph in the language of Graphviz or Mermaid.

The figure is micrograd's `draw_dot`: a box per value, a circle per operation. The arrow into a
circle is labelled with what the backward pass sends along it in the other direction, `incoming ×
local = contribution`. Whatever a colour shows, a word or an outline shows, too.
"""

import re
from collections.abc import Callable

from engine_py.document import GradientDocument
from engine_py.picture.captions import step_of
from engine_py.template import Node

_LONGEST_LINE = 24
_LONGEST_LABEL = 100
_BLANK = "\N{NO-BREAK SPACE}"
_DOT_HEAD = """\
digraph {
  graph [rankdir=LR nodesep=0.3 ranksep=0.4]
  node [shape=record style=filled fontname="Helvetica,Arial,sans-serif" fontsize=12 height=0.4]
  edge [fontname="Helvetica,Arial,sans-serif" fontsize=10 arrowsize=0.7 color="#475569"]
"""
_DOT_KINDS = {
    "input": 'fillcolor="#dbeafe"',
    "parameter": 'fillcolor="#dcfce7" penwidth=2.5',
    "constant": 'fillcolor="#f1f5f9" style="filled,dotted"',
    "operation": 'fillcolor="#fffbeb" shape=Mrecord',
}
# Operations whose operands must not swap: the first one's edge is drawn above the second's.
_ORDERED = ("-", "/")
_DOT_CIRCLE = 'shape=circle fillcolor="#fde68a" width=0.45 margin=0.03'
_MERMAID_KINDS = """\
  classDef input fill:#dbeafe,stroke:#1e293b,color:#0f172a
  classDef parameter fill:#dcfce7,stroke:#1e293b,color:#0f172a,stroke-width:3px
  classDef constant fill:#f1f5f9,stroke:#1e293b,color:#0f172a,stroke-dasharray:2 3
  classDef operation fill:#fffbeb,stroke:#1e293b,color:#0f172a
  classDef circle fill:#fde68a,stroke:#1e293b,color:#0f172a
"""


def to_dot(document: GradientDocument) -> str:
    """Write Graphviz's language, text/vnd.graphviz."""
    lines = []
    for node in document["nodes"]:
        name, text = f"n{node['id']}", "|".join(_lines(node, document["root"], _dot_text))
        lines.append(f'  {name} [{_DOT_KINDS[node["kind"]]} label="{text}"]\n')
        if (operation := node.get("name", node["operation"])) is not None:
            text = _dot_text(_visible(operation))
            ordering = " ordering=in" if node["operation"] in _ORDERED else ""
            lines.append(f'  {name}_op [{_DOT_CIRCLE} label="{text}"{ordering}]\n')
            lines.append(f"  {name}_op -> {name}\n")
    for edge in document["edges"]:
        text, style = step_of(edge, _number), "" if edge["differentiable"] else " style=dashed"
        if len(text) > _LONGEST_LINE:
            text = text.replace(" = ", r" \n = ")
        lines.append(f'  n{edge["from"]} -> n{edge["to"]}_op [label=" {text} "{style}]\n')
    return "".join([_DOT_HEAD, *lines, "}\n"])


def to_mermaid(document: GradientDocument) -> str:
    """Write a flowchart in Mermaid's language, text/vnd.mermaid."""
    lines = []
    for node in document["nodes"]:
        name, kind = f"n{node['id']}", node["kind"]
        text = "<br>".join(_lines(node, document["root"], _mermaid_text))
        shape = f'("{text}")' if kind == "operation" else f'["{text}"]'
        lines.append(f"  {name}{shape}:::{kind}\n")
        if (operation := node.get("name", node["operation"])) is not None:
            text = _mermaid_text(_visible(operation))
            lines.append(f'  {name}_op(("{text}")):::circle\n')
            lines.append(f"  {name}_op --> {name}\n")
    for edge in document["edges"]:
        arrow = "-->" if edge["differentiable"] else "-.->"
        text = step_of(edge, _number)
        lines.append(f'  n{edge["from"]} {arrow}|"{text}"| n{edge["to"]}_op\n')
    return "".join(["flowchart LR\n", *lines, _MERMAID_KINDS])


def _lines(node: Node, root: int, escape: Callable[[str], str]) -> list[str]:
    """Return the lines of a box; only a parameter and a constant name their kind."""
    name: list[str] = [node["kind"]] if node["kind"] in ("parameter", "constant") else []
    if node["label"] is not None:
        name.append(escape(_visible(node["label"])))
    grad = "no gradient" if node["grad"] is None else f"grad {_number(node['grad'])}"
    lines = [" ".join(name), f"data {_number(node['data'])}", grad]
    return [*(lines if name else lines[1:]), *(["root"] if node["id"] == root else [])]


def _number(number: float) -> str:
    """Write the shortest text that reads as this double; rounded numbers would not add up."""
    return repr(number).removesuffix(".0")


def _visible(label: str) -> str:
    """Keep every blank, and escape unprintable characters, some of which SVG cannot contain."""
    # Graphviz 2.43 reads strings of at most 16,384 bytes, and a box that wide is unreadable.
    short = label if len(label) <= _LONGEST_LABEL else f"{label[:_LONGEST_LABEL]}…"
    shown = re.sub("^ | (?= )| $", _BLANK, short)
    return "".join(
        c if c.isprintable() or c == _BLANK else c.encode("unicode_escape").decode() for c in shown
    )


def _dot_text(text: str) -> str:
    """Escape for a field of a record, in which HTML's entities are read, too."""
    return re.sub(r'[\\{}|<>"]', r"\\\g<0>", text.replace("&", "&amp;"))


def _mermaid_text(text: str) -> str:
    """Escape all punctuation: Mermaid reads Markdown, HTML and its own entities."""
    # Mermaid reads `\n` as the end of a line even if the backslash is escaped.
    text = text.replace(r"\n", "\\\N{WORD JOINER}n")
    return re.sub(r"[!-/:-@[-`{-~]", lambda match: f"#{ord(match[0])};", text)
