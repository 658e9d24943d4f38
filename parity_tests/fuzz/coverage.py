"""Answers -> which operations and errors a run has met, and which never."""

import json
from collections import Counter

from parity_tests.kit.engines import SCHEMAS
from parity_tests.kit.worker import Json

OF_VALUES = {"stale_custom"}
"""Errors that no text can have."""
OF_THE_LAB = {"tangent"}
"""Stages that no document can fail at."""


class Coverage:
    """Counts answers; a random test that never gets somewhere says nothing about that place."""

    def __init__(self) -> None:
        """Know what there is to meet from the schemas."""
        table = json.loads((SCHEMAS / "operations.json").read_text())
        errors = json.loads((SCHEMAS / "error.schema.json").read_text())
        self.operations = Counter({row["operation"]: 0 for row in table["operations"]})
        codes = [branch["properties"]["code"]["const"] for branch in errors["oneOf"]]
        self.codes = Counter({code: 0 for code in codes if code not in OF_VALUES})
        stages = errors["$defs"]["stage"]["enum"]
        self.stages = Counter({stage: 0 for stage in stages if stage not in OF_THE_LAB})
        self.documents = 0
        self.unclaimed: Counter[str] = Counter()
        """By engine, calls that it is not asked, as they need what it does not claim."""

    def add(self, response: Json) -> None:
        """Count a document's operations once each, or an error's code and stage."""
        if response["kind"] == "result":
            self.documents += 1
            used = {node["operation"] for node in response["result"]["nodes"]}
            self.operations.update(used - {None})
        else:
            error = response["error"]
            self.codes[error["code"]] += 1
            if "stage" in error:
                self.stages[error["stage"]] += 1

    def missing(self) -> list[str]:
        """Name what was never met."""
        counted = {**self.operations, **self.codes, **self.stages}
        return [name for name, count in counted.items() if not count]

    def __str__(self) -> str:
        """Show all counts."""
        rows = {
            "documents": f"{self.documents}",
            "with operations": _listed(self.operations),
            "errors": _listed(self.codes),
            "non_finite stages": _listed(self.stages),
            **({"not claimed by": _listed(self.unclaimed)} if self.unclaimed else {}),
        }
        return "\n".join(f"{title}: {counts}" for title, counts in rows.items())


def _listed(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common())
