"""schemas/operations.json -> its rows."""

import json
from functools import cache
from typing import NamedTuple

from parity_tests.kit.engines import SCHEMAS


class Operation(NamedTuple):
    """A row of the contract's table."""

    operation: str
    name: str
    syntax: str
    arity: int
    formula: str
    local_gradients: tuple[str | None, ...]
    domain: str
    derived: bool
    expansion: str | None

    @property
    def form(self) -> str:
        """How it is written: infix, prefix or as a call."""
        if self.syntax.startswith(f"{self.name}("):
            return "call"
        return "infix" if self.arity == 2 else "prefix"

    @property
    def is_everywhere(self) -> bool:
        """True where it accepts all operands."""
        return self.domain.startswith("all ")


@cache
def load_operations() -> dict[str, Operation]:
    """Give the rows by symbol."""
    rows = json.loads((SCHEMAS / "operations.json").read_text())["operations"]
    operations = [
        Operation(**{**row, "local_gradients": tuple(row["local_gradients"])}) for row in rows
    ]
    return {row.operation: row for row in operations}
