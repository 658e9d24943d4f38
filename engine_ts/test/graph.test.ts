import assert from "node:assert/strict";
import { test } from "node:test";
import { Graph } from "../src/graph.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { operationOf } from "../src/operations.ts";
import { expansionOf, graphOf, refusal } from "./helpers.ts";

const EXPANSIONS = [
  // symbol, operands, symbols, columns, literals
  ["-", [0, 1], ["*", "+"], [[], [1, 2], [0, 3]], [-1, 0, 0]],
  ["/", [0, 1], ["**", "*"], [[], [1, 2], [0, 3]], [-1, 0, 0]],
  ["neg", [1], ["*"], [[], [1, 2]], [-1, 0]],
  ["-", [1, 1], ["*", "+"], [[], [1, 2], [1, 3]], [-1, 0, 0]],
] as const;

test("the columns of the lessons example", () => {
  const graph = new Graph(DEFAULT_LIMITS);
  const a = graph.addVariable("a", { start: 1, end: 2 });
  const b = graph.addVariable("b", { start: 5, end: 6 });
  const total = graph.addOperation(operationOf("+"), [a, b], { start: 1, end: 6 });
  const two = graph.addConstant(2.5, null);
  const product = graph.addOperation(operationOf("*"), [total, two], null);
  assert.deepEqual([a, b, total, two, product], [0, 1, 2, 3, 4]);
  assert.deepEqual(graph.labels, ["a", "b", null, null, null]);
  assert.deepEqual(graph.operations, [null, null, operationOf("+"), null, operationOf("*")]);
  assert.deepEqual(graph.operands, [[], [], [0, 1], [], [2, 3]]);
  assert.deepEqual(graph.literals, [0, 0, 0, 2.5, 0]);
  const spans = graph.spans.map((span) => span && [span.start, span.end]);
  assert.deepEqual(spans, [[1, 2], [5, 6], [1, 6], null, null]);
  assert.deepEqual(Object.fromEntries(graph.variables), { a: 0, b: 1 });
});

test("a variable is told from what has its name as label", () => {
  const graph = graphOf(["a", 2, ["+", 0, 1]]);
  graph.labels[1] = graph.labels[2] = "a";
  assert.deepEqual(
    [0, 1, 2].map((node) => graph.isVariable(node)),
    [true, false, false],
  );
  graph.labels[1] = graph.labels[2] = null;
  assert.deepEqual(
    [0, 1, 2].map((node) => graph.isVariable(node)),
    [true, false, false],
  );
});

test("an expansion adds primitives with one span", () => {
  for (const [symbol, operands, symbols, columns, literals] of EXPANSIONS) {
    const graph = graphOf(["x", "y"]);
    const root = graph.addExpansion(expansionOf(symbol), operands, { start: 3, end: 8 });
    assert.equal(root, graph.operations.length - 1);
    const added = graph.operations.filter((operation) => operation !== null);
    assert.deepEqual(
      added.map((operation) => operation.symbol),
      symbols,
    );
    assert.deepEqual(graph.operands.slice(2), columns);
    assert.deepEqual(graph.literals.slice(2), literals);
    assert.deepEqual(
      graph.spans.slice(2),
      columns.map(() => ({ start: 3, end: 8 })),
    );
    assert.ok(added.every((operation) => !operation.derived));
  }
});

test("a full graph takes no more nodes", () => {
  const full = graphOf(["a", 1], { ...DEFAULT_LIMITS, nodes: 2 });
  const span = { start: 4, end: 9 };
  const expected = { code: "limit_exceeded", span, name: "nodes", limit: 2, actual: 3 };
  const calls = [
    () => full.addOperation(operationOf("+"), [0, 1], span),
    () => full.addConstant(1, span),
    () => full.addVariable("b", span),
    () => full.addExpansion(expansionOf("neg"), [0], span),
  ];
  for (const call of calls) assert.deepEqual(refusal(call), expected);
  for (const column of [full.operations, full.operands, full.labels, full.literals, full.spans]) {
    assert.equal(column.length, 2);
  }
});

test("an expansion counts every node", () => {
  const graph = graphOf(["x", "y"], { ...DEFAULT_LIMITS, nodes: 4 });
  assert.equal(refusal(() => graph.addExpansion(expansionOf("-"), [0, 1], null)).actual, 5);
});
