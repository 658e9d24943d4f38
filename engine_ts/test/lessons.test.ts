/**
 * What readers of micrograd in TypeScript write runs here as it does there.
 *
 * The network is written after the behaviour of trekhleb's micrograd-ts: neurons, layers and a
 * perceptron of methods of Value. Its losses are compared with those of the same network in plain
 * numbers, whose gradients are the formulas of the textbook.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import { introspectValue, Value } from "../src/index.ts";

class Neuron {
  w: Value[];
  b: Value;

  constructor(weights: readonly number[]) {
    this.w = weights.slice(1).map((weight) => new Value(weight));
    this.b = new Value(weights[0]!);
  }

  forward(x: readonly Value[]): Value {
    let activation = x[0]!.mul(this.w[0]!);
    for (let i = 1; i < x.length; i++) activation = activation.add(x[i]!.mul(this.w[i]!));
    return activation.add(this.b).tanh();
  }
}

class Perceptron {
  layers: Neuron[][];

  constructor(layers: readonly (readonly (readonly number[])[])[]) {
    this.layers = layers.map((layer) => layer.map((weights) => new Neuron(weights)));
  }

  forward(x: Value[]): Value {
    let out = x;
    for (const layer of this.layers) out = layer.map((neuron) => neuron.forward(out));
    return out[0]!;
  }

  parameters(): Value[] {
    return this.layers.flat().flatMap(({ w, b }) => [b, ...w]);
  }

  zeroGrad(): void {
    for (const p of this.parameters()) p.grad = 0;
  }
}

/** Bias, then weights, of two neurons and of the one that they lead to. */
const WEIGHTS = [
  [
    [0.1, 0.5, -0.4],
    [-0.2, 0.3, 0.8],
  ],
  [[0.05, 0.7, -0.6]],
] as const;
const POINTS = [
  { x: [2, -1], y: 1 },
  { x: [-1, 0.5], y: -1 },
  { x: [0.5, 1], y: -1 },
] as const;
const RATE = 0.1;

/** The sum of squared errors of each step, and how parameters move, in plain numbers. */
function lossesInNumbers(steps: number): number[] {
  const [hidden, [last]] = WEIGHTS.map((layer) => layer.map((weights) => [...weights])) as [
    number[][],
    [number[]],
  ];
  return Array.from({ length: steps }, () => {
    let loss = 0;
    const slopes = [...hidden, last].map((weights) => weights.map(() => 0));
    for (const { x, y } of POINTS) {
      const h = hidden.map(([b, w1, w2]) => Math.tanh(x[0] * w1! + x[1] * w2! + b!));
      const out = Math.tanh(h[0]! * last[1]! + h[1]! * last[2]! + last[0]!);
      loss += (out - y) ** 2;
      const delta = 2 * (out - y) * (1 - out ** 2);
      for (const [i, signal] of [1, ...h].entries()) slopes[2]![i]! += delta * signal;
      for (const [n, signal] of h.entries()) {
        const inner = delta * last[n + 1]! * (1 - signal ** 2);
        for (const [i, input] of [1, ...x].entries()) slopes[n]![i]! += inner * input;
      }
    }
    for (const [n, weights] of [...hidden, last].entries()) {
      for (const i of weights.keys()) weights[i]! -= RATE * slopes[n]![i]!;
    }
    return loss;
  });
}

test("a perceptron learns with the losses of plain numbers", () => {
  const model = new Perceptron(WEIGHTS);
  const expected = lossesInNumbers(20);
  for (const there of expected) {
    let loss = new Value(0);
    for (const { x, y } of POINTS) {
      const out = model.forward(x.map((number) => new Value(number)));
      loss = loss.add(out.sub(y).pow(2));
    }
    model.zeroGrad();
    loss.backward();
    for (const p of model.parameters()) p.data += -RATE * p.grad;
    // The platform's tanh is an ulp off now and then, so this is no equality.
    assert.ok(Math.abs(loss.data - there) <= 1e-12 * there, `${loss.data} and ${there}`);
  }
  assert.ok(expected.at(-1)! < expected[0]! / 2);
});

/** The class of the lesson as it is written there: every operation with its local gradients. */
class OfTheLesson extends Value {
  override add(other: Value): Value {
    return new OfTheLesson(this.data + other.data, [this, other], [1, 1], "my +");
  }

  override mul(other: Value): Value {
    return new OfTheLesson(this.data * other.data, [this, other], [other.data, this.data], "my *");
  }
}

test("the lessons own class runs on this one", () => {
  const [a, b, c] = [new OfTheLesson(2, "a"), new OfTheLesson(-3, "b"), new OfTheLesson(10, "c")];
  const product = a.add(b).mul(c);
  product.backward();
  assert.deepEqual([product.data, a.grad, b.grad, c.grad], [-10, 10, 10, -1]);
  const { nodes, gradients } = introspectValue(product);
  assert.deepEqual(gradients, { a: 10, b: 10, c: -1 });
  assert.deepEqual(
    nodes.map(({ name }) => name),
    [undefined, undefined, "my +", undefined, "my *"],
  );
});
