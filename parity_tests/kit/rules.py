"""schemas/CONTRACT.md -> its sentences, by rule."""

import re
from typing import NamedTuple

HEAD = re.compile(
    r"^(?:#+ (?:The )?(?P<part>.+)|- \*\*(?P<rule>R\d+) (?P<title>.+?)\*\*)", re.MULTILINE
)
ROW = re.compile(r"^ *\|(.*)\|$", re.MULTILINE)
ITEM = re.compile(r"^ +(?:- |(?=\d+\. ))", re.MULTILINE)
"""The number of an item stays, as other rules refer to it."""
SENTENCE = re.compile(r"(?:^\d+\. )?(?:[^`.]|`[^`]*`|\.(?!\)?(?:\s|$)))+(?:\.\)?)?")
"""A full stop ends one, but not inside of code, of a number or after an item's number."""


class Rule(NamedTuple):
    """A rule, or a part of the contract that is about more than one."""

    name: str
    """`R7`, or the part's heading: `Lab`."""
    title: str
    """What stands before the first sentence; empty where it is that sentence's beginning."""
    sentences: list[str]
    """With single blanks. A row of a table is one, and so is each item of a list at least."""


def split_contract(text: str) -> list[Rule]:
    """Give the rules in their order, and among them the parts that are about more than one."""
    heads = list(HEAD.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    rules = [_rule(head, text[head.end() : end]) for head, end in zip(heads, ends, strict=True)]
    return [rule for rule in rules if rule.sentences]


def _rule(head: re.Match[str], text: str) -> Rule:
    name, title = head["rule"] or head["part"].capitalize(), head["title"] or ""
    if title.endswith("."):
        return Rule(name, title, _sentences(text))
    return Rule(name, "", _sentences(title + text))


def _sentences(text: str) -> list[str]:
    found = []
    for block in re.split(r"\n *\n", text):
        if ROW.match(block):
            found += _rows(block)
        else:
            found += [each for item in ITEM.split(block) for each in SENTENCE.findall(item.strip())]
    return [" ".join(each.split()) for each in found if each.strip()]


def _rows(table: str) -> list[str]:
    """Give the rows below the heads; an empty head stands between two tables side by side."""
    heads, _, *rows = [row.split("|") for row in ROW.findall(table)]
    gaps = [place for place, head in enumerate(heads) if not head.strip()]
    starts, ends = [0, *(gap + 1 for gap in gaps)], [*gaps, len(heads)]
    sides = list(zip(starts, ends, strict=True))
    return ["|".join(row[start:end]) for row in rows for start, end in sides]
