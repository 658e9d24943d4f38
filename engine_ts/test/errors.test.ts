import assert from "node:assert/strict";
import { test } from "node:test";
import * as errors from "../src/errors.ts";
import { GradientError, InvalidRequest, UnknownFunction } from "../src/errors.ts";
import { introspect } from "../src/introspect.ts";
import type { Json } from "./helpers.ts";

const CODES = [
  "invalid_request",
  "invalid_value",
  "limit_exceeded",
  "unexpected_character",
  "unexpected_token",
  "unexpected_end",
  "unknown_function",
  "wrong_arity",
  "exponent_not_literal",
  "duplicate_name",
  "unused_name",
  "missing_value",
  "domain_error",
  "non_finite",
];

const MESSAGES: [expression: Json, values: Json, code: string, words: string[]][] = [
  // expression, values, code, what its message must name: the place, the thing, the way out
  [3, {}, "invalid_request", ["expression", "string", "a number"]],
  ["a", [], "invalid_request", ["values", "object", "an array"]],
  ["a", { a: null }, "invalid_value", ["`a`", "finite number", "null"]],
  ["a", { a: true }, "invalid_value", ["`a`", "finite number", "true"]],
  ["a", { a: "2" }, "invalid_value", ["`a`", "finite number", "2"]],
  [
    "a",
    { a: "x".repeat(9_999) },
    "invalid_value",
    ["`a`", "finite number", 'the string "xxx', "..."],
  ],
  ["a", { a: Infinity }, "invalid_value", ["`a`", "finite number", "beyond"]],
  ["a", { a: [2] }, "invalid_value", ["`a`", "an array"]],
  ["a", { a: {} }, "invalid_value", ["`a`", "an object"]],
  ["a", { "2a": 1 }, "invalid_value", ["2a", "a letter or _"]],
  ["a".repeat(101), {}, "limit_exceeded", ["101", "100 "]],
  ["a", { a: 1, b: 1, c: 1, d: 1, e: 1 }, "limit_exceeded", ["5", "4"]],
  ["a + b + c", {}, "limit_exceeded", ["4 nodes", "smaller"]],
  ["a ^ 2", {}, "unexpected_character", ["`^`", "offset 2", "`**`"]],
  ["a × b", {}, "unexpected_character", ["U+00D7", "offset 2", "`*`"]],
  ["a ÷ b", {}, "unexpected_character", ["U+00F7", "`/`"]],
  ["a − b", {}, "unexpected_character", ["U+2212", "`-`"]],
  ["[a]", {}, "unexpected_character", ["`[`", "( and )"]],
  ["a + é", {}, "unexpected_character", ["U+00E9", "offset 4", "ASCII"]],
  ["a + 😀", {}, "unexpected_character", ["U+1F600", "ASCII"]],
  ["a +\0", {}, "unexpected_character", ["U+0000", "ASCII"]],
  ["2x", {}, "unexpected_token", ["`x`", "offset 1", "`*`"]],
  ["", {}, "unexpected_end", ["empty", "write"]],
  ["a +", {}, "unexpected_end", ["end of the text", "offset 3"]],
  ["(a", {}, "unexpected_end", ["end of the text", "parenthesis"]],
  ["foo(a)", {}, "unknown_function", ["`foo`", "relu", "exp", "log", "tanh"]],
  ["relu(a, b)", {}, "wrong_arity", ["relu", "1", "2"]],
  ["a ** b", {}, "exponent_not_literal", ["`b`", "one number", "base"]],
  ["b = 1; b = 2", {}, "duplicate_name", ["`b`", "another name"]],
  ["b = 1; a", {}, "unused_name", ["`b`", "use it"]],
  ["a", {}, "missing_value", ["`a`", "values"]],
  ["log(a)", { a: 0 }, "domain_error", ["logarithm", "above 0", "`log`"]],
  ["1 / a", { a: 0 }, "domain_error", ["division by 0", "`/`"]],
  ["a ** -1", { a: 0 }, "domain_error", ["0", "negative power"]],
  ["a ** .5", { a: -1 }, "domain_error", ["negative base", "fractional"]],
  ["a + 1e999", {}, "non_finite", ["number", "largest double"]],
  ["exp(a)", { a: 1000 }, "non_finite", ["`exp`", "node 1", "too large", "nearer to 0"]],
  ["sqrt(a)", { a: 0 }, "non_finite", ["`sqrt`", "no finite slope at 0; use a value above 0"]],
  ["a ** 0.5", { a: 0 }, "non_finite", ["`x ** c` with c < 1", "use a value above 0"]],
  ["1 / a", { a: 1e-310 }, "non_finite", ["`/`", "further from 0"]],
  ["log(a)", { a: 1e-310 }, "non_finite", ["local_grad", "`log`", "further from 0"]],
  ["log(a)", { a: 5e-324 }, "non_finite", ["local_grad", "`log`"]],
];

test("every code of the contract has one class", () => {
  const codes = Object.values(errors)
    .filter((kind) => kind !== GradientError)
    .map((kind) => new (kind as typeof InvalidRequest)("").code as string);
  assert.deepEqual(codes.sort(), [...CODES].sort());
});

test("an error writes its code message span and data", () => {
  const error = new UnknownFunction("what and why", { start: 4, end: 7 }, { name: "foo" });
  assert.deepEqual(error.toJSON(), {
    code: "unknown_function",
    message: "what and why",
    span: { start: 4, end: 7 },
    name: "foo",
  });
  assert.deepEqual(
    [error.code, error.message, error.span, error.data],
    ["unknown_function", "what and why", { start: 4, end: 7 }, { name: "foo" }],
  );
  assert.equal(JSON.stringify([error]), JSON.stringify([error.toJSON()]));
});

test("an error without a place has no span", () => {
  const error = new InvalidRequest("what", null, { pointer: "/view" });
  const expected = { code: "invalid_request", message: "what", span: null, pointer: "/view" };
  assert.deepEqual(error.toJSON(), expected);
  assert.deepEqual(new InvalidRequest("what").toJSON(), {
    code: "invalid_request",
    message: "what",
    span: null,
  });
});

test("a span at the start of the text is a span", () => {
  const span = { start: 0, end: 0 };
  assert.deepEqual(new InvalidRequest("what", span).toJSON()["span"], span);
});

test("an error is an exception that says its message", () => {
  const error = new UnknownFunction("what and why", { start: 4, end: 7 }, { name: "foo" });
  assert.ok(error instanceof GradientError && error instanceof Error);
  assert.match(String(error), /what and why$/);
});

test("the table of messages has every code", () => {
  assert.deepEqual(new Set(MESSAGES.map(([, , code]) => code)), new Set(CODES));
});

test("a message names the place or the way out", () => {
  const limits = { characters: 100, variables: 4, nodes: 4 };
  for (const [expression, values, code, words] of MESSAGES) {
    assert.throws(
      () => introspect(expression, values, { limits }),
      (error: unknown) => {
        assert.ok(error instanceof GradientError);
        assert.equal(error.code, code);
        for (const word of words) assert.ok(error.message.includes(word), error.message);
        assert.ok(error.message.length < 200);
        return true;
      },
    );
  }
});
