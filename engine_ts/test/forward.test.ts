import assert from "node:assert/strict";
import { test } from "node:test";
import { atNode, forward } from "../src/forward.ts";
import { Graph } from "../src/graph.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { operationOf } from "../src/operations.ts";
import { makeSteps } from "../src/order.ts";
import type { Operation } from "../src/rows.ts";
import { assertRefusal, graphOf, refusal } from "./helpers.ts";
import type { Row } from "./helpers.ts";

type Column = (number | undefined)[];
const none = undefined;

/** Give the columns: data, and the local gradients of left and right operands. */
function compute(graph: Graph, order: number[], values: Record<string, number>): Column[] {
  const steps = makeSteps(graph, order);
  const columns = forward(graph, order, steps, new Map(Object.entries(values)));
  return columns.map((column) => [...column]);
}

test("data and local gradients of the lessons example", () => {
  const graph = graphOf(["a", "b", ["+", 0, 1], "c", ["*", 2, 3]]);
  const [data, lefts, rights] = compute(graph, [0, 1, 2, 3, 4], { a: 2, b: -3, c: 10 });
  assert.deepEqual(data, [2, -3, -1, 10, -10]);
  assert.deepEqual(
    [lefts, rights],
    [
      [none, none, 1, none, 10],
      [none, none, 1, none, -1],
    ],
  );
});

test("constants have their literals and exponents no local gradient", () => {
  const graph = graphOf(["a", 3, ["**", 0, 1], -2, ["*", 2, 3]]);
  const [data, lefts, rights] = compute(graph, [0, 1, 2, 3, 4], { a: 2 });
  assert.deepEqual(data, [2, 3, 8, -2, -16]);
  assert.deepEqual(
    [lefts, rights],
    [
      [none, none, 12, none, -2],
      [none, none, 0, none, 8],
    ],
  );
  assert.deepEqual(graph.literals, [0, 3, 0, -2, 0]);
});

test("a variable takes its value by name", () => {
  const graph = graphOf(["a", "b", ["-", 0, 1]]);
  assert.deepEqual(compute(graph, [0, 1, 2], { b: 1, unused: 7, a: 5 })[0], [5, 1, 4]);
});

test("a shared node is computed once", () => {
  const calls: number[] = [];
  const count: Operation = {
    symbol: "count",
    name: "count",
    form: "call",
    arity: 1,
    formulas: () => [1],
    expansion: null,
    kink: null,
    turns: false,
    derived: false,
    rule: () => [0, 0],
    write(cells, node, left) {
      calls.push(cells.at(left));
      cells.put(node, cells.at(left) + 1, 1);
    },
  };
  const graph = new Graph(DEFAULT_LIMITS);
  const a = graph.addVariable("a", null);
  const once = graph.addOperation(count, [a], null);
  graph.addOperation(operationOf("*"), [once, once], null);
  assert.deepEqual(compute(graph, [0, 1, 2], { a: 2 })[0], [2, 3, 9]);
  assert.deepEqual(calls, [2]);
});

test("what is not in the order is not computed", () => {
  const graph = graphOf(["a", ["log", 0], ["+", 0, 0]]);
  assert.deepEqual(compute(graph, [0, 2], { a: -1 }), [
    [-1, 0, -2],
    [none, none, 1],
    [none, none, 1],
  ]);
});

test("an operation outside its domain is named by its place in the order", () => {
  const graph = graphOf(["b", "a", ["-", 1, 1], ["log", 2]]);
  graph.spans[3] = { start: 0, end: 10 };
  const expected = {
    code: "domain_error",
    span: { start: 0, end: 10 },
    node: 2,
    operation: "log",
    operands: [0],
  };
  assertRefusal(expected, () => compute(graph, [1, 2, 3], { a: 2, b: 1 }));
});

test("data beyond the doubles is the first in the order", () => {
  const graph = graphOf(["a", ["exp", 0], ["*", 0, 0], ["+", 2, 1]]);
  graph.spans[2] = { start: 0, end: 5 };
  const expected = {
    code: "non_finite",
    span: { start: 0, end: 5 },
    stage: "data",
    node: 1,
    operation: "*",
    operands: [1e200, 1e200],
    slot: null,
  };
  assertRefusal(expected, () => compute(graph, [0, 2, 1, 3], { a: 1e200 }));
  const other = refusal(() => compute(graph, [0, 1, 2, 3], { a: 1e200 }));
  assert.equal(other.operation, "exp");
  const negative = refusal(() => compute(graph, [0, 2, 1, 3], { a: -1e200 }));
  assert.deepEqual(negative.operands, [-1e200, -1e200]);
});

test("what is computed from an infinity does not hide it", () => {
  // a * a is infinite or, minus itself, NaN; what comes of that may be finite or fail otherwise.
  const ends = (top: number): Row[][] => [
    ...["exp", "log", "tanh", "relu"].map((name): Row[] => [[name, top]]),
    ...[0.5, -1].map((exponent): Row[] => [exponent, ["**", top, top + 1]]),
  ];
  for (const rows of [
    [["*", 0, 0]],
    [
      ["*", 0, 0],
      ["-", 1, 1],
    ],
  ] as Row[][]) {
    for (const end of ends(rows.length)) {
      const graph = graphOf(["a", ...rows, ...end]);
      const order = [...graph.operations.keys()];
      const { code, stage, node } = refusal(() => compute(graph, order, { a: 1e200 }));
      assert.deepEqual([code, stage, node], ["non_finite", "data", 1]);
    }
  }
});

test("finite data may have a sum beyond the doubles", () => {
  const graph = graphOf(["a", ["relu", 0], ["+", 1, 0], ["-", 1, 2]]);
  const [data] = compute(graph, [0, 1, 2, 3], { a: 8e307 });
  assert.deepEqual(data, [8e307, 8e307, 1.6e308, -8e307]);
});

test("the largest double is no infinity", () => {
  const graph = graphOf(["a", ["neg", 0]]);
  const largest = Number.MAX_VALUE;
  assert.deepEqual(compute(graph, [0, 1], { a: largest })[0], [largest, -largest]);
});

test("an infinite local gradient is left to the backward pass", () => {
  const graph = graphOf(["a", 0.5, ["**", 0, 1]]);
  assert.deepEqual(compute(graph, [0, 1, 2], { a: 0 })[0], [0, 0.5, 0]);
});

test("an explanation writes minus zero as zero", () => {
  const graph = graphOf(["a", ["log", 0]]);
  const where = atNode(graph, [0, 1], 1, [-0, 1]);
  assert.deepEqual(where, { node: 1, operation: "log", operands: [0] });
  const error = refusal(() => compute(graph, [0, 1], { a: -0 }));
  assert.deepEqual(error.operands, [0]);
});

test("the graph is left as it was", () => {
  const graph = graphOf(["a", 2, ["*", 0, 1]]);
  compute(graph, [0, 1, 2], { a: 2 });
  assert.deepEqual(graph, graphOf(["a", 2, ["*", 0, 1]]));
});
