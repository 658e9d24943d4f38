/**
 * Rounding by integers, the quick steps, and their tables.
 *
 * That every result is right is tested in parity_tests, for all engines alike.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { exp, log, power, sqrt, tanh } from "../src/numerics/elementary.ts";
import * as exact from "../src/numerics/exact.ts";
import { expFixed, ln2, roundToDouble, twiceAtanh } from "../src/numerics/exact.ts";
import * as quick from "../src/numerics/quick.ts";
import { expPair, logPair, tanhPair } from "../src/numerics/quick.ts";
import type { Pair } from "../src/numerics/quick.ts";
import { cos, sin } from "../src/numerics/wave.ts";

fc.configureGlobal({ seed: 1, numRuns: 1_000 });

const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const positive = double.map(Math.abs).filter((x) => x > 0);
const MAX = Number.MAX_VALUE;
const TINIEST = 5e-324;

test("ties round to the even neighbour", () => {
  assert.equal(roundToDouble(2n ** 53n + 1n, 0n), 2 ** 53);
  assert.equal(roundToDouble(2n ** 53n + 3n, 0n), 2 ** 53 + 4);
  assert.equal(roundToDouble(-(2n ** 53n) - 1n, 0n), -(2 ** 53));
  assert.equal(roundToDouble(-(2n ** 53n) - 3n, 0n), -(2 ** 53) - 4);
});

test("the last of many bits breaks a tie", () => {
  const tie = 2n ** 53n + 1n;
  assert.equal(roundToDouble((tie << 900n) + 1n, -900n), 2 ** 53 + 2);
  assert.equal(roundToDouble((tie << 900n) - 1n, -900n), 2 ** 53);
});

test("subnormal numbers lose bits gradually", () => {
  assert.equal(roundToDouble(1n, -1074n), TINIEST);
  assert.equal(roundToDouble(3n, -1074n), 3 * TINIEST);
  assert.equal(roundToDouble(1n, -1075n), 0); // the tie between 0 and the smallest
  assert.equal(roundToDouble(3n, -1075n), 2 * TINIEST); // the tie between one and two
  assert.equal(roundToDouble(5n, -1075n), 2 * TINIEST);
  assert.equal(roundToDouble((1n << 60n) + 1n, -1135n), TINIEST);
  assert.equal(roundToDouble(3n, -1077n), 0);
  assert.equal(roundToDouble(2n ** 53n - 1n, -1075n), 2 ** -1022); // a tie, up into the normals
  assert.equal(roundToDouble(1n, -5_000n), 0);
});

test("what rounds beyond the largest double is infinite", () => {
  assert.equal(roundToDouble(2n ** 53n - 1n, 971n), MAX);
  assert.equal(roundToDouble(2n ** 55n - 3n, 969n), MAX);
  assert.equal(roundToDouble(2n ** 54n - 1n, 970n), Infinity); // half a step above the largest
  assert.equal(roundToDouble(1n, 1023n), 2 ** 1023);
  assert.equal(roundToDouble(1n, 1024n), Infinity);
  assert.equal(roundToDouble(-1n, 1024n), -Infinity);
  assert.equal(roundToDouble(1n, 5_000n), Infinity);
  assert.equal(roundToDouble(1n << 5_000n, -5_000n), 1);
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

/** Bits after the point: more than the tables are made with. */
const Q = 512n;
const ONE = 1n << Q;

const TABLES = { exp: quick.EXP, log: quick.LOG, tanh: quick.TANH };
quick.fillExp();
quick.fillLog();
quick.fillTanh();

/** A double exactly, with Q bits after the point. */
function fixedOf(x: number): bigint {
  const scale = 200; // no entry needs more
  return BigInt(x * 2 ** scale) << (Q - BigInt(scale));
}

/** e**(n / 2**Q) with Q bits after the point. */
function expOf(n: bigint): bigint {
  const [power, k] = expFixed(n, Q);
  return k >= 0n ? power << k : power >> -k;
}

/** The value that a pair of a table stands for: the table, its index in the table, its values. */
function* pairs(): Generator<[table: Float64Array, index: number, bits: number, value: bigint]> {
  for (let j = 0; j < 256; j++) yield [TABLES.exp, 2 * j, 25, expOf((BigInt(j) * ln2(Q)) / 256n)];
  for (let j = 0; j < 513; j++) {
    const r = BigInt(TABLES.log[3 * j]! * 4096);
    const ln = twiceAtanh(r - 4096n, r + 4096n, Q);
    yield [TABLES.log, 3 * j + 1, 42, -ln];
    const power = expOf((BigInt(j) * ONE) / 64n);
    const t = ((power - ONE) << Q) / (power + ONE);
    yield [TABLES.tanh, 4 * j, 53, t];
    yield [TABLES.tanh, 4 * j + 2, 26, ONE - ((t * t) >> Q)];
  }
}

/** True where high + low is the value to the last bit of the low half, which is 2**-78 or less. */
function isRight(high: number, low: number, value: bigint): boolean {
  const off = value - fixedOf(high) - fixedOf(low);
  return (off < 0n ? -off : off) < 1n << (Q - 79n);
}

test("every entry is its value to the last bit of the low half", () => {
  let count = 0;
  for (const [table, index, bits, value] of pairs()) {
    const [high, low] = [table[index]!, table[index + 1]!];
    assert.ok(isRight(high, low, value), `${index}: ${high} + ${low}`);
    assert.ok(Number.isInteger(high * 2 ** bits));
    count += 1;
  }
  assert.equal(count, 256 + 3 * 513);
});

test("the factors of the logarithm are short and near their inverses", () => {
  for (let j = 512; j <= 1024; j++) {
    const r = TABLES.log[3 * (j - 512)]!;
    assert.ok(Number.isInteger(r * 4096));
    assert.ok(Math.abs(r - 1024 / j) <= 2 ** -13);
  }
});

test("the constants are the logarithm of 2 in two parts", () => {
  assert.ok(isRight(quick.LN2_HIGH, quick.LN2_LOW, ln2(Q)));
  assert.ok(isRight(quick.STEP_HIGH, quick.STEP_LOW, ln2(Q) / 256n));
  assert.ok(Math.abs(quick.STEPS - 256 / Math.LN2) < 2 ** -43);
});
