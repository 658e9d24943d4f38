/** Gradients by paths, counted and multiplied by hand. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import { paths } from "../src/lab/paths.ts";
import { assertRefusal, units } from "./helpers.ts";

const DIAMOND = introspect("b = a + 1; c = a * 3; d = b * c", { a: 2 });

/** x + x, so often: 2 ** times paths, each with the product 1. */
function doubling(times: number): string {
  const lines = Array.from(
    { length: times },
    (_, place) => `n${place + 1} = n${place} + n${place}`,
  );
  return ["n0 = x", ...lines].join("\n");
}

test("a gradient is the sum of its paths", () => {
  // 15 = 6 by b + 9 by c: d-b is c's data 6, times 1; d-c is b's data 3, times 3.
  assert.deepEqual(paths(DIAMOND, "a"), {
    document: DIAMOND,
    node: 0,
    gradient: 15,
    count: "2",
    paths: [
      { edges: [4, 0], product: 6 },
      { edges: [5, 2], product: 9 },
    ],
    sum: 15,
  });
});

test("an operand that is an operation has paths by id and label", () => {
  const result = paths(DIAMOND, 4);
  assert.deepEqual(result, paths(DIAMOND, "c"));
  assert.deepEqual([result.gradient, result.paths], [3, [{ edges: [5], product: 3 }]]);
});

test("all paths are counted and the first are listed", () => {
  const result = paths(introspect(doubling(60), { x: 1 }), "x", { most: 3 });
  assert.deepEqual([result.count, result.sum], ["1152921504606846976", null]); // 2 ** 60
  const [first, second, third] = result.paths.map(({ edges }) => edges);
  // The edges of the operation n are 2 n and 2 n + 1, from the root down.
  assert.deepEqual(
    first,
    Array.from({ length: 60 }, (_, place) => 118 - 2 * place),
  );
  assert.deepEqual(second, [...first!.slice(0, -1), 1]);
  assert.deepEqual(third, [...first!.slice(0, -2), 3, 0]);
});

test("the count is exact beyond 4300 digits", () => {
  // Halved each time, so that the gradient stays 1.
  const text = doubling(15_000)
    .replaceAll(" = n", " = 0.5 * (n")
    .replaceAll("\n", ")\n")
    .replace("x)", "x");
  const limits = { characters: 10 ** 6, nodes: 50_000 };
  const result = paths(introspect(`${text})`, { x: 0 }, { limits }), "x", { most: 0 });
  assert.equal(BigInt(result.count), 2n ** 15_000n);
  assert.deepEqual([result.gradient, result.paths, result.sum], [1, [], null]);
});

units("paths", "refused", ({ node, most, pointer }) => {
  const expected = { code: "invalid_request", span: null, pointer };
  assertRefusal(expected, () => paths(DIAMOND, node, { most }));
});
