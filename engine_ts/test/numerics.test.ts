/**
 * Rounding with integers, the quick steps, and their tables.
 *
 * parity_tests checks the results of all engines against exact values.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { sqrt } from "../src/numerics/elementary.ts";
import { digest } from "../src/canonical.ts";
import * as exact from "../src/numerics/exact.ts";
import { roundToDouble } from "../src/numerics/exact.ts";
import * as quick from "../src/numerics/quick.ts";
import { expPair, logPair, tanhPair } from "../src/numerics/quick.ts";
import type { Pair } from "../src/numerics/quick.ts";
import { cos, sin } from "../src/numerics/wave.ts";
import { units } from "./helpers.ts";
import type { Json } from "./helpers.ts";

fc.configureGlobal({ seed: 1, numRuns: 1_000 });

const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const positive = double.map(Math.abs).filter((x) => x > 0);
const MAX = Number.MAX_VALUE;
const TINIEST = 5e-324;

units("numerics", "rounded", ({ rows }) => {
  for (const [n, e, expected] of rows) {
    const [integer, shift = "0", less = "0"] = n.split(/ << | \+ /);
    const number = (BigInt(integer) << BigInt(shift)) + BigInt(less);
    assert.equal(roundToDouble(number, BigInt(e)), Number(expected), n);
  }
});

test("roundToDouble rounds an integer as JavaScript does", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 1030n), max: 2n ** 1030n }), (n) => {
      assert.equal(roundToDouble(n, 0n), Number(n));
    }),
  );
});

test("a platform's sqrt that is off by an ulp changes no result", (t) => {
  const rest = [1 + 2 ** -52, 1 - 2 ** -53, 4 - 2 ** -51, MAX, 2 ** -1022, TINIEST, 2, 9, 0];
  const operands = [...rest, ...fc.sample(positive, 500)];
  const right = operands.map((x) => exact.power(x, 0.5));
  const honest = Math.sqrt;
  for (const factor of [1 - 2 ** -53, 1 + 2 ** -52]) {
    const lying = t.mock.method(Math, "sqrt", (x: number) => honest(x) * factor);
    assert.deepEqual(operands.map(sqrt), right);
    assert.ok(lying.mock.callCount() > 250);
    lying.mock.restore();
  }
  assert.deepEqual(operands.map(sqrt), right);
});

test("fewer than one root in ten thousand needs the integers", (t) => {
  const integers = t.mock.method(globalThis, "BigInt"); // nothing else calls it
  for (let i = 1; i <= 100_000; i++) sqrt(0.01 + ((i * 0.6180339887498949) % 1) * 10);
  assert.ok(integers.mock.callCount() < 10);
  sqrt(TINIEST);
  assert.ok(integers.mock.callCount() > 0);
});

test("sines of large operands are computed with integers", (t) => {
  const integers = t.mock.method(globalThis, "BigInt"); // nothing else calls it
  const last = (2 ** 15 * Math.PI) / 512;
  for (let i = 1; i <= 200; i++) {
    for (const wave of [sin, cos]) {
      integers.mock.resetCalls();
      wave(last + i * 9);
      assert.ok(integers.mock.callCount() > 0);
    }
  }
});

// The range of operands, and how many of 100,000 may need the integers.
const TYPICAL: [
  name: string,
  pair: (x: number) => Pair,
  low: number,
  high: number,
  most: number,
][] = [
  ["exp", (x) => expPair(x, 0), -5, 5, 30],
  ["log", logPair, 0.9, 1.1, 90],
  ["tanh", tanhPair, 1 / 32, 3, 110],
];

for (const [name, pair, low, high, most] of TYPICAL) {
  test(`fewer than one in nine hundred results needs the integers: ${name}`, () => {
    const needed = (factor: number): number => {
      let count = 0;
      for (let i = 1; i <= 100_000; i++) {
        const x = low + ((i * 0.6180339887498949) % 1) * (high - low);
        const { high: h, low: l, error: e } = pair(x);
        if (h + (l + factor * e) !== h + (l - factor * e)) count += 1;
      }
      return count;
    };
    assert.ok(needed(1) > 0 && needed(1) <= most, String(needed(1)));
    assert.ok(needed(4) > most, String(needed(4))); // the test detects a bound that is too large
  });
}

// Tables

units("numerics", "tables", ({ name, entries, digest: expected }) => {
  quick.fillExp();
  quick.fillLog();
  quick.fillTanh();
  const constants = [quick.LN2_HIGH, quick.LN2_LOW, quick.STEP_HIGH, quick.STEP_LOW, quick.STEPS];
  const tables: Json = { EXP: quick.EXP, LOG: quick.LOG, TANH: quick.TANH, constants };
  assert.equal(tables[name].length, entries);
  assert.equal(digest([...tables[name]]), expected);
});
