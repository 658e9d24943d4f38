import assert from "node:assert/strict";
import { test } from "node:test";
import { topologicalOrder, walk } from "../src/order.ts";
import { seeded } from "./helpers.ts";

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

test("the walk meets every edge from the root left to right", () => {
  const operands = [[], [], [0, 1], [], [2, 3]];
  assert.deepEqual(walk([0, 1, 2, 3, 4], operands), [
    [4, 0, 2],
    [4, 1, 3],
    [2, 0, 0],
    [2, 1, 1],
  ]);
  assert.deepEqual(walk([1, 0, 2], operands), [
    [2, 0, 0],
    [2, 1, 1],
  ]);
  assert.deepEqual(walk([0], operands), []);
});

test("the walk enters a node by every edge before it leaves", () => {
  const random = seeded(3);
  for (let round = 0; round < 500; round++) {
    const operands = randomOperands(random, 1 + Math.floor(random() * 39));
    const order = topologicalOrder(operands.length - 1, operands);
    const edges = walk(order, operands);
    const written = order.flatMap((node) =>
      operands[node]!.map((operand, slot) => `${node} ${slot} ${operand}`),
    );
    assert.deepEqual(edges.map((edge) => edge.join(" ")).sort(), written.sort());
    const left = new Set<number>();
    for (const [node, , operand] of edges) {
      left.add(node);
      assert.ok(!left.has(operand));
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
