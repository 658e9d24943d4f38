/** A text prepared once has the gradients and documents of the text. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect, prepare, sweep } from "../src/index.ts";

const NEURON = "tanh(x1*w1 + x2*w2 + b)";

test("gradients are those of the document", () => {
  const program = prepare(NEURON);
  assert.deepEqual(program.variables, ["x1", "w1", "x2", "w2", "b"]);
  for (let turn = 1; turn <= 50; turn += 1) {
    const numbers = program.variables.map((name, place) => [name, (turn * (place - 2.3)) / 40]);
    const values = Object.fromEntries(numbers);
    const document = introspect(NEURON, values);
    assert.deepEqual(program.gradients(values), document.gradients);
    assert.deepEqual(program.introspect(values), document);
  }
});

test("a document of a program may have parameters and the other view", () => {
  const options = { parameters: ["w"], view: "primitive" } as const;
  const document = prepare("a - w", options).introspect({ a: 1, w: 2 }, options);
  assert.deepEqual(document, introspect("a - w", { a: 1, w: 2 }, options));
});

test("the example's sweep is that of the text", () => {
  const values = { a: [1, 2, 3], b: -3, c: { from: 0, to: 1, count: 11 } };
  assert.deepEqual(prepare("(a + b) * c").sweep(values), sweep("(a + b) * c", values));
});

test("what is wrong is said when it is known", () => {
  assert.throws(() => prepare("2x"), { code: "unexpected_token" });
  assert.throws(() => prepare("a", { view: "flat" as "folded" }), { data: { pointer: "/view" } });
  assert.throws(() => prepare("a", { limits: { sweep_nodes: -1 } }), RangeError);
  const program = prepare("a * b", { limits: { sweep_nodes: 8, variables: 2 } });
  assert.throws(() => program.gradients({ a: 1 }), { data: { name: "b", names: ["b"] } });
  assert.throws(() => program.gradients({ a: 1, b: 2, c: 3 }), { code: "limit_exceeded" });
  assert.throws(() => program.sweep({ a: [1] }), { code: "missing_value" });
  const exceeded = {
    data: { name: "sweep_nodes", limit: 8, actual: 9 },
    message: /; use fewer points or a larger `limits.sweep_nodes`$/,
  };
  assert.throws(() => program.sweep({ a: [1, 2, 3], b: 1 }), exceeded);
});
