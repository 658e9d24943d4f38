"""A refused text -> texts that its author may have meant, to be read instead."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import factorial

from engine_py.language import trees
from engine_py.language.parser import Parsed
from engine_py.language.spelling import TABLES, Refused

LONGEST = 500
"""The maximum number of characters of a text for which a cure is sought."""

_REPAIRS: dict[str, list[list[str]]] = TABLES["repairs"]
_RADIX = re.compile("0(?:[xX][0-9A-Fa-f]+|[oO][0-7]+|[bB][01]+)(?![0-9A-Fa-f])")
_FACTORIAL = re.compile(r"(?<![^ \t\n([{+*/^=,-])([0-9]{1,2})!(?![A-Za-z0-9_!])")
_SIGNS = (">", ">=", "<", "<=", "≥", "≤")
_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_PLAIN = re.compile("[A-Za-z][A-Za-z0-9_]*|[0-9]+")
_SIZE = re.compile(r"abs\(([A-Za-z][A-Za-z0-9_]*)\)")


def texts_of(
    text: str, reason: str, read: Callable[[str], Parsed]
) -> Iterator[tuple[str, Mapping[str, str] | None]]:
    """Yield texts to read instead, each with the formulas that only a cure may use."""
    if len(text) > LONGEST:
        return
    if reason in ("comparison", "conditional"):
        yield from ((each, None) for each in _chosen(text, read))
    if reason in ("vector", "no_formula"):
        yield text, TABLES["cures"]
    if reason == "derivative" and (found := re.match(TABLES["derived"], text, re.ASCII)):
        yield found[1], None
    changed = text
    if reason == "number":
        changed = _RADIX.sub(lambda found: str(int(found[0], 0)), text)
    if reason == "factorial":
        changed = _FACTORIAL.sub(lambda found: str(factorial(int(found[1]))), text)
    for pattern, replacement in _REPAIRS.get(reason, ()):
        changed = re.sub(pattern, replacement, changed, flags=re.ASCII)
    if changed != text:
        yield changed, None


def _chosen(text: str, read: Callable[[str], Parsed]) -> Iterator[str]:
    """Yield the formulas that equal a choice between two values at all points."""
    for row, order in TABLES["conditionals"]:  # compiled at their first use, as that takes 3 ms
        if found := re.match(row, text, re.ASCII):
            parts = _parts(found, order)
            try:
                programs = [read(each) for each in parts]
            except Refused:
                return
            yield from (each for each in _forms(*parts) if _is_choice(each, programs, read))
            return


def _parts(found: re.Match[str], order: str) -> tuple[str, str, str, str]:
    """Return a, b, c and d of `a if c > d else b`; for `<`, a and b trade places."""
    groups = [each for each in found.groups() if each not in _SIGNS]
    sign = next(each for each in found.groups() if each in _SIGNS)
    a, b, c, d = (groups[order.index(name)] or "0" for name in "abcd")
    return (b, a, c, d) if sign[0] in "<≤" else (a, b, c, d)


def _forms(a: str, b: str, c: str, d: str) -> list[str]:
    """Return formulas that may equal a where c > d, and b elsewhere."""
    forms = [f"relu({a})", f"abs({a})", f"abs({b})", f"max({a}, {b})", f"min({a}, {b})"]
    name, edge = c.strip(" \t\n\r"), d if _PLAIN.fullmatch(d) else f"({d})"
    if _NAME.fullmatch(name):
        word = re.compile(rf"\b{name}\b", re.ASCII)
        up, down = f"max({name}, {d})", f"min({name}, {d})"
        total = f"({word.sub(lambda _: up, a)}) + ({word.sub(lambda _: down, b)})"
        forms += [total, f"{total} - ({word.sub(lambda _: edge, a)})"]
    if inner := _SIZE.fullmatch(name):  # as in Huber's loss
        clipped = f"min(max({inner[1]}, -{edge}), {d})"
        inside = re.sub(rf"\b{inner[1]}\b", lambda _: clipped, b, flags=re.ASCII)
        outside = a.replace(name, f"max({name}, {d})")
        forms.append(f"({inside}) + ({outside}) - ({a.replace(name, edge)})")
    return forms


def _is_choice(form: str, parts: Sequence[Parsed], read: Callable[[str], Parsed]) -> bool:
    """Return whether a formula equals a where c > d, and b elsewhere, at all points."""
    try:
        programs = [*parts, read(form)]
    except Refused:
        return False
    names = sorted({name for each in programs for name in each.graph.variables})
    computed = [trees.computing(each) for each in programs]
    met = 0
    for place in range(2 * trees.POINTS):
        values = trees.point(names, place)
        a, b, left, right, got = [at(values) for at in computed]
        if left is None or right is None or (wanted := a if left > right else b) is None:
            continue
        if got is None or not trees.is_close(got, wanted):
            return False
        met += 1
    return met > 0
