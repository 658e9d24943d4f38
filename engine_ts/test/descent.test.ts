/** Descents; what is expected comes from hands, the lessons, or a network written down by itself. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import { Descending, descend } from "../src/lab/descent.ts";
import { checkSettings, MOST_NODES } from "../src/lab/settings.ts";
import { introspectValue, Value } from "../src/value.ts";
import { refusal } from "./helpers.ts";

const LINE = introspect("w * x", { w: 0, x: 1 }, { parameters: ["w"] });
const HIDDEN = [1, 2, 3, 4];
const NAMES = [...HIDDEN.flatMap((k) => [`u${k}`, `v${k}`, `b${k}`]), "w1", "w2", "w3", "w4", "c"];
const WEIGHTS = Object.fromEntries(
  NAMES.map((name, place) => [name, (((5 * place ** 2 + 3 * place) % 17) - 8) / 8]),
);
type Row = Record<"x" | "y" | "t", number>;
const XOR: Row[] = [
  { x: -1, y: -1, t: -1 },
  { x: -1, y: 1, t: 1 },
  { x: 1, y: -1, t: 1 },
  { x: 1, y: 1, t: -1 },
];
const UPPER: Row[] = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => ({
  x: Math.cos((Math.PI * k) / 7),
  y: Math.sin((Math.PI * k) / 7),
  t: 1,
}));
const LOWER: Row[] = UPPER.map(({ x, y }) => ({ x: 1 - x, y: 0.5 - y, t: -1 }));

/** The squared error of a 2-4-1 network of tanh at one row. */
const NETWORK = introspect(
  [
    ...HIDDEN.map((k) => `h${k} = tanh(u${k} * x + v${k} * y + b${k})`),
    `out = tanh(${HIDDEN.map((k) => `w${k} * h${k}`).join(" + ")} + c)`,
    "(out - t) ** 2",
  ].join("\n"),
  { ...WEIGHTS, x: 0, y: 0, t: 0 },
  { parameters: NAMES },
);

function hidden(w: Record<string, number>, k: number, { x, y }: Row): number {
  return Math.tanh(w[`u${k}`]! * x + w[`v${k}`]! * y + w[`b${k}`]!);
}

function output(w: Record<string, number>, row: Row): number {
  return Math.tanh(HIDDEN.reduce((sum, k) => sum + w[`w${k}`]! * hidden(w, k, row), w["c"]!));
}

function errorOf(w: Record<string, number>, rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + (output(w, row) - row.t) ** 2, 0) / rows.length;
}

function assertClose(actual: number, expected: number, relative: number): void {
  assert.ok(Math.abs(actual - expected) <= relative * Math.abs(expected), `${actual} ${expected}`);
}

test("XOR is learned, with the losses that the network written down by itself has", () => {
  const options = { rows: XOR, learning_rate: 0.2, momentum: 0.9, steps: 60 };
  const { trajectory, fault } = descend(NETWORK, options);
  assert.equal(fault, null);
  assert.equal(trajectory.length, 61);
  for (const { loss, parameters } of trajectory) assertClose(loss, errorOf(parameters, XOR), 1e-9);
  const learned = trajectory.at(-1)!.parameters;
  for (const row of XOR) assert.ok(output(learned, row) * row.t > 0.9);
});

test("two moons come apart", () => {
  const rows = [...UPPER, ...LOWER];
  const { trajectory } = descend(NETWORK, { rows, optimizer: "adamw", steps: 100, every: 100 });
  const [first, last] = trajectory;
  assertClose(first!.loss, errorOf(WEIGHTS, rows), 1e-12);
  assert.ok(last!.loss < 0.01);
  for (const row of rows) assert.ok(output(last!.parameters, row) * row.t > 0.5);
});

test("a descent stands still until it is asked for the next point", () => {
  const document = introspect("log(w)", { w: 1 }, { parameters: ["w"] });
  const descending = new Descending(document, { learning_rate: 2, steps: 5 });
  assert.deepEqual(descending.next().value?.parameters, { w: 1 });
  assert.equal(descending.fault, null);
  assert.equal(descending.next().done, true);
  const { step, error } = descending.fault!;
  assert.deepEqual([step, error["operands"]], [1, [-1]]);
  assert.equal(descending.next().done, true);
});

test("the settings of a descent are checked before the first point", () => {
  const error = refusal(() => new Descending(LINE, { steps: -1 }));
  assert.equal(error.pointer, "/steps");
});

test("a graph of Values descends", () => {
  const document = introspectValue(new Value(3, "w").mul(new Value(2, "an input")).mul(2), {
    parameters: ["w"],
  });
  const { trajectory } = descend(document, { rows: [{ "an input": 1 }], steps: 1 });
  assert.deepEqual(
    trajectory.map(({ loss, parameters }) => [loss, parameters["w"]]),
    [
      [6, 3],
      [2 * (3 - 0.1 * 2), 3 - 0.1 * 2],
    ],
  );
});

test("a label in a pointer is escaped", () => {
  const document = introspectValue(new Value(3, "a/b").mul(2));
  document.nodes[0]!.kind = "parameter";
  const error = refusal(() => descend(document, { rows: [{ "a/b": 1 }] }));
  assert.equal(error.pointer, "/rows/0/a~1b");
});

test("as many nodes as the bound are computed, and as many numbers listed", () => {
  assert.equal(descend(LINE, { steps: 2 }, 9).trajectory.length, 3);
  const { name, limit, actual } = refusal(() => descend(LINE, { steps: 2 }, 8));
  assert.deepEqual([name, limit, actual], ["descent_nodes", 8, 9]);
  const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
  const values = Object.fromEntries(names.map((each) => [each, 1]));
  const document = introspect(names.join("+"), values, { parameters: names });
  const settings = (steps: number, every: number) =>
    checkSettings(document, { steps, every }, MOST_NODES);
  assert.equal(settings(9_998, 1).steps, 9_998);
  assert.equal(refusal(() => settings(9_999, 1)).actual, 100_010);
  assert.equal(settings(9_999, 2).every, 2);
});

test("the ends of what is allowed are allowed", () => {
  const allowed = [
    { learning_rate: 0, weight_decay: 0, epsilon: 5e-324, steps: 0, every: 1 },
    { learning_rate: 1e300, weight_decay: 5, epsilon: 9, steps: 10_000, every: 10_000 },
    { momentum: 0, beta1: 0, beta2: 0 },
    { momentum: 0.9999, beta1: 0.9999, beta2: 0.9999 },
  ] as const;
  for (const options of allowed) {
    const { learningRate, weightDecay, ...others } = checkSettings(LINE, options, MOST_NODES);
    const settings = { learning_rate: learningRate, weight_decay: weightDecay, ...others };
    for (const [name, value] of Object.entries(options)) {
      assert.equal(settings[name as keyof typeof settings], value);
    }
  }
});

test("a message says what to do", () => {
  const document = introspect("w * 1e308", { w: 0 }, { parameters: ["w"] });
  assert.equal(
    descend(document, { learning_rate: 10 }).fault!.error["message"],
    "`w`, once moved, is too large for a double; use a smaller learning rate",
  );
});
