/**
 * Rounding by integers, the quick steps, and their tables.
 *
 * That every result is right is tested in parity_tests, for all engines alike.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { exp, log, power, sqrt, tanh } from "../src/numerics/elementary.ts";
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

test("an integer is rounded as the language rounds it", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 1030n), max: 2n ** 1030n }), (n) => {
      assert.equal(roundToDouble(n, 0n), Number(n));
    }),
  );
});

test("a double is its own rounding", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: -1_074, max: 900 }), (n, e) => {
      if (n === 0) return;
      const exact = n * 2 ** Math.max(e, -1_000) * 2 ** Math.min(e + 1_000, 0);
      if (Math.abs(exact) >= 2 ** -1022) assert.equal(roundToDouble(BigInt(n), BigInt(e)), exact);
    }),
  );
});

test("the quick steps give the integers' results", () => {
  const near = fc.double({ min: -750, max: 750, noNaN: true });
  fc.assert(
    fc.property(fc.oneof(double, near), fc.oneof(double, near), (x, c) => {
      const size = Math.abs(x) || 1;
      for (const y of [x, x / 64]) {
        assert.equal(exp(y), exact.exp(y));
        assert.equal(tanh(y), exact.tanh(y));
      }
      for (const y of [size, 1 + size / 2 ** 20]) {
        assert.equal(log(y), exact.log(y));
        for (const exponent of [c, c / 64, 0.5, 3, 4]) {
          assert.equal(power(y, exponent), exact.power(y, exponent));
        }
      }
    }),
  );
  assert.equal(power(1, -MAX), 1);
  assert.equal(power(1 + 2 ** -52, 2 ** 61), exact.power(1 + 2 ** -52, 2 ** 61));
});

test("a platform whose root is off by an ulp changes no result", (t) => {
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

test("the integers are asked for less than one root in ten thousand", (t) => {
  const read = t.mock.method(DataView.prototype, "getBigUint64"); // with which they begin
  for (let i = 1; i <= 100_000; i++) sqrt(0.01 + ((i * 0.6180339887498949) % 1) * 10);
  assert.ok(read.mock.callCount() < 10);
  sqrt(TINIEST);
  assert.ok(read.mock.callCount() > 0);
});

test("sines are left to the integers where steps would have more than 15 bits", (t) => {
  const read = t.mock.method(DataView.prototype, "getBigUint64"); // with which they begin
  const last = (2 ** 15 * Math.PI) / 512;
  for (let i = 1; i <= 200; i++) for (const wave of [sin, cos]) wave(last + i * 9);
  assert.ok(read.mock.callCount() >= 400);
});

// How to draw an operand, and how many of 100,000 may be undecided.
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
  test(`the integers are asked less than once in nine hundred times: ${name}`, () => {
    const asked = (factor: number): number => {
      let count = 0;
      for (let i = 1; i <= 100_000; i++) {
        const x = low + ((i * 0.6180339887498949) % 1) * (high - low);
        const { high: h, low: l, error: e } = pair(x);
        if (h + (l + factor * e) !== h + (l - factor * e)) count += 1;
      }
      return count;
    };
    assert.ok(asked(1) > 0 && asked(1) <= most, String(asked(1)));
    assert.ok(asked(4) > most, String(asked(4))); // a bound that is too large is noticed
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
