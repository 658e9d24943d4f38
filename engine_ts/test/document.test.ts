/** What a document holds wherever its numbers come from. Fixtures hold its rows, case by case. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { buildDocument } from "../src/document.ts";
import { introspect, prepare } from "../src/introspect.ts";
import type { Request } from "../src/request.ts";

function numbersIn(content: unknown): number[] {
  if (typeof content === "number") return [content];
  if (typeof content !== "object" || content === null) return [];
  return Object.values(content).flatMap(numbersIn);
}

test("minus zero is written as zero everywhere", () => {
  const zeros = [-0, -0, -0];
  const values = new Map([["a", -0]]);
  const request: Request = { expression: "", values, parameters: [], view: "folded" };
  const { template } = prepare("-a * a");
  const computed = [zeros, zeros, [0, 0, 1]] as const; // a contribution is -0, too
  const document = buildDocument(request, template, computed, [zeros, zeros, zeros]);
  const { contract: _, nodes, edges, ...rest } = document;
  const spanless = nodes.map((node) => ({ ...node, span: null }));
  const numbers = numbersIn([rest, spanless, edges]).filter((number) => number === 0);
  // result, value and gradient; data and grad of three nodes; four numbers of three edges, one a 1;
  // and, as JavaScript has one kind of number: two ids, two ends, two slots, two orders.
  assert.equal(numbers.length, 3 + 6 + 11 + 8);
  for (const number of numbers) assert.equal(number, 0);
});

test("the order of members is that of first use and of unused values the alphabet's", () => {
  const document = introspect("b + a", { z: 1, a: 2, Z: 3, b: 4, _: 5 });
  assert.deepEqual(Object.keys(document.values), ["b", "a"]);
  assert.deepEqual(Object.keys(document.gradients), ["b", "a"]);
  assert.deepEqual(document.unused_values, ["Z", "_", "z"]);
});
