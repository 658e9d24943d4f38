import assert from "node:assert/strict";
import { test } from "node:test";
import { backward } from "../src/backward.ts";
import { forward } from "../src/forward.ts";
import type { Graph } from "../src/graph.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { makeSteps } from "../src/order.ts";
import { assertRefusal, graphOf, units } from "./helpers.ts";
import type { Row } from "./helpers.ts";

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

units("backward", "grads", (row) => {
  const [grads, ledger] = differentiate(graphOf(row.graph), row.values);
  assert.deepEqual(grads, row.grads);
  assert.deepEqual(ledger, row.ledger);
});

units("backward", "refused", ({ graph: rows, values, error }) => {
  const graph = graphOf(rows);
  const span = { start: 4, end: 9 };
  graph.spans[error.node] = span;
  assertRefusal({ span, ...error }, () => differentiate(graph, values));
});
test("a chain of any length is walked without recursion", () => {
  const nodes = [...Array(20_000).keys()];
  const doubled = graphOf(["a", ...nodes.slice(0, 1_000).map((node): Row => ["+", node, node])]);
  assert.equal(differentiate(doubled, { a: 1 })[0][0], 2 ** 1_000);
  const rows: Row[] = ["a", ...nodes.map((node): Row => ["neg", node])];
  const [grads, ledger] = differentiate(graphOf(rows, { ...DEFAULT_LIMITS, nodes: 1e6 }), { a: 1 });
  assert.deepEqual([grads[0], ledger.length], [1, 20_000]);
});
