"""schemas/CONTRACT.md -> what each rule says first, for a reader of a failure."""

import re
from functools import cache

from parity_tests.kit.engines import SCHEMAS

RULE = re.compile(r"^- \*\*(R\d+) (.*?)(?=^- \*\*R|^#|^$|^  \||\Z)", re.MULTILINE | re.DOTALL)
SENTENCE = re.compile(r"(?:[^`.:]|`[^`]*`|[.:](?!\s|$))*[.:]?")
"""A full stop or a colon ends one, but not inside of code or a number."""


@cache
def load_rules() -> dict[str, str]:
    """Give each rule's title and first sentence by its number."""
    contract = (SCHEMAS / "CONTRACT.md").read_text(encoding="utf-8")
    return {number: _beginning(text) for number, text in RULE.findall(contract)}


def _beginning(text: str) -> str:
    """Give the first sentence, and the second where the first is no more than the title."""
    title, _, rest = " ".join(text.split()).partition("**")
    if title.endswith("."):
        return f"{title} {_first_sentence(rest)}"
    return _first_sentence(title + rest)


def _first_sentence(text: str) -> str:
    match = SENTENCE.match(text.strip())
    assert match is not None  # the pattern matches nothing, too
    return re.sub(":$", " …", match[0])
