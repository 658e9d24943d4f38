/** Members and limits with values that JSON does not have. Fixtures check all others. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { accuracy } from "../src/accuracy/accuracy.ts";
import { introspect, prepareText } from "../src/introspect.ts";
import { LAB } from "../src/lab/commands.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { checkRequest, described, quoted } from "../src/request.ts";
import { introspectValue } from "../src/subject.ts";
import { Value } from "../src/value.ts";
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

test("an undefined limit has its default", () => {
  const limits = { nodes: undefined } as object;
  const text = "1" + "+1".repeat(5_000);
  for (const call of [
    () => introspect(text, {}, { limits }),
    () => prepareText(text, "folded", limits),
  ]) {
    assert.equal(refusal(call).limit, 10_000);
  }
});

test("a limit must be a whole number, 0 or more", () => {
  const document = introspect("a", { a: 1 }, { parameters: ["a"] });
  for (const name of Object.keys(DEFAULT_LIMITS)) {
    for (const wrong of [-1, 2.5, NaN, Infinity, -Infinity, null, true, "5"]) {
      const limits = { [name]: wrong } as object;
      for (const call of [
        () => introspect("a", { a: 1 }, { limits }),
        () => prepareText("a", "folded", limits),
        () => introspectValue(new Value(1, "a"), { limits }),
        () => accuracy("a", { a: 1 }, { limits }),
        ...[...LAB.values()].map(
          ({ run }) =>
            () =>
              run(document, undefined, { node: "a", limits }),
        ),
      ]) {
        const message = `limits.${name} must be a whole number, 0 or more, not ${wrong}`;
        assert.throws(call, { name: "RangeError", message });
      }
    }
  }
});

test("an unknown limit is rejected", () => {
  const call = () => introspect("a", { a: 1 }, { limits: { node: 5 } as object });
  assert.throws(call, { name: "RangeError", message: "limits has no member `node`" });
});
