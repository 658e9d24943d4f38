/**
 * The stages of the pipeline one by one, in the order of the pipeline, each on inputs of its own.
 *
 * A bug in a stage fails hundreds of fixtures. `make test` runs these tests first, so that the
 * first failure names the stage.
 */

import assert from "node:assert/strict";
import { backward } from "../src/backward.ts";
import { buildDocument } from "../src/document.ts";
import { forward } from "../src/forward.ts";
import type { Forward } from "../src/forward.ts";
import { Graph } from "../src/graph.ts";
import { expansionOf } from "../src/language/parser.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { operationOf } from "../src/operations.ts";
import { fedByVariables, makeSteps, topologicalOrder } from "../src/order.ts";
import { makeTemplate } from "../src/template.ts";
import { refusal, units } from "./helpers.ts";
import type { Json } from "./helpers.ts";

/** Build a graph from the rows of a case, with the span [n, n + 1] for row n. */
function graphOf(rows: Json[], nodes = 100): Graph {
  const graph = new Graph({ ...DEFAULT_LIMITS, nodes });
  for (const [place, row] of rows.entries()) {
    const span = { start: place, end: place + 1 };
    if (typeof row === "string") graph.addVariable(row, span);
    else if (typeof row === "number") graph.addConstant(row, span);
    else if (row[0] !== "expand") graph.addOperation(operationOf(row[0]), row.slice(1), span);
    else graph.addExpansion(expansionOf(row[1]), row.slice(2), span);
  }
  return graph;
}

/** Read a column of numbers; JSON has infinite numbers as strings. */
function column(row: Json, name: string): number[] {
  return (row[name] ?? row.rows.map(() => 0)).map(Number);
}

/** Compare the members of `found` that a case names. */
function assertMembers(found: Record<string, unknown>, expected: Json): void {
  for (const [name, member] of Object.entries(found)) {
    if (name in expected) assert.deepEqual(member, expected[name], name);
  }
}

const pair = (span: Json) => span && [span.start, span.end];

units("pipeline", "graph", (row) => {
  if (row.error)
    return assert.deepEqual(
      refusal(() => graphOf(row.rows, row.nodes)),
      row.error,
    );
  const graph = graphOf(row.rows);
  assertMembers(
    {
      labels: graph.labels,
      literals: graph.literals,
      operations: graph.operations.map((operation) => operation && operation.symbol),
      operands: graph.operands,
      variables: [...graph.variables],
      is_variable: graph.labels.map((_, node) => graph.isVariable(node)),
      spans: graph.spans.map(pair),
    },
    row,
  );
});

units("pipeline", "order", ({ root, operands, order }) => {
  assert.deepEqual(topologicalOrder(root, operands), order);
});

units("pipeline", "order_fed", ({ variables, operands, fed }) => {
  assert.deepEqual(fedByVariables(variables, operands), fed);
});

units("pipeline", "order_steps", ({ rows, order, steps }) => {
  const found = makeSteps(graphOf(rows), order).map(({ node, left, right, flowsRight }) => [
    node,
    left,
    right,
    flowsRight,
  ]);
  assert.deepEqual(found, steps);
});

function forwardOf({ rows, values }: Json): Forward {
  const graph = graphOf(rows);
  const order = [...rows.keys()];
  return forward(graph, order, makeSteps(graph, order), new Map(Object.entries<number>(values)));
}

units("pipeline", "forward", (row) => {
  const [data, lefts, rights] = forwardOf(row);
  const or0 = (locals: readonly number[]) => Array.from(locals, (local) => local ?? 0);
  assertMembers({ data, lefts: or0(lefts), rights: or0(rights) }, row);
});

units("pipeline", "forward_errors", (row) => {
  assert.deepEqual(
    refusal(() => forwardOf(row)),
    row.error,
  );
});

/** Return the gradients, and [node, left, right] of the running gradients of each operation. */
function backwardOf(row: Json): [readonly number[], Json[]] {
  const graph = graphOf(row.rows);
  const order = [...row.rows.keys()];
  const steps = makeSteps(graph, order);
  const computed: Forward = [order.map(() => 0), column(row, "lefts"), column(row, "rights")];
  const [grads, lefts, rights] = backward(graph, order, steps, computed);
  const running = steps.map(({ node, flowsRight }) => [
    node,
    lefts[node],
    flowsRight ? rights[node] : null,
  ]);
  return [grads, running];
}

units("pipeline", "backward", (row) => {
  const [grads, running] = backwardOf(row);
  assert.deepEqual(grads, column(row, "grads"));
  const infinite = (number: Json) => (number === "Infinity" ? Infinity : number);
  assert.deepEqual(
    running,
    row.running.map((numbers: Json[]) => numbers.map(infinite)),
  );
});

units("pipeline", "backward_errors", (row) => {
  assert.deepEqual(
    refusal(() => backwardOf(row)),
    row.error,
  );
});

units("pipeline", "template", (expected) => {
  const template = makeTemplate(graphOf(expected.rows), expected.order);
  assert.deepEqual(
    template.nodes.map(({ node }) => node),
    expected.order,
  );
  const nodes: Json[] = template.nodes.map(({ row }) => row);
  const edges = template.edges.map(({ row }) => row);
  for (const rows of [nodes, edges])
    assert.deepEqual(
      rows.map(({ id }) => id),
      [...rows.keys()],
    );
  const names = ["kind", "operation", "label", "derived"];
  assertMembers(
    {
      ...Object.fromEntries(names.map((name) => [name, nodes.map((row) => row[name])])),
      span: nodes.map(({ span }) => pair(span)),
      edges: edges.map(({ from, to, slot, differentiable }) => [from, to, slot, differentiable]),
      variables: template.variables.map(({ row }) => [row.label, row.id]),
    },
    expected,
  );
});

units("pipeline", "document", (row) => {
  const graph = graphOf(row.rows);
  const names: string[] = [...graph.variables.keys(), ...(row.unused ?? [])];
  const document = buildDocument(
    {
      expression: "...",
      values: new Map(names.map((name) => [name, 0])),
      parameters: row.parameters ?? [],
      view: "folded",
    },
    makeTemplate(graph, row.order),
    [column(row, "data"), column(row, "lefts"), column(row, "rights")],
    [column(row, "grads"), column(row, "running_lefts"), column(row, "running_rights")],
  );
  // A strict comparison distinguishes -0 from 0.
  assertMembers(
    {
      ...document,
      values: Object.entries(document.values),
      gradients: Object.entries(document.gradients),
      data: document.nodes.map(({ data }) => data),
      grad: document.nodes.map(({ grad }) => grad),
      kind: document.nodes.map(({ kind }) => kind),
      edges: document.edges.map((edge) => [
        edge.incoming_grad,
        edge.local_grad,
        edge.contribution,
        edge.running_grad,
      ]),
    },
    row.document,
  );
});
