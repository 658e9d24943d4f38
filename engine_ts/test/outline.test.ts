// The outline of a program; parity_tests/fixtures/outline has its behaviour.

import assert from "node:assert/strict";
import { test } from "node:test";
import { outline } from "../src/introspect.ts";
import { refusal } from "./helpers.ts";
import type { Json } from "./helpers.ts";

test("the view and the limits are those of a request", () => {
  const refused = (text: string, options: Json) => refusal(() => outline(text, options));
  assert.equal(outline("a - b", { view: "primitive" }).nodes.length, 5);
  assert.equal(refused("a - b", { view: "flat" }).pointer, "/view");
  assert.equal(refused("a - b", { view: "primitive", limits: { nodes: 4 } }).limit, 4);
  assert.equal(refused("a", { parameters: ["v", "w"], limits: { variables: 1 } }).actual, 2);
  assert.equal(refused("abc", { limits: { characters: 2 } }).name, "characters");
});

test("a caller may change an outline", () => {
  const span: Json = outline("a + b").nodes[0]!.span;
  span.start = 99;
  assert.deepEqual(outline("a + b").nodes[0]!.span, { start: 0, end: 1 });
});
