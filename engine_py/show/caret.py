"""Text and span -> the line in question with carets under the place."""

from engine_py.errors import Span

_WIDTH = 72
_BEFORE = 40


def draw_carets(text: str, span: Span) -> str:
    """Draw at least one caret; of a long line only what is around the place.

    >>> print(draw_carets("2x + 1", Span(1, 2)))
        2x + 1
         ^
    """
    start = min(span.start, len(text))
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    first = max(line_start, start - _BEFORE) if line_end - line_start > _WIDTH else line_start
    last = min(line_end, first + _WIDTH)
    shown = "".join(each if each.isprintable() else " " for each in text[first:last])
    before = "..." if first > line_start else ""
    after = "..." if last < line_end else ""
    carets = "^" * max(1, min(span.end, last) - start)
    return f"    {before}{shown}{after}\n    {' ' * (len(before) + start - first)}{carets}"
