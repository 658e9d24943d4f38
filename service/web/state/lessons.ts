/** What can be trained: a line, the lessons' neuron, and XOR by two layers of tanh. */

import type { Request } from "./program.ts";

export type Row = Readonly<Record<string, number>>;

export interface Lesson {
  readonly name: "line" | "neuron" | "xor";
  readonly request: Request;
  /** Inputs, one row after the other; empty where the program has its only row in it. */
  readonly rows: readonly Row[];
  readonly settings: { readonly rate: number; readonly momentum: number; readonly steps: number };
}

const HIDDEN = ["1", "2", "3", "4"];

/** Weights that break the symmetry, in eighths, so that each is a double. */
const WEIGHTS = {
  ...{ u1: -1, v1: 0, b1: 0.125, u2: -0.625, v2: -0.125, b2: -0.5 },
  ...{ u3: 0.375, v3: 0.375, b3: -0.5, u4: -0.125, v4: -0.625, b4: 0.125 },
  ...{ w1: 0, w2: -1, w3: -0.75, w4: 0.75, c: -0.75 },
};

const XOR = [
  ...HIDDEN.map((at) => `h${at} = tanh(u${at} * x + v${at} * y + b${at})`),
  `out = tanh(${HIDDEN.map((at) => `w${at} * h${at}`).join(" + ")} + c)`,
  "(out - t) ** 2",
].join("; ");

export const LESSONS: readonly Lesson[] = [
  {
    name: "line",
    request: {
      expression: "loss = (w * x + b - y) ** 2",
      values: { w: 2, x: 3, b: 1, y: 5 },
      parameters: ["w", "b"],
    },
    rows: [],
    settings: { rate: 0.01, momentum: 0, steps: 20 },
  },
  {
    name: "neuron",
    request: {
      expression: "n = x1 * w1 + x2 * w2 + b; o = tanh(n); loss = (o - y) ** 2",
      values: { x1: 2, x2: 0, w1: -3, w2: 1, b: 6.881373587019543, y: -1 },
      parameters: ["w1", "w2", "b"],
    },
    rows: [],
    settings: { rate: 0.05, momentum: 0, steps: 30 },
  },
  {
    name: "xor",
    request: {
      expression: XOR,
      values: { ...WEIGHTS, x: -1, y: -1, t: -1 },
      parameters: Object.keys(WEIGHTS),
    },
    rows: [-1, 1].flatMap((x) => [-1, 1].map((y) => ({ x, y, t: -x * y }))),
    settings: { rate: 0.2, momentum: 0.9, steps: 40 },
  },
];
