/**
 * The engine beside a class whose nodes keep a closure each, as micrograd's ports have it: time a
 * node, the ratio and its goal; then `introspect`, in microseconds. `node engine_ts/bench/engine.ts`
 */

import { performance } from "node:perf_hooks";
import { backward } from "../src/backward.ts";
import { forward } from "../src/forward.ts";
import { introspect, prepareGraph } from "../src/introspect.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { Value, valueGraph } from "../src/value.ts";

const ROUNDS = 60;
const PASSES_GOAL = 0.06;
const SENTENCE_GOAL = 4;
const NEURON_GOAL = 5;

/** The operations that the loss below needs, and a backward pass that sorts by recursion. */
class Closure {
  data: number;
  grad = 0;
  readonly children: Set<Closure>;
  passOn: () => void = () => undefined;

  constructor(data: number, children: Closure[] = []) {
    this.data = data;
    this.children = new Set(children);
  }

  add(other: Closure): Closure {
    const out = new Closure(this.data + other.data, [this, other]);
    out.passOn = () => {
      this.grad += out.grad;
      other.grad += out.grad;
    };
    return out;
  }

  mul(other: Closure): Closure {
    const out = new Closure(this.data * other.data, [this, other]);
    out.passOn = () => {
      this.grad += other.data * out.grad;
      other.grad += this.data * out.grad;
    };
    return out;
  }

  relu(): Closure {
    const out = new Closure(Math.max(0, this.data), [this]);
    out.passOn = () => {
      this.grad += (out.data > 0 ? 1 : 0) * out.grad;
    };
    return out;
  }

  backward(): void {
    const order: Closure[] = [];
    const seen = new Set<Closure>();
    const sort = (node: Closure) => {
      if (seen.has(node)) return;
      seen.add(node);
      for (const child of node.children) sort(child);
      order.push(node);
    };
    sort(this);
    this.grad = 1;
    for (const node of order.reverse()) node.passOn();
  }
}

interface Node<T> {
  add(other: T): T;
  mul(other: T): T;
  relu(): T;
}

/** A 2-16-16-1 perceptron's squared error on eight points, about 5,500 nodes. */
function mlpLoss<T extends Node<T>>(leaf: (name: string, data: number) => T): T {
  let state = 1;
  let count = 0;
  const draw = () => {
    state = (state * 48271) % 2147483647;
    return leaf(`v${count++}`, state / 1073741823.5 - 1);
  };
  const row = (size: number) => Array.from({ length: size }, draw);
  const shapes: [inputs: number, outputs: number][] = [[2, 16], [16, 16], [16, 1]]; // prettier-ignore
  const layers = shapes.map(([inputs, outputs]) =>
    Array.from({ length: outputs }, () => ({ weights: row(inputs), bias: draw() })),
  );
  const errors = Array.from({ length: 8 }, () => {
    let signals = row(2);
    for (const [depth, layer] of layers.entries()) {
      const sums = layer.map(({ weights, bias }) =>
        weights.reduce((sum, weight, place) => sum.add(weight.mul(signals[place]!)), bias),
      );
      signals = depth < 2 ? sums.map((sum) => sum.relu()) : sums;
    }
    const error = signals[0]!.add(draw());
    return error.mul(error);
  });
  return errors.reduce((sum, error) => sum.add(error));
}

/** Microseconds for one run. CPU time can stand still for 2 ms, and a round of the engine takes 3. */
function timed(run: () => void, repeats: number): number {
  const start = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++) run();
  return (1000 * (performance.now() - start)) / repeats;
}

/** Medians of interleaved rounds, the first half of which the compiler may take. */
function medians(runs: readonly (() => void)[], repeats: number): number[] {
  const rounds = Array.from({ length: ROUNDS }, () => runs.map((run) => timed(run, repeats)));
  return runs.map((_, place) => {
    const times = rounds.slice(ROUNDS / 2).map((round) => round[place]!);
    return times.sort((a, b) => a - b)[times.length >> 1]!;
  });
}

function print(name: string, cells: string, figure: number, goal: number): boolean {
  const met = figure <= goal;
  console.log(`${name.padEnd(40)} ${cells}  <= ${goal}${met ? "" : "  MISSED"}`);
  return met;
}

function passesInTime(): boolean {
  const limits = { ...DEFAULT_LIMITS, variables: 1e6 };
  const { graph, leaves } = valueGraph(
    mlpLoss((name, data) => new Value(data, name)),
    limits,
  );
  const { order, steps } = prepareGraph(graph, [...graph.operations.keys()]);
  const [theirs, ours] = medians(
    [
      () => mlpLoss((_, data) => new Closure(data)).backward(),
      () => void backward(graph, order, steps, forward(graph, order, steps, leaves)),
    ],
    20,
  ).map((each) => (1000 * each) / order.length) as [number, number];
  const cells = `${theirs.toFixed(0).padStart(7)} ns ${ours.toFixed(0).padStart(9)} ns`;
  const ratio = ours / theirs;
  return print(
    `MLP loss, ${order.length} nodes`,
    `${cells} ${ratio.toFixed(3)}`,
    ratio,
    PASSES_GOAL,
  );
}

function textInTime(text: string, values: Record<string, number>, goal: number): boolean {
  const [took] = medians([() => void introspect(text, values)], 2000) as [number];
  return print(text, `${took.toFixed(1).padStart(22)} µs`, took, goal);
}

console.log(`\n${"TypeScript".padEnd(40)}   class       engine  ratio  goal`);
const met = [
  passesInTime(),
  textInTime("(a + b) * c", { a: 2, b: -3, c: 10 }, SENTENCE_GOAL),
  textInTime(
    "tanh(x1 * w1 + x2 * w2 + b)",
    { x1: 2, x2: 0.5, w1: -3, w2: 1, b: 6.88 },
    NEURON_GOAL,
  ),
];
process.exitCode = met.every(Boolean) ? 0 : 1;
