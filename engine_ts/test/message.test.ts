import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { Refused } from "../src/line.ts";
import { checkMessage, sequenceOf } from "../src/message.ts";
import type { Json } from "./helpers.ts";

const REQUEST = { expression: "a" };
const RUN = { kind: "run", sequence: 7, command: "introspect", request: REQUEST };
const ONE = "3ff0000000000000";
const LARGEST = 9007199254740991;

function reason(value: Json): string {
  try {
    checkMessage(value);
  } catch (error) {
    assert.ok(error instanceof Refused, String(error));
    return error.message;
  }
  return "nothing was refused";
}

function evaluation(members: object = {}): Json {
  const request = { operation: "exp", operands: [[ONE]], ...members };
  return { ...RUN, command: "evaluate", request };
}

test("the three kinds are read", () => {
  assert.equal(checkMessage({ kind: "start", protocol: "2" }).kind, "start");
  assert.equal(checkMessage({ kind: "stop" }).kind, "stop");
  assert.deepEqual(checkMessage(RUN), { ...RUN, limits: DEFAULT_LIMITS });
  assert.deepEqual(checkMessage(evaluation()).request, evaluation().request);
});

test("limits are read in place of the defaults", () => {
  const { limits } = checkMessage({ ...RUN, limits: { nodes: 0 } });
  assert.deepEqual(limits, { ...DEFAULT_LIMITS, nodes: 0 });
  assert.deepEqual(checkMessage({ ...RUN, limits: {} }).limits, DEFAULT_LIMITS);
});

test("what an unknown command carries is not judged", () => {
  const message = { ...RUN, command: "differentiate", request: 3, more: null };
  const { sequence, command } = checkMessage(message);
  assert.deepEqual([sequence, command], [7, "differentiate"]);
});

test("a refusal names the member and what it must be", () => {
  const whole = `a whole number from 0 to ${LARGEST}`;
  const reasons: [Json, string][] = [
    [[], "a message must be an object, not an array"],
    [{}, 'kind must be "start", "run" or "stop", not null'],
    [{ kind: "x" }, 'kind must be "start", "run" or "stop", not the string "x"'],
    [{ kind: "start" }, "`start` needs the member `protocol`"],
    [{ kind: "start", protocol: 1 }, "protocol must be a string, not a number"],
    [{ kind: "stop", b: 1, a: 1 }, '`stop` has no member "a"'],
    [{ ...RUN, sequence: 0.5 }, `sequence must be ${whole}, not a number`],
    [{ ...RUN, command: null }, "command must be a string, not null"],
    [{ ...RUN, request: [] }, "request must be an object, not an array"],
    [{ ...RUN, limits: null }, "limits must be an object, not null"],
    [{ ...RUN, limits: { node: 1 } }, '`limits` has no member "node"'],
    [{ ...RUN, limits: { nodes: "5" } }, `limits.nodes must be ${whole}, not the string "5"`],
    [evaluation({ operation: null }), "operation must be a string, not null"],
    [evaluation({ view: "folded" }), 'the request of `evaluate` has no member "view"'],
    [{ ...evaluation(), request: {} }, "the request of `evaluate` needs the member `operation`"],
  ];
  for (const [value, expected] of reasons) assert.equal(reason(value), expected);
  assert.match(reason(evaluation({ operands: [[ONE.toUpperCase()]] })), /16 hex digits/);
});

test("a sequence is a whole number that every language has", () => {
  for (const sequence of [null, undefined, true, "7", -1, 0.5, 2 ** 53, Infinity]) {
    assert.equal(sequenceOf({ sequence }), null);
    assert.match(reason({ ...RUN, sequence }), /sequence must be/);
  }
});

test("a sequence is found in what is no message", () => {
  assert.equal(sequenceOf({ sequence: 7 }), 7);
  assert.ok(Object.is(sequenceOf({ sequence: -0 }), 0));
  assert.equal(sequenceOf({ sequence: LARGEST }), LARGEST);
  for (const value of [{}, [], null, "sequence"]) assert.equal(sequenceOf(value), null);
});
