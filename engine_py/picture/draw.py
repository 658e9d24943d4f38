"""Document -> SVG, like the lesson's picture: a card for each node, an arrow for each edge."""

from engine_py.deadline import NEVER, NODES_PER_CHECK, Deadline
from engine_py.document import GradientDocument
from engine_py.picture.captions import Card, checksum, escaped, visible
from engine_py.picture.heights import CARD, PORT
from engine_py.picture.layout import ARROW, INSET, Plan, make_plan

_LONGEST_TITLE = 200
_ROUND = {"input": 14, "parameter": 14, "constant": 14, "operation": 4}
"""Corner radii: leaves look round, operations square."""

_PLAIN = (
    "font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
    "direction:ltr"
)
_SHAPES = (
    ("text", "white-space:pre"),
    (".gp-rim", "fill:none;stroke-width:7"),
    (".gp-wire", "fill:none;stroke-width:1.6"),
    (".gp-flat", "stroke-dasharray:3 4"),
    (".gp-card", "stroke-width:1.4"),
    (".gp-constant .gp-card", "stroke-dasharray:4 3"),
    (".gp-root .gp-card", "stroke-width:3"),
    (".gp-name", "font-size:13px;font-weight:700"),
    (".gp-tag", "font-size:10px;font-style:italic;text-anchor:end"),
    (".gp-key", "font-size:10px"),
    (".gp-value", "text-anchor:end"),
    (".gp-step", "font-size:11px;text-anchor:end"),
)
_COLOURS = (
    (".gp-paper", "fill", "#fff", "#10141b"),
    (".gp-rim", "stroke", "#fff", "#10141b"),
    ("text", "fill", "#1b1f24", "#eef2f7"),
    (".gp-tag", "fill", "#5b6470", "#a3afbf"),
    (".gp-key", "fill", "#5b6470", "#a3afbf"),
    (".gp-step", "fill", "#a34700", "#f0a94a"),
    (".gp-grad", "fill", "#a34700", "#f0a94a"),
    (".gp-wire", "stroke", "#7d8794", "#78869a"),
    (".gp-head", "fill", "#7d8794", "#78869a"),
    (".gp-card", "fill", "#fff", "#1a212c"),
    (".gp-input .gp-card", "stroke", "#0072b2", "#56b4e9"),
    (".gp-parameter .gp-card", "stroke", "#8f3d73", "#e09ac4"),
    (".gp-operation .gp-card", "stroke", "#4a5562", "#9aa8ba"),
    (".gp-constant .gp-card", "stroke", "#6b6b6b", "#b0b0b0"),
)
"""Selector, property, light and dark colour; text has a contrast of 4.5 and lines of 3 in both."""


def draw(document: GradientDocument, *, deadline: Deadline = NEVER) -> str:
    """Draw a document. The text is the same in every engine (CONTRACT.md R34).

    Raises:
        DeadlineExceeded: the deadline has passed.
    """
    plan = make_plan(document, deadline)
    title, description = _words(document, plan.captions.cards)
    wires = _wires(document, plan, deadline)
    labels, cards = _labels(document, plan), _cards(document, plan, deadline)
    drawn = "".join([*wires, *labels, *cards])
    scope = f"gp{checksum(title + description + drawn)}"
    size = f'width="{plan.width}" height="{plan.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{scope}" role="img" '
        f'aria-labelledby="{scope}-title {scope}-desc" {size} '
        f'viewBox="0 0 {plan.width} {plan.height}">\n'
        f'<title id="{scope}-title">{title}</title>\n'
        f'<desc id="{scope}-desc">{description}</desc>\n'
        f"<style>{_style(scope)}</style>\n"
        f'<rect class="gp-paper" {size}/>\n'
        f'<g aria-hidden="true">\n{drawn}</g>\n</svg>\n'
    )


def _words(document: GradientDocument, cards: list[Card]) -> tuple[str, str]:
    """Write the title and the description for screen readers."""
    expression = document["expression"]
    name = "Graph" if expression is None else visible(expression, _LONGEST_TITLE)
    gradients = [
        f"{card.name} {card.grad}"
        for node, card in zip(document["nodes"], cards, strict=True)
        if node["kind"] in ("input", "parameter")
    ]
    counts = f"{len(document['nodes'])} nodes, {len(document['edges'])} edges"
    listed = f"Gradients: {', '.join(gradients)}." if gradients else "No gradients."
    return escaped(f"{name} = {cards[document['root']].data}"), escaped(f"{counts}. {listed}")


def _wires(document: GradientDocument, plan: Plan, deadline: Deadline) -> list[str]:
    """Draw each value's wire over earlier ones; its rim shows that it passes above them."""
    layered = plan.layered
    rims: list[str] = [""] * layered.cards
    wires: list[str] = [""] * layered.cards
    for node, lane in layered.lanes.items():
        end = plan.lefts[layered.last[lane]] + plan.widths[layered.last[lane]]
        path = _path(plan, node, layered.first[lane], plan.heights[lane], end)
        rims[node] += f'<path class="gp-rim" d="{path}"/>\n'
        wires[node] += f'<path class="gp-wire" d="{path}"/>\n'
    edges = deadline.over(document["edges"], NODES_PER_CHECK)
    for edge, source, port in zip(edges, layered.sources, layered.ports, strict=True):
        node, layer = edge["from"], layered.first[edge["to"]]
        height = plan.heights[edge["to"]] + port * PORT
        path = _path(plan, source, layer, height, plan.lefts[layer] - ARROW)
        flat = "" if edge["differentiable"] else " gp-flat"
        rims[node] += f'<path class="gp-rim" d="{path}"/>\n'
        wires[node] += (
            f'<path class="gp-wire{flat}" d="{path}"/>'
            f'<path class="gp-head" d="M{plan.lefts[layer]} {height}l-9 -4v8z"/>\n'
        )
    return [part for both in zip(rims, wires, strict=True) for part in both]


def _labels(document: GradientDocument, plan: Plan) -> list[str]:
    """Write each edge's step above the end of its arrow."""
    layered, labels = plan.layered, []
    for edge, port, step in zip(document["edges"], layered.ports, plan.captions.steps, strict=True):
        x = plan.lefts[layered.first[edge["to"]]] - 2 * ARROW
        y = plan.heights[edge["to"]] + port * PORT - 4
        labels.append(f'<text class="gp-step" x="{x}" y="{y}">{step}</text>\n')
    return labels


def _cards(document: GradientDocument, plan: Plan, deadline: Deadline) -> list[str]:
    cards = []
    nodes = deadline.over(document["nodes"], NODES_PER_CHECK)
    for node, card in zip(nodes, plan.captions.cards, strict=True):
        layer, top = plan.layered.first[node["id"]], plan.heights[node["id"]] - CARD // 2
        wide = plan.widths[layer]
        root = " gp-root" if node["id"] == document["root"] else ""
        end = f'x="{wide - INSET}"'
        tag = f'<text class="gp-tag" {end} y="18">{card.tag}</text>' if card.tag else ""
        cards.append(
            f'<g class="gp-{node["kind"]}{root}" transform="translate({plan.lefts[layer]} {top})">'
            f'<rect class="gp-card" width="{wide}" height="{CARD}" rx="{_ROUND[node["kind"]]}"/>'
            f'<text class="gp-name" x="{INSET}" y="19">{escaped(card.name)}</text>{tag}'
            f'<text class="gp-key" x="{INSET}" y="36">data</text>'
            f'<text class="gp-value" {end} y="36">{card.data}</text>'
            f'<text class="gp-key" x="{INSET}" y="51">grad</text>'
            f'<text class="gp-value gp-grad" {end} y="51">{card.grad}</text></g>\n'
        )
    return cards


def _path(plan: Plan, source: int, layer: int, height: int, end: int) -> str:
    """Draw a wire from an item through the turn before a layer, then straight to its end."""
    before = layer - 1
    start, from_height = plan.lefts[before] + plan.widths[before], plan.heights[source]
    if height == from_height:
        return f"M{start} {height}H{end}"
    turn = plan.turns[layer]
    middle = (start + turn) // 2
    return f"M{start} {from_height}C{middle} {from_height} {middle} {height} {turn} {height}H{end}"


def _style(scope: str) -> str:
    """Write the CSS rules, which apply only inside an element of this class.

    A page with a theme switch sets `data-theme` to `light` or `dark` on any element around the
    picture; otherwise the system's colour scheme applies.
    """
    shapes = "".join([f".{scope} {selector}{{{rule}}}" for selector, rule in _SHAPES])
    return (
        f".{scope}{{{_PLAIN}}}{shapes}{_colours(f'.{scope}', 0)}"
        f"@media(prefers-color-scheme:dark){{{_colours(f'.{scope}', 1)}}}"
        f"{_colours(f'[data-theme=light] .{scope}', 0)}{_colours(f'[data-theme=dark] .{scope}', 1)}"
    )


def _colours(within: str, theme: int) -> str:
    return "".join(
        [f"{within} {selector}{{{name}:{both[theme]}}}" for selector, name, *both in _COLOURS]
    )
