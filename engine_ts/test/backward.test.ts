import assert from "node:assert/strict";
import { test } from "node:test";
import { backward } from "../src/backward.ts";
import { forward } from "../src/forward.ts";
import type { Graph } from "../src/graph.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { makeSteps } from "../src/order.ts";
import { graphOf, refusal } from "./helpers.ts";
import type { Json, Row } from "./helpers.ts";

type Ledger = [to: number, from: number, contribution: number | null, running: number | null][];
type Values = Record<string, number>;

/** Give the grads, and the rows of the ledger. */
function differentiate(graph: Graph, values: Values): [grads: readonly number[], ledger: Ledger] {
  const order = [...graph.operations.keys()];
  const steps = makeSteps(graph, order);
  const computed = forward(graph, order, steps, new Map(Object.entries(values)));
  const [grads, ...runningGrads] = backward(graph, order, steps, computed);
  const ledger: Ledger = [];
  for (const { node, right, flowsRight } of steps.toReversed()) {
    for (const [slot, operand] of graph.operands[node]!.entries()) {
      const sent = grads[node]! * computed[slot === 0 ? 1 : 2][node]!;
      if (operand === right && slot === 1 && !flowsRight) ledger.push([node, operand, null, null]);
      else ledger.push([node, operand, sent, runningGrads[slot]![node]!]);
    }
  }
  return [[...grads], ledger];
}

/** Give the data of a backward pass that leaves the doubles. */
function failure(graph: Graph, values: Values): Json {
  const { code, ...data } = refusal(() => differentiate(graph, values));
  assert.equal(code, "non_finite");
  return data;
}

test("the ledger of the lessons example", () => {
  const graph = graphOf(["a", "b", ["+", 0, 1], "c", ["*", 2, 3]]);
  const [grads, ledger] = differentiate(graph, { a: 2, b: -3, c: 10 });
  assert.deepEqual(grads, [10, 10, 10, -1, 1]);
  assert.deepEqual(ledger, [
    [4, 2, 10, 10],
    [4, 3, -1, -1],
    [2, 0, 10, 10],
    [2, 1, 10, 10],
  ]);
});

test("a square by product adds two contributions", () => {
  const [grads, ledger] = differentiate(graphOf(["a", ["*", 0, 0]]), { a: 3 });
  assert.deepEqual(grads, [6, 1]);
  assert.deepEqual(ledger, [
    [1, 0, 3, 3],
    [1, 0, 3, 6],
  ]);
});

test("the diamond adds what comes by both ways", () => {
  // b = a + 1; c = a * 3; d = b * c
  const graph = graphOf(["a", 1, ["+", 0, 1], 3, ["*", 0, 3], ["*", 2, 4]]);
  const [grads, ledger] = differentiate(graph, { a: 2 });
  assert.deepEqual(grads, [15, 6, 6, 6, 3, 1]);
  assert.deepEqual(ledger, [
    [5, 2, 6, 6],
    [5, 4, 3, 3],
    [4, 0, 9, 9],
    [4, 3, 6, 6],
    [2, 0, 6, 15],
    [2, 1, 6, 6],
  ]);
});

test("a node is read only when its gradient is complete", () => {
  // s = a + b; s * s + s: the gradient of s is 2 s + 1 = 11 before a and b get it.
  const graph = graphOf(["a", "b", ["+", 0, 1], ["*", 2, 2], ["+", 3, 2]]);
  const [grads, ledger] = differentiate(graph, { a: 2, b: 3 });
  assert.deepEqual(grads, [11, 11, 11, 1, 1]);
  assert.deepEqual(ledger, [
    [4, 3, 1, 1],
    [4, 2, 1, 1],
    [3, 2, 5, 6],
    [3, 2, 5, 11],
    [2, 0, 11, 11],
    [2, 1, 11, 11],
  ]);
});

test("a dead relu passes nothing on", () => {
  const graph = graphOf(["a", "b", ["*", 0, 1], ["relu", 2]]);
  const [grads, ledger] = differentiate(graph, { a: 2, b: 3 });
  assert.deepEqual(grads, [3, 2, 1, 1]);
  assert.deepEqual(ledger[0], [3, 2, 1, 1]);
  const [dead, nothing] = differentiate(graph, { a: 2, b: -3 });
  assert.deepEqual(
    dead.map((grad) => grad + 0),
    [0, 0, 0, 1],
  );
  assert.ok(nothing.every(([, , contribution]) => contribution === 0));
});

test("an exponent has a row without numbers", () => {
  const [grads, ledger] = differentiate(graphOf(["a", 3, ["**", 0, 1]]), { a: 2 });
  assert.deepEqual(grads, [12, 0, 1]);
  assert.deepEqual(ledger, [
    [2, 0, 12, 12],
    [2, 1, null, null],
  ]);
});

test("a leaf alone has the gradient one and no ledger", () => {
  assert.deepEqual(differentiate(graphOf(["a"]), { a: 2 }), [[1], []]);
});

test("every sum and product is rounded by itself", () => {
  // 0.1 a + 0.2 a + 0.3 a, from the right: (0.3 + 0.2) + 0.1 is 0.6; from the left, 0.6...01.
  const left: Row[] = ["a", 0.1, ["*", 0, 1], 0.2, ["*", 0, 3], ["+", 2, 4]];
  const sums = graphOf([...left, 0.3, ["*", 0, 6], ["+", 5, 7]]);
  const [grads, ledger] = differentiate(sums, { a: 1 });
  const arrivals = ledger.filter(([, from]) => from === 0).map(([, , , running]) => running);
  assert.deepEqual(arrivals, [0.3, 0.5, 0.6]);
  assert.equal(grads[0], 0.6);
  // 0.1 * (0.1 * a): 0.1 * 0.1 is 0.010000000000000002.
  const products = graphOf(["a", 0.1, ["*", 1, 0], ["*", 1, 2]]);
  assert.equal(differentiate(products, { a: 1 })[0][0], 0.010000000000000002);
});

test("an infinite local gradient is reported at its edge", () => {
  const graph = graphOf(["a", ["log", 0]]);
  graph.spans[1] = { start: 0, end: 6 };
  assert.deepEqual(failure(graph, { a: 5e-324 }), {
    span: { start: 0, end: 6 },
    stage: "local_grad",
    node: 1,
    operation: "log",
    operands: [5e-324],
    slot: 0,
  });
});

test("an infinite local gradient counts even where nothing flows", () => {
  // relu is dead, so 0 * infinity would reach a as NaN.
  const graph = graphOf(["a", 0.5, ["**", 0, 1], ["neg", 2], ["relu", 3]]);
  const { stage, node, slot } = failure(graph, { a: 0 });
  assert.deepEqual([stage, node, slot], ["local_grad", 2, 0]);
});

test("an infinite contribution is reported at its edge", () => {
  // (a * b) * b: a gets 1e200 * 1e200.
  const graph = graphOf(["a", "b", ["*", 0, 1], ["*", 2, 1]]);
  assert.deepEqual(failure(graph, { a: 0, b: 1e200 }), {
    span: null,
    stage: "contribution",
    node: 2,
    operation: "*",
    operands: [0, 1e200],
    slot: 0,
  });
});

test("an infinite sum of contributions is reported where it appears", () => {
  // b * a + b * a: each product gives a 1e308, and the left one comes second.
  const graph = graphOf(["b", "a", ["*", 0, 1], ["*", 0, 1], ["+", 2, 3]]);
  assert.deepEqual(failure(graph, { a: 0, b: 1e308 }), {
    span: null,
    stage: "grad",
    node: 2,
    operation: "*",
    operands: [1e308, 0],
    slot: 1,
  });
});

test("the first edge of the walk is reported", () => {
  // log(a) + log(b): the walk meets the right logarithm first.
  const graph = graphOf(["a", ["log", 0], "b", ["log", 2], ["+", 1, 3]]);
  assert.equal(failure(graph, { a: 5e-324, b: 5e-324 }).node, 3);
  assert.equal(failure(graph, { a: 5e-324, b: 1 }).node, 1);
});

test("finite gradients may have a sum beyond the doubles", () => {
  const graph = graphOf(["a", 1e308, ["*", 0, 1], "b", ["*", 3, 1], ["+", 2, 4]]);
  const [grads] = differentiate(graph, { a: 0.5, b: 0.5 });
  assert.deepEqual(grads, [1e308, 0.5 + 0.5, 1, 1e308, 1, 1]);
});

test("a chain of any length is walked without recursion", () => {
  const nodes = [...Array(20_000).keys()];
  const doubled = graphOf(["a", ...nodes.slice(0, 1_000).map((node): Row => ["+", node, node])]);
  assert.equal(differentiate(doubled, { a: 1 })[0][0], 2 ** 1_000);
  const rows: Row[] = ["a", ...nodes.map((node): Row => ["neg", node])];
  const [grads, ledger] = differentiate(graphOf(rows, { ...DEFAULT_LIMITS, nodes: 1e6 }), { a: 1 });
  assert.deepEqual([grads[0], ledger.length], [1, 20_000]);
});
