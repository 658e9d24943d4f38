import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import {
  checkExpression,
  checkParameters,
  checkRequest,
  checkValues,
  described,
  quoted,
} from "../src/request.ts";
import { assertRefusal, refusal, units } from "./helpers.ts";
import type { Json } from "./helpers.ts";

const GOOD = { expression: "a", values: {}, parameters: [], view: "folded" };

/** Check a request that is good but for these members. */
function check(members: Json): unknown {
  const { expression, values, parameters, view } = { ...GOOD, ...members };
  return checkRequest(expression, values, parameters, view, DEFAULT_LIMITS);
}

function valuesOf(values: unknown, limits: object = {}): Json {
  return Object.fromEntries(checkValues(values, { ...DEFAULT_LIMITS, ...limits }));
}

test("a good request passes as it is", () => {
  const request = checkRequest("a * k", { a: 2, k: 0.5 }, ["k"], "primitive", DEFAULT_LIMITS);
  assert.deepEqual(request, {
    expression: "a * k",
    values: new Map([
      ["a", 2],
      ["k", 0.5],
    ]),
    parameters: ["k"],
    view: "primitive",
  });
});

units("request", "wrong", ({ member, wrong, error }) => {
  for (const content of wrong) {
    assertRefusal({ span: null, ...error }, () => check({ [member]: content }));
  }
});

test("what JSON does not have is refused, too", () => {
  for (const member of Object.keys(GOOD)) {
    const error = refusal(() => check({ [member]: undefined }));
    assert.equal(error.pointer, `/${member}`);
  }
  for (const a of [undefined, NaN, Infinity, -Infinity, 2n]) {
    assert.equal(refusal(() => check({ values: { a } })).pointer, "/values/a");
  }
  assert.equal(refusal(() => check({ parameters: ["a", undefined] })).pointer, "/parameters/1");
});

test("the first member that is wrong is reported", () => {
  const members = Object.keys(GOOD);
  for (const [place, member] of members.entries()) {
    const rest = Object.fromEntries(members.slice(place).map((each) => [each, 3]));
    assert.equal(refusal(() => check(rest)).pointer, `/${member}`);
  }
});

units("request", "names", ({ good, wrong }) => {
  for (const name of [...good, "a".repeat(1_000)]) {
    assert.deepEqual([...checkValues({ [name]: 1 }, DEFAULT_LIMITS)], [[name, 1]]);
  }
  for (const name of wrong) {
    const where = { name, pointer: `/values/${name}` };
    const expected = { code: "invalid_value", span: null, ...where };
    assertRefusal(expected, () => valuesOf({ [name]: 1 }));
  }
});

test("an expression is measured in code points", () => {
  const three = { ...DEFAULT_LIMITS, characters: 3 };
  for (const text of ["", "abc", "ééé", "😀😀😀"]) {
    assert.equal(checkExpression(text, three), text);
  }
  for (const text of ["abcd", "éééé", "😀😀😀😀"]) {
    assertRefusal(
      {
        code: "limit_exceeded",
        span: { start: 3, end: 4 },
        name: "characters",
        limit: 3,
        actual: 4,
      },
      () => checkExpression(text, three),
    );
  }
});

test("every finite double is a value", () => {
  for (const double of [0, -0, 1.5, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE]) {
    assert.deepEqual(valuesOf({ a: double }), { a: double });
  }
});

test("values are counted before they are read", () => {
  const two = { variables: 2 };
  assert.deepEqual(valuesOf({ a: 1, b: 2 }, two), { a: 1, b: 2 });
  const data = { name: "variables", limit: 2, actual: 3 };
  assertRefusal({ code: "limit_exceeded", span: null, ...data }, () =>
    valuesOf({ a: "x", b: "y", "1": "z" }, two),
  );
});

test("parameters are counted before they are read", () => {
  const two = { ...DEFAULT_LIMITS, variables: 2 };
  assert.deepEqual(checkParameters(["a", "b"], two), ["a", "b"]);
  const data = { name: "variables", limit: 2, actual: 3 };
  const expected = { code: "limit_exceeded", span: null, ...data };
  assertRefusal(expected, () => checkParameters(["a", "a", 3], two));
});

units("request", "quoted", ({ texts }) => {
  for (const [text, expected] of Object.entries(texts)) assert.equal(quoted(text), expected);
});

test("a value is described by its kind", () => {
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
