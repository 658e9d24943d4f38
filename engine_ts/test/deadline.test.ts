/** A deadline ends a computation at its next check. The clocks in these tests are counters. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { KNOWN } from "../src/accuracy/ball.ts";
import { ballProgram, LEVELS, Truth } from "../src/accuracy/truth.ts";
import { NEVER } from "../src/deadline.ts";
import { GradientError } from "../src/errors.ts";
import { Deadline, DeadlineExceeded, descend, Descending, hessian } from "../src/index.ts";
import { introspect, introspectValue, prepare, rewrite, Value } from "../src/index.ts";
import { LAB } from "../src/lab/commands.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { ask, units } from "./helpers.ts";

type Compute = (deadline: Deadline) => unknown;

/** 1,000 nodes, of which 999 are operations. */
const LONG = new Array(500).fill("sin(x)").join("+");
const NAMES = Array.from({ length: 200 }, (_, index) => `a${index}`);
const OF_SUMS = Object.fromEntries(NAMES.map((name) => [name, 0.5]));
/** Equal numbers, which need the highest precision to compare. */
const EQUAL = new Array(10).fill("max(exp(log(x)), x)").join("+");
const LONG_DOCUMENT = introspect(LONG, { x: 1 });
const POINTS = { from: 1e5, to: 2e5, count: 2_000 };
const SQUARES = new Array(100).fill("(w * x - y) ** 2").join("+");
const AT = { w: 1, x: 1, y: 1 };
const DESCENT = {
  parameters: ["w"],
  rows: Array.from({ length: 100 }, (_, x) => ({ x, y: 1 })),
};

/** Return a deadline that passes after `checks` checks. */
function after(checks: number): Deadline {
  let ticks = 0;
  return new Deadline(checks, () => ticks++);
}

/** Count the checks of a computation whose deadline never passes. */
function checksOf(compute: Compute): number {
  let ticks = -1;
  compute(new Deadline(Infinity, () => ticks++));
  return ticks;
}

/** Return the error of a long program; to find its place, the engine repeats the pass. */
function failing(deadline: Deadline): string {
  try {
    introspect(`${LONG} + log(0 * x)`, { x: 1 }, { deadline });
  } catch (error) {
    if (error instanceof GradientError) return error.code;
    throw error;
  }
  return "";
}

function longValue(): Value {
  const x = new Value(1, "x");
  let total = x;
  for (let each = 0; each < 500; each++) total = total.mul(x);
  return total;
}

/** Computations too long for a table in JSON, with the least number of deadline checks of each. */
const INTERRUPTED: Readonly<Record<string, readonly [least: number, compute: Compute]>> = {
  "a rewrite": [
    12,
    (deadline) => rewrite(`2x${"+tan(x)".repeat(500)}`, null, DEFAULT_LIMITS, deadline),
  ],
  "a pass that fails": [8, failing],
  "a pass over Values": [2, (deadline) => introspectValue(longValue(), { deadline })],
  "one point": [4, (deadline) => prepare(LONG).gradients({ x: 1 }, { deadline })],
  "a function of many points": [
    7,
    (deadline) => prepare("sin(x)").columns({ x: POINTS }, undefined, { deadline }),
  ],
  "a column": [
    10,
    (deadline) => prepare("x").sweep({ x: new Array(20_000).fill(1) }, { deadline }),
  ],
  "one step over many rows": [
    300,
    (deadline) => descend(SQUARES, AT, { ...DESCENT, steps: 0, deadline }),
  ],
  "many directions": [1400, (deadline) => hessian(NAMES.join("+"), OF_SUMS, { deadline })],
};

test("DeadlineExceeded has the seconds of its deadline", () => {
  const deadline = after(2);
  deadline.check();
  deadline.check();
  assert.throws(
    () => deadline.check(),
    (error) => {
      assert.ok(error instanceof DeadlineExceeded);
      assert.ok(!(error instanceof GradientError));
      assert.equal(error.name, "DeadlineExceeded");
      assert.match(error.message, /more than 2 s/);
      return error.seconds === 2;
    },
  );
});

test("`over` checks the deadline once per group of items", () => {
  const items = [...new Array(100).keys()];
  const seen: number[] = [];
  assert.throws(() => {
    for (const item of after(2).over(items, 10)) seen.push(item);
  }, DeadlineExceeded);
  assert.deepEqual(seen, items.slice(0, 20));
  assert.equal(
    checksOf((deadline) => [...deadline.over(items, 10)]),
    10,
  );
  assert.equal(
    checksOf((deadline) => [...deadline.over(items, 100)]),
    0,
  );
  assert.deepEqual([...after(10).over(items, 10)], items);
});

test("a subclass of Deadline can stop a computation for its own reason", () => {
  class Stopped extends Error {}
  class Flag extends Deadline {
    isSet = false;

    override check(): void {
      if (this.isSet) throw new Stopped();
    }
  }

  const flag = new Flag(Infinity);
  introspect(LONG, { x: 1 }, { deadline: flag });
  flag.isSet = true;
  assert.throws(() => introspect(LONG, { x: 1 }, { deadline: flag }), Stopped);
});

/** Interrupt a computation at its first check, in the middle and at the last one. */
function assertInterrupted(least: number, compute: Compute): void {
  const checks = checksOf(compute);
  assert.ok(checks >= least, `${checks} checks`);
  for (const passed of [0, Math.floor(checks / 2), checks - 1]) {
    assert.throws(() => compute(after(passed)), DeadlineExceeded);
  }
  assert.deepEqual(compute(after(checks)), compute(NEVER));
}

for (const [name, [least, compute]] of Object.entries(INTERRUPTED)) {
  test(`a deadline interrupts ${name}`, () => assertInterrupted(least, compute));
}

units("deadline", "interrupted", ({ least, ...row }) => {
  const text = row.text ?? (row.sum && new Array(row.count).fill(row.sum).join("+"));
  assertInterrupted(least, (deadline) => ask(row, text ?? LONG_DOCUMENT, { deadline }));
});

test("a command of the lab takes a deadline", () => {
  const document = prepare(LONG).introspect({ x: 1 }, { parameters: ["x"] });
  for (const { run } of LAB.values()) {
    assert.throws(
      () => run(document, undefined, { node: "x", deadline: after(0) }),
      DeadlineExceeded,
    );
  }
});

test("a descent that is interrupted keeps its points and ends", () => {
  const descending = (deadline: Deadline, steps: number) =>
    new Descending("(w * x - y) ** 2", AT, { ...DESCENT, steps, deadline });
  const before = checksOf((deadline) => [...descending(deadline, 0)]);
  const within = checksOf((deadline) => [...descending(deadline, 1)]) - before;
  assert.ok(within >= 2);
  const stopped = descending(after(before + within - 1), 1);
  assert.deepEqual(stopped.next(), descending(NEVER, 1).next());
  assert.throws(() => stopped.next(), DeadlineExceeded);
  assert.deepEqual([...stopped], []);
  assert.equal(stopped.fault, null);
});

test("cached exact values stay complete after an interruption", () => {
  const values = new Map([["x", 3.3]]);
  const program = ballProgram(introspect(EQUAL, { x: 3.3 }), values);
  let remaining = 20;
  const deadline = new (class extends Deadline {
    override check(): void {
      if (remaining-- === 0) throw new DeadlineExceeded(0);
    }
  })(0);
  const truth = new Truth(program, undefined, deadline);
  assert.throws(() => truth.at(KNOWN), DeadlineExceeded);
  const whole = new Truth(program);
  for (const p of LEVELS.filter((bits) => bits <= KNOWN)) {
    assert.deepEqual(truth.at(p).data, whole.at(p).data);
    assert.deepEqual(truth.at(p).grads, whole.at(p).grads);
  }
});
