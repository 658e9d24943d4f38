/** Members with values that JSON does not have. Fixtures check all others. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { checkRequest, described, quoted } from "../src/request.ts";
import { refusal, units } from "./helpers.ts";
import type { Json } from "./helpers.ts";

const GOOD = { expression: "a", values: {}, parameters: [], view: "folded" };

/** Check a request that is valid except for `members`. */
function check(members: Json): unknown {
  const { expression, values, parameters, view } = { ...GOOD, ...members };
  return checkRequest(expression, values, parameters, view, DEFAULT_LIMITS);
}

test("values that JSON does not have are rejected", () => {
  for (const member of Object.keys(GOOD)) {
    const error = refusal(() => check({ [member]: undefined }));
    assert.equal(error.pointer, `/${member}`);
  }
  for (const a of [undefined, NaN, Infinity, -Infinity, 2n]) {
    assert.equal(refusal(() => check({ values: { a } })).pointer, "/values/a");
  }
  assert.equal(refusal(() => check({ parameters: ["a", undefined] })).pointer, "/parameters/1");
});

units("hints", "quoted", ({ texts }) => {
  for (const [text, expected] of Object.entries(texts)) assert.equal(quoted(text), expected);
});

test("a message describes a value by its kind", () => {
  const values = [null, undefined, true, false, "it's", 2.5, Infinity, [], {}];
  assert.deepEqual(values.map(described), [
    "null",
    "null",
    "true",
    "false",
    'the string "it\'s"',
    "a number",
    "infinity, NaN or a number beyond the doubles",
    "an array",
    "an object",
  ]);
});
