"""Text -> the same text in a style of a terminal; what a style tells, a word tells, too."""

from collections.abc import Callable
from typing import Literal

Style = Literal["plain", "dim", "strong", "data", "grad"]
Paint = Callable[[str, Style], str]

_CODES: dict[Style, str] = {"dim": "2", "strong": "1", "data": "36", "grad": "33"}
"""Cyan and yellow are readable on black and on white, and told apart by the colour-blind."""


def plain(text: str, _style: Style) -> str:
    """Leave the text as it is."""
    return text


def coloured(text: str, style: Style) -> str:
    """Put the escape sequences of ECMA-48 around the text."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if style in _CODES and text.strip() else text
