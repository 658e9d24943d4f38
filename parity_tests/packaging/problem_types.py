"""problem.schema.json and problems.toml -> the types of problems in TypeScript, a union by `code`.

    python -m parity_tests.packaging.problem_types

json-schema-to-typescript makes one interface of the schema, whose members are all optional,
because the schema does not say which code has which members; problems.toml does.
"""

import json
from pathlib import Path
from typing import Any

from schemas.bundle import schema
from service.reply.problems import EXPLAINED

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "engine_ts" / "src" / "client" / "problems.ts"

HEAD = """/**
 * The problems of a service, a union by `code`; problem.schema.json says what each member means.
 *
 * `python -m parity_tests.packaging.problem_types` writes this file.
 */

import type { Span } from "../errors.ts";
import type { Rewritten } from "../language/rewrite.ts";
import type { Node } from "../template.ts";

/** The members that every problem has. */
export interface ProblemMembers {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly span: Span | null;
  /** In a batch, the `id` of the request. */
  readonly id?: string | number;
  /** Everything that is wrong with the members of the request; the first is the problem itself. */
  readonly errors?: readonly {
    readonly code: ProblemCode;
    readonly message: string;
    readonly pointer: string;
    readonly name?: string;
  }[];
}

/** The other members of the problems with each code. */
export interface MembersByCode {
"""
TAIL = """}

export type ProblemCode = keyof MembersByCode;

export type ProblemBody = {
  [Code in ProblemCode]: ProblemMembers & { readonly code: Code } & MembersByCode[Code];
}[ProblemCode];
"""

OTHERS = {"operation": 'Node["operation"]', "rewrite": "Rewritten"}
"""Types that the engine has."""
NAMES = {"integer": "number"}
WIDTH = 100


def written() -> str:
    """Return the module."""
    members = schema("problem")["properties"]
    lines = []
    for code in members["code"]["enum"]:
        one = EXPLAINED[code]
        typed = [f"readonly {name}: {type_of(name, members[name])}" for name in one["data"]]
        if one.get("of_text"):
            typed.append(f"readonly rewrite?: {OTHERS['rewrite']}")
        lines.append(_member(code, typed))
    return HEAD + "".join(lines) + TAIL


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
