import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import { FUNCTIONS } from "../src/operations.ts";
import type { Operation } from "../src/rows.ts";
import { units } from "./helpers.ts";

function refused(text: string): any {
  try {
    introspect(text, { x: 2, y: 3 });
  } catch (error) {
    return error;
  }
  return assert.fail(`${text} was not refused`);
}

units("hints", "hints", ({ messages, may_become_functions }) => {
  for (const [text, words] of Object.entries<string>(messages)) {
    const word = text.split("(")[0]!.toLowerCase();
    if (may_become_functions && FUNCTIONS.has(word)) continue; // and its hint has ended
    const { message } = refused(text);
    assert.ok(message.includes(words), `${text}: ${message}`);
  }
});

test("a hint ends when its word becomes a function", () => {
  const table = FUNCTIONS as Map<string, Operation>;
  const before = table.get("square");
  table.set("square", table.get("exp")!);
  try {
    for (const word of ["squar", "Square"]) {
      const error = refused(`${word}(x)`);
      assert.deepEqual([error.code, error.data.name], ["unknown_function", word]);
      assert.match(error.message, /did you mean `square`/);
    }
  } finally {
    if (before === undefined) table.delete("square");
    else table.set("square", before);
  }
});

test("a long word is cut in the message", () => {
  const error = refused("a".repeat(60_000) + "(x)");
  assert.ok(error.message.length < 300);
  assert.equal(error.data.name, "a".repeat(60_000));
});

test("what is nearly right is answered with what is meant", () => {
  const rows: [text: string, words: string][] = [
    ["foo(x)", `the functions are ${[...FUNCTIONS.keys()].join(", ")}; put \`*\``],
    ["x ** (-1)", "write `x ** -1`"],
    ["x ** (1/2)", "write `x ** 0.5`"],
    ["x ** -(1/2)", "write `x ** -0.5`"],
    ["x ** (-1 / -4)", "write `x ** 0.25`"],
    ["x ** (.5 + 1.25)", "write `x ** 1.75`"],
    ["x ** (0.1 * 3)", "write a number, as in `x ** 0.5`"],
    ["x ** (2 - 3.)", "write `x ** -1`"],
    ["x ** (1 - 1)", "write `x ** 0`"],
    ["x ** -(1 - 1)", "write `x ** 0`"],
    ["x ** (1/10)", "write `x ** 0.1`"],
    ["x ** (1/3)", "write a number, as in `x ** 0.5`"],
    ["x ** (1/0)", "write a number, as in `x ** 0.5`"],
    ["x ** (1/1024/1024)", "write a number, as in `x ** 0.5`"],
    ["x ** (999999999 * 999999999)", "write a number, as in `x ** 0.5`"],
    ["x ** ((1/2))", "write `exp(y * log(x))`"],
    ["x ** (1e-3)", "write a number, as in `x ** 0.5`"],
    ["x ** (1/2 + y)", "write `exp(y * log(x))`"],
    ["x ** (1/2", "write `exp(y * log(x))`"],
    [
      "z = x\n+ y",
      "`+` at offset 6 begins a new statement; to go on in a new line, end the line before",
    ],
    ["z = x\n\n- y", "`-` at offset 7 begins a new statement; to go on in a new line"],
    ["z = x; - y", "the result does not depend on `z`; use it or take it away"],
    ["z = x\ny", "the result does not depend on `z`; use it or take it away"],
    ["z = x\n* y", "`*` at offset 6 is unexpected; to go on in a new line, end the line before"],
    ["x\n** 2", "`**` at offset 2 is unexpected; to go on in a new line, end the line before"],
    ["z = x\n+ y\nz", "`+` at offset 6 began a new statement; to go on in a new line"],
    ["z = x; + y\nz", "only the last statement may go without a name"],
    ["* x", "a number, a name or `(` must come here"],
    ["1_000 * x", "write the digits of a number without `_` between them"],
    ["2 _x", "put `*` between `2` and `_x`"],
  ];
  for (const [text, words] of rows) {
    const { message } = refused(text);
    assert.ok(message.includes(words), `${text}: ${message}`);
    assert.ok(message.length < 200);
  }
});
