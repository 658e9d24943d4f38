import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { checkMessage, Refused } from "../src/protocol/message.ts";
import { units } from "./helpers.ts";
import type { Json } from "./helpers.ts";

const REQUEST = { expression: "a" };
const RUN = { kind: "run", sequence: 7, command: "introspect", request: REQUEST };
const ONE = "3ff0000000000000";

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

test("what an unknown command carries is not judged", () => {
  const message = { ...RUN, command: "differentiate", request: 3, more: null };
  const { sequence, command } = checkMessage(message);
  assert.deepEqual([sequence, command], [7, "differentiate"]);
});

test("limits are read in place of the defaults", () => {
  const { limits } = checkMessage({ ...RUN, limits: { nodes: 0 } });
  assert.deepEqual(limits, { ...DEFAULT_LIMITS, nodes: 0 });
  assert.deepEqual(checkMessage({ ...RUN, limits: {} }).limits, DEFAULT_LIMITS);
});

units("message", "refused", ({ rows }) => {
  for (const [wrong, expected] of rows) {
    const { run, evaluate } = wrong;
    const message = run ? { ...RUN, ...run } : evaluate ? evaluation(evaluate) : wrong;
    assert.ok(reason(message).includes(expected), reason(message));
  }
});
