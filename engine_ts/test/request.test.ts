import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import {
  checkExpression,
  checkParameters,
  checkRequest,
  checkValues,
  checkView,
  described,
  quoted,
} from "../src/request.ts";
import type { Request } from "../src/request.ts";
import { assertRefusal, refusal } from "./helpers.ts";
import type { Json } from "./helpers.ts";

const NOT_A_TEXT = [null, undefined, true, 3, 2.5, [], ["a"], {}];
const NOT_AN_OBJECT = [null, undefined, true, "a", 3, [], [["a", 1]]];
const NOT_A_NUMBER = [null, undefined, true, false, "", "2", "NaN", [], [2], {}, 2n];
const NOT_FINITE = [NaN, Infinity, -Infinity];
const NOT_A_NAME = [
  "1",
  "1a",
  "a b",
  " a",
  "a ",
  "a\n",
  "a-b",
  "a.b",
  "é",
  "aé",
  "ａ",
  "😀",
  "\ud800",
];
const NOT_AN_ARRAY = [null, undefined, true, "ab", 3, {}, { a: 1 }];
const NOT_A_PARAMETER = [null, undefined, 3, true, "", "1", "a b", ["a"], {}];
const NOT_A_VIEW = ["", "Folded", "folded ", null, undefined, true, 1, [], ["folded"], {}];

function wrong(pointer: string): Json {
  return { code: "invalid_request", span: null, pointer };
}

function wrongValue(name: string, pointer: string): Json {
  return { code: "invalid_value", span: null, name, pointer };
}

function valuesOf(values: unknown, limits: object = {}): Json {
  return Object.fromEntries(checkValues(values, { ...DEFAULT_LIMITS, ...limits }));
}

function parametersOf(parameters: unknown, limits: object = {}): string[] {
  return checkParameters(parameters, { ...DEFAULT_LIMITS, ...limits });
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

test("an expression is a text", () => {
  for (const nonsense of NOT_A_TEXT) {
    assertRefusal(wrong("/expression"), () => checkExpression(nonsense, DEFAULT_LIMITS));
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

test("values are an object", () => {
  for (const nonsense of NOT_AN_OBJECT) {
    assertRefusal(wrong("/values"), () => valuesOf(nonsense));
  }
});

test("a value is a finite number", () => {
  for (const nonsense of [...NOT_A_NUMBER, ...NOT_FINITE]) {
    assertRefusal(wrongValue("a", "/values/a"), () => valuesOf({ a: nonsense }));
  }
});

test("every finite double is a value", () => {
  for (const double of [0, -0, 1.5, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE]) {
    assert.deepEqual(valuesOf({ a: double }), { a: double });
  }
});

test("a name is a letter or underscore then letters digits underscores", () => {
  const names = ["a", "Z", "_", "_1", "x1", "exp", "__proto__", "constructor", "a".repeat(1_000)];
  for (const name of names) {
    assert.deepEqual([...checkValues({ [name]: 1 }, DEFAULT_LIMITS)], [[name, 1]]);
  }
  for (const name of NOT_A_NAME) {
    assertRefusal(wrongValue(name, `/values/${name}`), () => valuesOf({ [name]: 1 }));
  }
});

test("a pointer escapes tilde and slash", () => {
  const escaped = { "": "", "a/b~c": "a~1b~0c", "~1": "~01", "//": "~1~1" };
  for (const [name, pointer] of Object.entries(escaped)) {
    assertRefusal(wrongValue(name, `/values/${pointer}`), () => valuesOf({ [name]: 1 }));
  }
});

test("the least faulty name in utf16 order is reported", () => {
  function first(...names: string[]): string {
    return refusal(() => valuesOf(Object.fromEntries(names.map((name) => [name, null])))).name;
  }

  assert.equal(first("b", "a"), "a");
  assert.equal(first("a", "Z"), "Z");
  assert.equal(first("aa", "a"), "a");
  assert.equal(first("b", "10", "9"), "10");
  assert.equal(first("a", ""), "");
  // An emoji begins with the unit D83D, so it comes before FFFD though its code point is higher.
  assert.equal(first("\ufffd", "😀"), "😀");
});

test("names and values are one kind of fault", () => {
  assert.equal(refusal(() => valuesOf({ b: 1, é: 1, a: "x" })).name, "a");
  assert.equal(refusal(() => valuesOf({ b: "x", "1": 1, a: 1 })).name, "1");
});

test("values are counted before they are read", () => {
  const two = { variables: 2 };
  assert.deepEqual(valuesOf({ a: 1, b: 2 }, two), { a: 1, b: 2 });
  const data = { name: "variables", limit: 2, actual: 3 };
  assertRefusal({ code: "limit_exceeded", span: null, ...data }, () =>
    valuesOf({ a: "x", b: "y", "1": "z" }, two),
  );
});

test("parameters are an array", () => {
  for (const nonsense of NOT_AN_ARRAY) {
    assertRefusal(wrong("/parameters"), () => parametersOf(nonsense));
  }
});

test("parameters are distinct names in their order", () => {
  assert.deepEqual(parametersOf([]), []);
  assert.deepEqual(parametersOf(["b", "a", "_"]), ["b", "a", "_"]);
  for (const nonsense of NOT_A_PARAMETER) {
    assertRefusal(wrong("/parameters/1"), () => parametersOf(["a", nonsense, 4]));
  }
  assertRefusal(wrong("/parameters/2"), () => parametersOf(["a", "b", "a", "b"]));
  assertRefusal(wrong("/parameters/1"), () => parametersOf(["a", "a", 3]));
});

test("parameters are counted before they are read", () => {
  const two = { variables: 2 };
  assert.deepEqual(parametersOf(["a", "b"], two), ["a", "b"]);
  const data = { name: "variables", limit: 2, actual: 3 };
  const expected = { code: "limit_exceeded", span: null, ...data };
  assertRefusal(expected, () => parametersOf(["a", "a", 3], two));
});

test("a view is one of two", () => {
  assert.deepEqual(["folded", "primitive"].map(checkView), ["folded", "primitive"]);
  for (const nonsense of NOT_A_VIEW) {
    assertRefusal(wrong("/view"), () => checkView(nonsense));
  }
});

test("the first member that is wrong is reported", () => {
  function check(...members: [unknown, unknown, unknown, unknown]): Request {
    return checkRequest(...members, DEFAULT_LIMITS);
  }

  assertRefusal(wrong("/expression"), () => check(3, [], 3, 3));
  assertRefusal(wrong("/values"), () => check("a", [], 3, 3));
  assertRefusal(wrongValue("1", "/values/1"), () => check("a", { "1": 1 }, 3, 3));
  assertRefusal(wrong("/parameters"), () => check("a", {}, 3, 3));
  assertRefusal(wrong("/view"), () => check("a", {}, [], 3));
  assert.equal(check("a", {}, [], "folded").expression, "a");
});

test("a string is quoted as json and cut by code points", () => {
  assert.equal(quoted("it's"), '"it\'s"');
  assert.equal(quoted('"\\\n\x00\x7f'), '"\\"\\\\\\n\\u0000\x7f"');
  assert.equal(quoted("é😀\u2028"), '"é😀\u2028"');
  assert.equal(quoted("\ud800"), '"\\ud800"');
  assert.equal(quoted("x".repeat(20)), `"${"x".repeat(20)}"`);
  assert.equal(quoted("x".repeat(21)), `"${"x".repeat(20)}..."`);
  assert.equal(quoted("😀".repeat(20)), `"${"😀".repeat(20)}"`);
  assert.equal(quoted("x" + "😀".repeat(30)), `"x${"😀".repeat(19)}..."`);
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
