import assert from "node:assert/strict";
import { test } from "node:test";
import { makeSteps, topologicalOrder } from "../src/order.ts";
import { graphOf, seeded } from "./helpers.ts";
import type { Row } from "./helpers.ts";

type Operands = readonly (readonly number[])[];

/** The lessons' build_topo, for graphs that are not deep. */
function recursiveOrder(root: number, operands: Operands): number[] {
  const order: number[] = [];
  const visited = new Set<number>();

  function build(node: number): void {
    if (visited.has(node)) return;
    visited.add(node);
    operands[node]!.forEach(build);
    order.push(node);
  }

  build(root);
  return order;
}

/** Each node has up to three operands below it, often the same one twice. */
function randomOperands(random: () => number, size: number): number[][] {
  return Array.from({ length: size }, (_, node) =>
    Array.from({ length: node ? Math.floor(random() * 4) : 0 }, () => Math.floor(random() * node)),
  );
}

test("operands come first and left before right", () => {
  assert.deepEqual(topologicalOrder(4, [[], [], [0, 1], [], [2, 3]]), [0, 1, 2, 3, 4]);
  assert.deepEqual(topologicalOrder(4, [[], [], [1, 0], [], [3, 2]]), [3, 1, 0, 2, 4]);
});

test("a leaf alone is its own order", () => {
  assert.deepEqual(topologicalOrder(0, [[]]), [0]);
});

test("a shared node is listed once", () => {
  assert.deepEqual(topologicalOrder(1, [[], [0, 0]]), [0, 1]);
  assert.deepEqual(topologicalOrder(4, [[], [0], [0], [1, 2], [3, 0]]), [0, 1, 2, 3, 4]);
  // Node 2 is asked for first by the root, but it is listed below node 3 that needs it.
  assert.deepEqual(topologicalOrder(4, [[], [], [0, 1], [2, 1], [3, 2]]), [0, 1, 2, 3, 4]);
});

test("a shared operand is placed by its first visit", () => {
  // b * (a + b): depth first meets b before a.
  assert.deepEqual(topologicalOrder(3, [[], [], [0, 1], [1, 2]]), [1, 0, 2, 3]);
});

test("what the root does not need is left out", () => {
  assert.deepEqual(topologicalOrder(2, [[], [], [0], [1, 2]]), [0, 2]);
});

test("the order is that of the recursive lesson", () => {
  const random = seeded(2);
  for (let round = 0; round < 2_000; round++) {
    const operands = randomOperands(random, 1 + Math.floor(random() * 39));
    const root = Math.floor(random() * operands.length);
    assert.deepEqual(topologicalOrder(root, operands), recursiveOrder(root, operands));
  }
});

test("the steps are the operations in order with their operands", () => {
  const graph = graphOf(["a", ["tanh", 0], 3, ["**", 1, 2], ["*", 3, 0]]);
  const steps = makeSteps(graph, [0, 1, 2, 3, 4]);
  assert.deepEqual(
    steps.map(({ write }) => write),
    [1, 3, 4].map((node) => graph.operations[node]!.write),
  );
  // A gradient flows into the right operand of a product, and not into an exponent.
  assert.deepEqual(
    steps.map(({ node, left, right, flowsRight }) => [node, left, right, flowsRight]),
    [
      [1, 0, null, false],
      [3, 1, 2, false],
      [4, 3, 0, true],
    ],
  );
  assert.deepEqual(
    makeSteps(graph, [0, 1]).map(({ node }) => node),
    [1],
  );
  assert.deepEqual(makeSteps(graph, [0]), []);
});

test("backward enters a node by every edge before it leaves", () => {
  const random = seeded(3);
  const below = (node: number) => Math.floor(random() * node);
  for (let round = 0; round < 500; round++) {
    const size = 2 + below(38);
    const rows: Row[] = Array.from({ length: size - 1 }, (_, row) => [
      "+",
      below(row + 1),
      below(row + 1),
    ]);
    const graph = graphOf(["a", ...rows]);
    const steps = makeSteps(graph, topologicalOrder(size - 1, graph.operands));
    const left = new Set<number>();
    for (const step of steps.toReversed()) {
      left.add(step.node);
      assert.deepEqual([step.left, step.right], graph.operands[step.node]);
      assert.ok(!left.has(step.left) && !left.has(step.right!));
    }
  }
});

test("a chain of any length is only a longer list", () => {
  const length = 20_000;
  const nodes = Array.from({ length }, (_, node) => node);
  const chain = nodes.map((node) => (node ? [node - 1] : []));
  assert.deepEqual(topologicalOrder(length - 1, chain), nodes);
  const doubled = nodes.map((node) => (node ? [node - 1, node - 1] : []));
  assert.deepEqual(topologicalOrder(length - 1, doubled), nodes);
});
