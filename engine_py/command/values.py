"""Arguments as people type them -> numbers by name: `a=1`, `a = 1`, `a=1,b=2`, `x=pi`, `b=1/3`.

A value that is not a number but a program without variables is computed, and its number is printed
to stderr.
"""

import re
from collections.abc import Sequence

from engine_py.canonical import canonical_text
from engine_py.command.terminal import print_error
from engine_py.errors import GradientError, InvalidRequest, InvalidValue
from engine_py.introspect import introspect
from engine_py.language.rewrite import rewrite
from engine_py.request import described, pointer_step

_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_NAMED = re.compile(r"(?:^|(?<=[\s,]))([^\s,=]+)\s*=")
"""A name, and the `=` after it."""
_VALUES = re.compile(
    r"\s*[A-Za-z_]\w*\s*=(?:[^A-Za-z_;\n#]|(?<=[0-9.])[eE](?=[-+0-9])|pi\b|[A-Za-z_]\w*\s*=)*",
    re.ASCII,
)
_LONGEST = 1_000
"""The maximum number of characters of a value that is computed."""


class UsageError(InvalidRequest):
    """An argument cannot be read; the message says which one and what to write."""

    def __init__(self, message: str, pointer: str = "") -> None:
        super().__init__(message, pointer=pointer)


def are_values(words: Sequence[str]) -> bool:
    """Return whether the arguments begin with a value, such as `x=3`, and not with a program.

    `x = 3` is a program, too, but a useless one; `y = x**2` is taken as a program.
    """
    return bool(_VALUES.fullmatch(" ".join(words[:3] if words[1:2] == ["="] else words[:1])))


def split_values(words: Sequence[str], form: str = "name=number, such as a=2") -> dict[str, str]:
    """Split arguments into names and the text of their values.

    Raises:
        UsageError: an argument has no `=`, or a name is given twice.
    """
    text, texts = " ".join(words), dict[str, str]()
    found = [*_NAMED.finditer(text)]
    before = text[: found[0].start()] if found else text
    if before.strip(" ,"):
        message = f"{described(before.strip())} is not a value; write {form}"
        raise UsageError(message.removeprefix("the string "))
    starts = [each.start() for each in found]
    for each, end in zip(found, [*starts, len(text)][1:], strict=True):
        if (name := each[1]) in texts:
            raise UsageError(f"`{name}` is given twice; give it once", _pointer(name))
        texts[name] = text[each.end() : end].strip(" ,")
    return texts


def read_numbers(words: Sequence[str]) -> dict[str, float]:
    """Read numbers by name; the engine checks names and sizes.

    Raises:
        UsageError: an argument has another form.
        InvalidValue: a value is not a number.
    """
    return {name: read_number(name, text) for name, text in split_values(words).items()}


def read_number(name: str, text: str) -> float:
    """Read a number, or compute a program without variables.

    Raises:
        InvalidValue: `text` is neither.
    """
    if _NUMBER.fullmatch(text):
        return float(text)
    number = _computed(text)
    if number is None:
        message = f"the value of `{name}` must be a number, not {described(text)}"
        raise InvalidValue(message, name=name, pointer=_pointer(name))
    print_error(f"{name}={text} is read as {name}={canonical_text(number)}")
    return number


def _computed(text: str) -> float | None:
    """Compute a program without variables, as it is or as it is meant, such as `2pi`."""
    if len(text) > _LONGEST or not text:
        return None
    try:
        program = rewrite(text, [])["expression"]
        return None if program is None else introspect(program, {})["result"]
    except GradientError:
        return None


def _pointer(name: str) -> str:
    return f"/values{pointer_step(name)}"
