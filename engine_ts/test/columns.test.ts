/** A sweep by columns is bit-identical to computing each point alone. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { NEVER } from "../src/deadline.ts";
import { OPERATIONS, prepare } from "../src/index.ts";
import { columnRule } from "../src/sweeps/columns.ts";

const MANY = { limits: { sweep_nodes: 10_000_000 } };

/** Numbers of every size and sign, mostly from -4 to 4. */
function drawn(count: number, seed: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => {
    const u = (((i + 1) * 0.6180339887498949 + seed * 0.7548776662466927) % 1) * 8 - 4;
    return i % 7 === 0 ? u * 2 ** ((i % 600) - 300) : i % 31 === 0 ? 0 : u;
  });
}

const PROGRAMS = [
  "sin(exp(x * 300)) + cos(y / w)",
  "softplus(x * exp(y * 300)) + sigmoid(x * w * 300)",
  "tanh(x * w) + log(y)",
  "x ** -0.5 / (y - w)",
  "z = exp(x * 30); z * relu(y) - w",
  "-x ** 3 + y ** 1.7 - w ** 0 * x ** 1",
  "2 * 3 + exp(1)",
  "x",
];

for (const view of ["folded", "primitive"] as const) {
  for (const expression of PROGRAMS) {
    test(`a point of a block is bit-identical to the point alone: ${expression}, ${view}`, () => {
      const program = prepare(expression, { view, ...MANY });
      const values = { x: drawn(6_000, 1), y: drawn(6_000, 2), w: { from: -1, to: 1, count: 3 } };
      const made = program.columns(values);
      const problems = new Map(made.problems.map(([index, error]) => [index, error.toJSON()]));
      assert.equal(made.results.length, 18_000); // more than one block
      for (let index = 0; index < 18_000; index += 509) {
        const { x, y } = values;
        const row = Math.floor(index / 3);
        const one = { x: [x[row]!], y: [y[row]!], w: (index % 3) - 1 };
        const alone = prepare(expression, { view }).sweep(one);
        const [error] = alone.problems;
        assert.deepEqual(problems.get(index), error?.error);
        if (error !== undefined) assert.ok(Number.isNaN(made.results[index]));
        else assert.equal(made.results[index], alone.results[0]);
        for (const [name, [gradient]] of Object.entries(alone.gradients)) {
          assert.equal(made.gradients[name]![index], gradient ?? NaN);
        }
      }
    });
  }
}

test("columns returns the numbers of a sweep as arrays", () => {
  const program = prepare("log(x) * w");
  const x = Float64Array.of(1, -1, 0.5, -0, 3);
  const made = program.columns({ x, w: [2, 3, -4, 5, 0] });
  const listed = program.sweep({ x, w: [2, 3, -4, 5, 0] });
  const plain = (numbers: Float64Array) => [...numbers].map((n) => (Number.isNaN(n) ? null : n));
  assert.deepEqual(plain(made.results), listed.results);
  assert.deepEqual(plain(made.gradients["x"]!), listed.gradients["x"]);
  assert.deepEqual(plain(made.gradients["w"]!), listed.gradients["w"]);
  const problems = made.problems.map(([index, error]) => ({ index, error: error.toJSON() }));
  assert.deepEqual(problems, listed.problems);
  assert.deepEqual(listed.axes[0]!["x"], [1, -1, 0.5, 0, 3]);
});

test("ranges of points add up to the whole sweep", () => {
  const program = prepare("x / w + tanh(x)", MANY);
  const grid = (to: number, count: number) => ({ from: -to, to, count });
  const values = { x: grid(2, 300), w: grid(1, 61) };
  const whole = program.columns(values);
  const parts = [0, 6_100, 12_200].map((first) => program.columns(values, [first, first + 6_100]));
  const joined = parts.flatMap((part) => [...part.gradients["w"]!]);
  assert.deepEqual(joined, [...whole.gradients["w"]!]);
  const failed = parts.flatMap(({ problems }) => problems.map(([index]) => index));
  assert.deepEqual(
    failed,
    Array.from({ length: 300 }, (_, i) => 30 * 300 + i),
  );
});

test("a range beyond the points is rejected", () => {
  const program = prepare("x");
  assert.equal(program.columns({ x: [1, 2, 3] }, [1, 1]).results.length, 0);
  for (const [first, last] of [
    [0, 4],
    [-1, 2],
    [2, 1],
    [0, 1.5],
  ] as const) {
    // prettier-ignore
    assert.throws(() => program.columns({ x: [1, 2, 3] }, [first, last]), RangeError);
  }
});

test("the message about an invalid number names its index", () => {
  const program = prepare("x");
  assert.throws(() => program.columns({ x: Float64Array.of(1, Infinity) }), /number at index 1/);
  assert.throws(() => program.columns({ x: new Float64Array(0) }), /is empty/);
});

test("an operation without a form for columns is computed point by point", () => {
  for (const symbol of [
    "log",
    "tanh",
    "/",
    "+",
    "min",
    "max",
    "abs",
    "sqrt",
    "sin",
    "cos",
    "sigmoid",
    "softplus",
  ]) {
    const operation = OPERATIONS.get(symbol)!;
    const [x, y] = [drawn(100, 3), drawn(100, 4)];
    const [made, each] = [operation, { ...operation, symbol: "custom" as const }].map((row) => {
      const columns = [0, 1, 2].map(() => new Float64Array(100));
      columnRule(row)(columns[0]!, columns.slice(1, 1 + row.arity), x, y, NEVER);
      return columns;
    });
    for (let i = 0; i < 100; i++) {
      if (!Number.isFinite(each![0]![i])) assert.ok(!Number.isFinite(made![0]![i]));
      else assert.deepEqual(made!.map((c) => c[i]), each!.map((c) => c[i])); // prettier-ignore
    }
  }
});
