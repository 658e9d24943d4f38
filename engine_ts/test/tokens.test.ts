import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenize } from "../src/tokens.ts";
import { assertRefusal, refusal } from "./helpers.ts";

type Piece = [kind: string, text: string, start: number, end: number];

function pieces(text: string): Piece[] {
  return tokenize(text).map(({ kind, text, start, end }) => [kind, text, start, end]);
}

/** All but the end. */
function kinds(text: string): string[] {
  return tokenize(text)
    .map((token) => token.kind)
    .slice(0, -1);
}

test("a token knows its kind its text and its place", () => {
  assert.deepEqual(pieces("x1 = -(a_b+2.5e-3)**2, _;"), [
    ["name", "x1", 0, 2],
    ["=", "=", 3, 4],
    ["-", "-", 5, 6],
    ["(", "(", 6, 7],
    ["name", "a_b", 7, 10],
    ["+", "+", 10, 11],
    ["number", "2.5e-3", 11, 17],
    [")", ")", 17, 18],
    ["**", "**", 18, 20],
    ["number", "2", 20, 21],
    [",", ",", 21, 22],
    ["name", "_", 23, 24],
    [";", ";", 24, 25],
    ["end", "", 25, 25],
  ]);
  assert.deepEqual(pieces("a/b*c").slice(1, 4), [
    ["/", "/", 1, 2],
    ["name", "b", 2, 3],
    ["*", "*", 3, 4],
  ]);
});

test("the end stands behind the last character", () => {
  assert.deepEqual(pieces(""), [["end", "", 0, 0]]);
  assert.deepEqual(pieces("a  ").at(-1), ["end", "", 3, 3]);
  assert.deepEqual(pieces("a\n").at(-1), ["end", "", 2, 2]);
});

test("a number has digits and may have a fraction and an exponent", () => {
  for (const number of "2 007 2.5 .5 2. 1e3 1E+3 2.5e-3 2.e3 .5e0".split(" ")) {
    assert.deepEqual(pieces(number).slice(0, -1), [["number", number, 0, number.length]]);
  }
});

test("a number ends where no number goes on", () => {
  const cases = {
    "1e": "1 e",
    "1e+": "1 e +",
    "2x": "2 x",
    "1..2": "1. .2",
    "1.2.3": "1.2 .3",
    "1_000": "1 _000",
    "0x1F": "0 x1F",
    "1e5e2": "1e5 e2",
  };
  for (const [text, expected] of Object.entries(cases)) {
    const found = tokenize(text).map((token) => token.text);
    assert.deepEqual(found.slice(0, -1), expected.split(" "));
  }
});

test("two stars are one token", () => {
  assert.deepEqual(kinds("a***b"), ["name", "**", "*", "name"]);
  assert.deepEqual(kinds("a* *b"), ["name", "*", "*", "name"]);
});

test("space tab and carriage return separate", () => {
  assert.deepEqual(kinds("a b\tc\rd"), ["name", "name", "name", "name"]);
  assert.deepEqual(kinds(" \t\r "), []);
});

test("a newline behind an operand separates statements", () => {
  assert.deepEqual(pieces("a\nb")[1], [";", "\n", 1, 2]);
  for (const operand of ["a", "2", "(a)", "a \t", "a\r"]) {
    assert.deepEqual(kinds(operand + "\n b"), [...kinds(operand), ";", "name"]);
  }
  assert.deepEqual(kinds("a\n\n\nb\n"), ["name", ";", "name", ";"]);
});

test("a newline where an operand is missing is a blank", () => {
  assert.deepEqual(kinds("\n\na"), ["name"]);
  for (const before of ["a +", "a -", "a *", "a /", "a **", "a =", "a;", "a,"]) {
    assert.deepEqual(kinds(before + "\n2"), [...kinds(before), "number"]);
  }
});

test("a newline inside parentheses is a blank", () => {
  assert.deepEqual(kinds("(a\n)"), ["(", "name", ")"]);
  assert.deepEqual(kinds("((a)\n+ b\n)\nc"), [...kinds("((a) + b)"), ";", "name"]);
  assert.deepEqual(kinds("a)\nb"), ["name", ")", ";", "name"]);
});

test("another character is refused where it stands", () => {
  for (const character of "^é×÷−·[]{}!?&|<>%#@$~`'\"\\:.😀\0\f\v\u00a0\u2028\ufeff٣ａ") {
    assertRefusal({ code: "unexpected_character", span: { start: 4, end: 5 } }, () =>
      tokenize(`a + ${character} b`),
    );
  }
  assert.deepEqual(refusal(() => tokenize("é")).span, { start: 0, end: 1 });
  assert.deepEqual(refusal(() => tokenize("a é 😀")).span, { start: 2, end: 3 });
});

test("a carriage return is no newline", () => {
  assert.deepEqual(kinds("a\r\nb"), ["name", ";", "name"]);
  assert.deepEqual(kinds("a\rb"), ["name", "name"]);
});
