/** `rewrite` turns other notations into a program, or returns the reason why it cannot. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { rewrite } from "../src/index.ts";
import type { Rewritten } from "../src/index.ts";
import { units } from "./helpers.ts";
import type { Json } from "./helpers.ts";

/** Apply the changes to the text. */
function applied(text: string, { changes }: Rewritten): string {
  const characters = [...text];
  let [made, at] = ["", 0];
  for (const { span, replacement } of changes) {
    made += characters.slice(at, span.start).join("") + replacement;
    at = span.end;
  }
  return made + characters.slice(at).join("");
}

units("rewrite", "programs", ({ rows, names, needs }) => {
  for (const [text, program] of Object.entries<string>(rows)) {
    const found = rewrite(text, names);
    assert.equal(found.expression, program, text);
    assert.equal(applied(text, found), program);
    assert.equal(found.refused, null);
    assert.deepEqual(found.needs, needs ?? found.needs);
  }
});

units("rewrite", "refused", ({ rows }) => {
  for (const [text, [reason, start, end, ...readings]] of Object.entries<Json>(rows)) {
    const { refused, expression, changes, needs, readings: found } = rewrite(text);
    assert.deepEqual([refused?.reason, refused?.span], [reason, { start, end }], text);
    assert.deepEqual(found, readings);
    assert.deepEqual([expression, changes, needs], [null, [], []]);
  }
});

test("a rewritten program may not be longer than an expression", () => {
  const text = "tan(".repeat(40) + "x" + ")".repeat(40); // the formula of tan has x twice
  assert.equal(rewrite(text).refused?.reason, "too_long");
});
