/** What a grid's points are, from the decimal digits that people write. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { grid } from "../src/sweeps/grid.ts";

test("a grid of hundredths has the numbers that people write", () => {
  const written = Array.from({ length: 401 }, (_, i) => Number(((i - 200) / 100).toFixed(2)) + 0);
  assert.deepEqual(grid(-2, 2, 401), written);
  assert.deepEqual(grid(2, -2, 401), written.toReversed());
});

test("a point just off a tie is not taken for one", () => {
  // 1 + 2 ** -53 is a tie, which goes to 1; the third point of four is above it by a third.
  const next = 1 + Number.EPSILON;
  assert.deepEqual(grid(1, next, 3), [1, 1, next]);
  assert.deepEqual(grid(1, next, 4), [1, 1, next, next]);
});

test("the ends are exact, and their distance need not be a double", () => {
  const most = Number.MAX_VALUE;
  assert.deepEqual(grid(-most, most, 3), [-most, 0, most]);
  assert.deepEqual(grid(0.1, 5e-324, 2), [0.1, 5e-324]);
  assert.deepEqual(grid(-0, -0, 1), [0]);
});
