import assert from "node:assert/strict";
import { test } from "node:test";
import { backward } from "../src/backward.ts";
import { buildDocument, CONTRACT } from "../src/document.ts";
import type { Document } from "../src/document.ts";
import { forward } from "../src/forward.ts";
import type { Graph } from "../src/graph.ts";
import { makeSteps } from "../src/order.ts";
import { makeTemplate } from "../src/template.ts";
import type { Request } from "../src/request.ts";
import { graphOf } from "./helpers.ts";

function documentOf(
  graph: Graph,
  order: number[],
  values: Record<string, number>,
  options: Partial<Request> = {},
): Document {
  const map = new Map(Object.entries(values));
  const request: Request = {
    expression: "the text",
    values: map,
    parameters: [],
    view: "folded",
    ...options,
  };
  const steps = makeSteps(graph, order);
  const computed = forward(graph, order, steps, map);
  const walked = backward(graph, order, steps, computed);
  return buildDocument(request, makeTemplate(graph, order), computed, walked);
}

function numbersIn(content: unknown): number[] {
  if (typeof content === "number") return [content];
  if (typeof content !== "object" || content === null) return [];
  return Object.values(content).flatMap(numbersIn);
}

/** The lessons' (a + b) * c. */
function example(): Graph {
  const graph = graphOf(["a", "b", ["+", 0, 1], "c", ["*", 2, 3]]);
  const spans = [
    { start: 1, end: 2 },
    { start: 5, end: 6 },
    { start: 1, end: 6 },
    { start: 10, end: 11 },
    { start: 0, end: 11 },
  ];
  graph.spans.splice(0, 5, ...spans);
  return graph;
}

test("the document of the lessons example", () => {
  const document = documentOf(example(), [0, 1, 2, 3, 4], { a: 2, b: -3, c: 10 });
  const { nodes, edges, ...rest } = document;
  assert.deepEqual(rest, {
    contract: CONTRACT,
    expression: "the text",
    values: { a: 2, b: -3, c: 10 },
    unused_values: [],
    view: "folded",
    root: 4,
    result: -10,
    gradients: { a: 10, b: 10, c: -1 },
    topological_order: [0, 1, 2, 3, 4],
    backward_order: [4, 3, 2, 1, 0],
  });
  assert.deepEqual(nodes[2], {
    id: 2,
    kind: "operation",
    operation: "+",
    label: null,
    data: -1,
    grad: 10,
    derived: false,
    span: { start: 1, end: 6 },
  });
  assert.deepEqual(nodes[3], {
    id: 3,
    kind: "input",
    operation: null,
    label: "c",
    data: 10,
    grad: -1,
    derived: false,
    span: { start: 10, end: 11 },
  });
  assert.deepEqual(edges[2], {
    id: 2,
    from: 2,
    to: 4,
    slot: 0,
    differentiable: true,
    incoming_grad: 1,
    local_grad: 10,
    contribution: 10,
    running_grad: 10,
  });
});

test("an id is a place in the order", () => {
  const graph = graphOf(["unreached", "b", "a", ["*", 2, 1], ["+", 3, 2]]);
  graph.labels[3] = "product";
  const document = documentOf(graph, [2, 1, 3, 4], { a: 2, b: 3, unreached: 1 });
  const nodes = document.nodes.map((node) => [node.id, node.label]);
  assert.deepEqual(nodes, [
    [0, "a"],
    [1, "b"],
    [2, "product"],
    [3, null],
  ]);
  const ends = document.edges.map((edge) => [edge.from, edge.to, edge.slot]);
  assert.deepEqual(ends, [
    [0, 2, 0],
    [1, 2, 1],
    [2, 3, 0],
    [0, 3, 1],
  ]);
  assert.deepEqual([document.root, document.result], [3, 8]);
});

test("values are those of the variables and the others are named", () => {
  const graph = graphOf(["b", "a", ["+", 0, 1]]);
  const document = documentOf(graph, [0, 1, 2], { z: 1, a: 2, Z: 3, b: 4, _: 5 });
  assert.deepEqual(Object.entries(document.values), [
    ["b", 4],
    ["a", 2],
  ]);
  assert.deepEqual(document.unused_values, ["Z", "_", "z"]);
});

test("minus zero is written as zero everywhere", () => {
  const graph = graphOf(["a", ["neg", 0], ["*", 1, 0]]);
  const zeros = [-0, -0, -0];
  const request: Request = {
    expression: "",
    values: new Map([["a", -0]]),
    parameters: [],
    view: "folded",
  };
  const document = buildDocument(
    request,
    makeTemplate(graph, [0, 1, 2]),
    [zeros, zeros, [0, 0, 1]], // a contribution is -0, too
    [zeros, zeros, zeros],
  );
  const numbers = numbersIn(document).filter((number) => number === 0);
  // result, value and gradient; data and grad of three nodes; four numbers of three edges, one a 1;
  // and, as JavaScript has one kind of number: two ids, two ends, two slots, two orders.
  assert.equal(numbers.length, 3 + 6 + 11 + 8);
  for (const number of numbers) assert.equal(number, 0);
});

test("the view of the request is told", () => {
  const document = documentOf(graphOf(["a"]), [0], { a: 1 }, { view: "primitive" });
  assert.equal(document.view, "primitive");
});
