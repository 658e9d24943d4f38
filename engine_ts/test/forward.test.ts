import assert from "node:assert/strict";
import { test } from "node:test";
import { atNode, forward } from "../src/forward.ts";
import { Graph } from "../src/graph.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { operationOf } from "../src/operations.ts";
import { makeSteps } from "../src/order.ts";
import type { Operation } from "../src/rows.ts";
import { assertRefusal, graphOf, refusal, units } from "./helpers.ts";
import type { Json, Row } from "./helpers.ts";

type Column = (number | undefined)[];

/** Give the columns: data, and the local gradients of left and right operands. */
function compute(graph: Graph, order: number[], values: Record<string, number>): Column[] {
  const steps = makeSteps(graph, order);
  const columns = forward(graph, order, steps, new Map(Object.entries(values)));
  return columns.map((column) => [...column]);
}

units("forward", "data", (row) => {
  const graph = graphOf(row.graph);
  const order = row.order ?? [...graph.operands.keys()];
  const [data, ...columns] = compute(graph, order, row.values);
  assert.deepEqual(data, row.data);
  const steps = makeSteps(graph, order);
  for (const { node, right, flowsRight } of steps) {
    const found = right === null ? [columns[0]![node]] : columns.map((column) => column[node]);
    if (right !== null && !flowsRight) found[1] = null as never;
    const expected = row.local_grads[node].map((local: Json) => local && Number(local));
    assert.deepEqual(found, expected);
  }
  assert.equal(steps.length, Object.keys(row.local_grads).length);
});

units("forward", "refused", ({ graph: rows, order, values, error }) => {
  const graph = graphOf(rows);
  order ??= [...graph.operands.keys()];
  const span = { start: 4, end: 9 };
  graph.spans[order[error.node]] = span;
  assertRefusal({ span, ...error }, () => compute(graph, order, values));
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
