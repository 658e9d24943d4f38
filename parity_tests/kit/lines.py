"""protocol_lines.json -> cases: a line, good or bad, and what a worker responds to it."""

import json
import re
from pathlib import Path

from parity_tests.kit.cases import Case
from parity_tests.kit.compare import first_difference
from parity_tests.kit.engines import PACKAGE
from parity_tests.kit.profiles import profiles_of
from parity_tests.kit.worker import Json

FILE = PACKAGE / "kit" / "protocol_lines.json"
TOPIC = "protocol"
COMMAND = re.compile(r'"command": *"(\w+)"')
WHY = "Each line has one response, so that a mistake in a message is seen where it was made."


class LineCase(Case):
    """One line of the protocol. The response may have more members than those expected."""

    __slots__ = ()

    @property
    def path(self) -> str:
        """The file in this repository."""
        return "parity_tests/kit/protocol_lines.json"

    @property
    def line(self) -> bytes:
        """What is written, without the end of the line."""
        return line_of(self.request)

    @property
    def profiles(self) -> frozenset[str]:
        """What an engine must claim to be asked."""
        return profiles_of(COMMAND.findall(self.line.decode(errors="replace")), None)

    def verdict(self, response: Json, contract: str | None = None) -> str | None:
        """Describe the first difference from the response that stands beside the line."""
        difference = first_difference(self.expect["response"], response, partial=True)
        return None if difference is None else str(difference)


def load_lines(file: Path = FILE) -> list[Case]:
    """Read all lines; a case's name is its number and its title."""
    entries = json.loads(file.read_text(encoding="utf-8"))
    return [
        LineCase(TOPIC, f"{number}-{_slug(entry['title'])}", entry.get("holds", []), WHY,
                 "hand derivation", entry, None, {"response": entry["response"]}, "line")
        for number, entry in enumerate(entries, 1)
    ]  # fmt: skip


def line_of(entry: Json) -> bytes:
    """A case has its line as a text, as bytes in hex, or as texts that are repeated."""
    if "hex" in entry:
        return bytes.fromhex(entry["hex"])
    if "parts" in entry:
        return "".join(text * times for text, times in entry["parts"]).encode()
    return str(entry["line"]).encode()


def _slug(title: str) -> str:
    return "-".join("".join(each if each.isalnum() else " " for each in title).split()).lower()
