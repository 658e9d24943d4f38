import assert from "node:assert/strict";
import { test } from "node:test";
import { expFixed, ln2, twiceAtanh } from "../src/numerics/exact.ts";
import * as tables from "../src/numerics/quick.ts";

/** Bits after the point: more than the tables are made with. */
const Q = 512n;
const ONE = 1n << Q;

const TABLES = { exp: tables.EXP, log: tables.LOG, tanh: tables.TANH };
tables.fillExp();
tables.fillLog();
tables.fillTanh();

/** A double exactly, with Q bits after the point. */
function fixed(x: number): bigint {
  const scale = 200; // no entry needs more
  return BigInt(x * 2 ** scale) << (Q - BigInt(scale));
}

/** e**(n / 2**Q) with Q bits after the point. */
function exp(n: bigint): bigint {
  const [power, k] = expFixed(n, Q);
  return k >= 0n ? power << k : power >> -k;
}

/** The value that a pair of a table stands for: the table, its index in the table, its values. */
function* pairs(): Generator<[table: Float64Array, index: number, bits: number, value: bigint]> {
  for (let j = 0; j < 256; j++) yield [TABLES.exp, 2 * j, 25, exp((BigInt(j) * ln2(Q)) / 256n)];
  for (let j = 0; j < 513; j++) {
    const r = BigInt(TABLES.log[3 * j]! * 4096);
    const ln = twiceAtanh(r - 4096n, r + 4096n, Q);
    yield [TABLES.log, 3 * j + 1, 42, -ln];
    const power = exp((BigInt(j) * ONE) / 64n);
    const t = ((power - ONE) << Q) / (power + ONE);
    yield [TABLES.tanh, 4 * j, 53, t];
    yield [TABLES.tanh, 4 * j + 2, 26, ONE - ((t * t) >> Q)];
  }
}

/** True where high + low is the value to the last bit of the low half, which is 2**-78 or less. */
function isRight(high: number, low: number, value: bigint): boolean {
  const off = value - fixed(high) - fixed(low);
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

test("an entry that is a little off is noticed", () => {
  for (const [table, index, , value] of pairs()) {
    for (const off of [2 ** -53, -(2 ** -60)]) {
      assert.ok(!isRight(table[index]!, table[index + 1]! + off, value));
    }
  }
});

test("the factors of the logarithm are short and near their inverses", () => {
  for (let j = 512; j <= 1024; j++) {
    const r = TABLES.log[3 * (j - 512)]!;
    assert.ok(Number.isInteger(r * 4096));
    assert.ok(Math.abs(r - 1024 / j) <= 2 ** -13);
  }
});

test("the constants are the logarithm of 2 in two parts", () => {
  assert.ok(isRight(tables.LN2_HIGH, tables.LN2_LOW, ln2(Q)));
  assert.ok(isRight(tables.STEP_HIGH, tables.STEP_LOW, ln2(Q) / 256n));
  assert.ok(Math.abs(tables.STEPS - 256 / Math.LN2) < 2 ** -43);
});
