import assert from "node:assert/strict";
import { test } from "node:test";
import type { GradientError } from "../src/errors.ts";
import * as syntax from "../src/syntax.ts";
import type { Token } from "../src/tokens.ts";

type Teller = (token: Token) => GradientError;

function token(kind: string, text: string, start: number, end: number): Token {
  return { kind, text, start, end };
}

const BEFORE = token("name", "a", 0, 1);
const TELLERS: Teller[] = [
  syntax.operandExpected,
  (found) => syntax.operatorExpected(found, BEFORE),
  (found) => syntax.unclosed(found, BEFORE),
  syntax.unopened,
  syntax.notTheLast,
];

test("an error points at the token", () => {
  for (const tell of [...TELLERS, syntax.exponentExpected]) {
    assert.deepEqual(tell(token("name", "abc", 4, 7)).span, { start: 4, end: 7 });
  }
});

test("a token is unexpected and so is the end", () => {
  for (const tell of TELLERS) {
    assert.equal(tell(token("*", "*", 4, 5)).code, "unexpected_token");
    assert.equal(tell(token("end", "", 4, 4)).code, "unexpected_end");
  }
});

test("what could begin an operand is an exponent that is no literal", () => {
  for (const kind of ["name", "number", "(", "-", "+", "**"]) {
    assert.equal(syntax.exponentExpected(token(kind, "x", 4, 5)).code, "exponent_not_literal");
  }
  for (const kind of [")", "*", "/", "=", ",", ";"]) {
    assert.equal(syntax.exponentExpected(token(kind, kind, 4, 5)).code, "unexpected_token");
  }
  assert.equal(syntax.exponentExpected(token("end", "", 4, 4)).code, "unexpected_end");
});

test("a message names the token and the place", () => {
  for (const tell of TELLERS) {
    const { message } = tell(token("name", "xyz", 42, 45));
    assert.match(message, /`xyz`/);
    assert.match(message, /offset 42/);
    assert.match(tell(token("end", "", 42, 42)).message, /the end of the text/);
  }
});

test("a message says what to do", () => {
  const two = token("number", "2", 4, 5);
  const multiply = syntax.operatorExpected(two, token("number", "3", 2, 3));
  assert.match(multiply.message, /put `\*` between `3` and `2`/);
  const call = syntax.operatorExpected(two, token("name", "exp", 0, 3));
  assert.match(call.message, /write `exp\(2\)`/);
  assert.match(syntax.operatorExpected(token("=", "=", 2, 3), BEFORE).message, /`=` binds/);
  assert.match(syntax.operatorExpected(token(",", ",", 2, 3), BEFORE).message, /comma/);
  const open = syntax.unclosed(token("end", "", 9, 9), token("(", "(", 7, 8));
  assert.match(open.message, /offset 7/);
  assert.match(syntax.notTheLast(two).message, /write `name = \.\.\.`/);
  assert.match(syntax.exponentExpected(BEFORE).message, /differentiates only its base/);
});

test("the span of a token is its start and end", () => {
  assert.deepEqual(syntax.spanOf(token("name", "bcd", 4, 7)), { start: 4, end: 7 });
});
