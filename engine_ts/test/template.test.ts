import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTemplate } from "../src/template.ts";
import { graphOf, programOf } from "./helpers.ts";

test("nodes are numbered by their place in the order", () => {
  const template = makeTemplate(graphOf(["unreached", "b", "a", ["*", 2, 1]]), [2, 1, 3]);
  const rows = template.nodes.map(({ node, row }) => [node, row.id, row.label, row.operation]);
  assert.deepEqual(rows, [
    [2, 0, "a", null],
    [1, 1, "b", null],
    [3, 2, null, "*"],
  ]);
  assert.deepEqual(
    template.variables.map(({ node, row }) => [row.label, node, row.id]),
    [
      ["a", 2, 0],
      ["b", 1, 1],
    ],
  );
});

test("edges are numbered by operation and slot and know their operation's node", () => {
  const template = makeTemplate(graphOf(["a", "b", ["-", 1, 0], ["+", 2, 2]]), [1, 0, 2, 3]);
  const rows = template.edges.map(({ node, row }) => [node, row.id, row.from, row.to, row.slot]);
  assert.deepEqual(rows, [
    [2, 0, 0, 2, 0],
    [2, 1, 1, 2, 1],
    [3, 2, 2, 3, 0],
    [3, 3, 2, 3, 1],
  ]);
});

test("a row says what the text says", () => {
  const template = makeTemplate(programOf("n = 2 - a; n ** 3").graph, [0, 1, 2, 3, 4]);
  const told = template.nodes.map(({ row }) => [row.kind, row.label, row.derived, row.span]);
  assert.deepEqual(told, [
    ["constant", null, false, { start: 4, end: 5 }],
    ["input", "a", false, { start: 8, end: 9 }],
    ["operation", "n", true, { start: 4, end: 9 }],
    ["constant", null, false, { start: 16, end: 17 }],
    ["operation", null, false, { start: 11, end: 17 }],
  ]);
  assert.deepEqual(
    template.variables.map(({ node }) => node),
    [1],
  );
  // 2 - a has two gradients to give, and a power gives none to its exponent.
  const differentiable = template.edges.map(({ row }) => row.differentiable);
  assert.deepEqual(differentiable, [true, true, true, false]);
});
