import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { refusal } from "./helpers.ts";

test("the defaults are those of the contract", () => {
  assert.deepEqual(DEFAULT_LIMITS, { characters: 65_536, variables: 1_000, nodes: 10_000 });
});

test("the limits that are not named keep their defaults", () => {
  const limits = { nodes: 2 };
  assert.equal(introspect(" ".repeat(65_535) + "1", {}, { limits }).result, 1);
  const error = refusal(() => introspect(" ".repeat(65_536) + "1", {}, { limits }));
  assert.equal(error.limit, 65_536);
  const values = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`v${index}`, 1]));
  assert.equal(refusal(() => introspect("1", values, { limits })).limit, 1_000);
  assert.equal(refusal(() => introspect("1 + 1", {}, { limits })).limit, 2);
});
