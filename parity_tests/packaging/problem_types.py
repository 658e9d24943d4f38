"""problem.schema.json and problems.toml -> the members of each problem in TypeScript, by `code`.

    python -m parity_tests.packaging.problem_types

json-schema-to-typescript makes one interface of the schema, whose members are all optional,
because the schema does not say which code has which members; problems.toml does.
"""

import json
from pathlib import Path
from typing import Any

from schemas.bundle import schema
from service.reply import EXPLAINED

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "engine_ts" / "src" / "client" / "problems.ts"

BEGIN, END = "interface MembersByCode {\n", "}\n\nexport type ProblemCode"
"""Between them are the lines that follow from the schemas."""

OTHERS = {"operation": 'Node["operation"]', "rewrite": "Rewritten"}
"""Types that the engine has."""
NAMES = {"integer": "number"}
WIDTH = 100


def written() -> str:
    """Return the module as it is, with the members of each code rewritten."""
    head, _, rest = FILE.read_text("utf-8").partition(BEGIN)
    tail = rest[rest.index(END) :]
    members = schema("problem")["properties"]
    lines = []
    for code in members["code"]["enum"]:
        one = EXPLAINED[code]
        typed = [f"readonly {name}: {type_of(name, members[name])}" for name in one["data"]]
        if one.get("of_text"):
            typed.append(f"readonly rewrite?: {OTHERS['rewrite']}")
        lines.append(_member(code, typed))
    return "".join((head, BEGIN, *lines, tail))


def _member(code: str, typed: list[str]) -> str:
    """Write a member as prettier does: on one line if it fits."""
    line = (
        f"  readonly {code}: {{ {'; '.join(typed)} }};\n"
        if typed
        else f"  readonly {code}: {{}};\n"
    )
    if len(line) <= WIDTH:
        return line
    return "".join((f"  readonly {code}: {{\n", *(f"    {one};\n" for one in typed), "  };\n"))


def type_of(name: str, found: dict[str, Any]) -> str:
    """Return the type of a member with this name and schema."""
    if name in OTHERS:
        return OTHERS[name]
    if "enum" in found:
        return " | ".join(json.dumps(each) for each in found["enum"])
    if found["type"] == "array":
        return f"readonly {type_of('', found['items'])}[]"
    names = [found["type"]] if isinstance(found["type"], str) else found["type"]
    return " | ".join(NAMES.get(each, each) for each in names)


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
