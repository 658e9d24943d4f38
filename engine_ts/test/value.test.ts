/** Value: the class of the lessons, with the operations of the engine. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import {
  accuracy,
  descend,
  experiment,
  hessian,
  introspect,
  introspectValue,
  paths,
  Value,
} from "../src/index.ts";
import {
  assertRefusal,
  carryOut,
  hold,
  make,
  programsOfFixtures,
  refusal,
  units,
  valuesOfText,
} from "./helpers.ts";
import type { Json } from "./helpers.ts";

type Numbers = Record<string, number>;

function leaves(...data: number[]): Value[] {
  return data.map((number, index) => new Value(number, "abcdef"[index]));
}

/** Return the gradients of the labelled leaves below a root. */
function gradientsOf(root: Value): Numbers {
  const found = new Set([root]);
  for (const value of found) value._children.forEach((child) => found.add(child));
  const variables = [...found].filter((value) => value._op === "" && value.label !== "");
  return Object.fromEntries(variables.map((value) => [value.label, value.grad]));
}

units("value", "graphs", carryOut);

units("value", "made", ({ rows, ...expected }) => {
  const nodes = new Map([..."xy"].map((name) => [name, new Value(0.5, name)]));
  for (const row of rows) hold(expected, () => make(row, nodes));
});

test("an operand may be a number", () => {
  const a = new Value(6, "a");
  const cases: [Value, data: number][] = [
    [a.add(2), 8],
    [a.sub(2), 4],
    [a.mul(2), 12],
    [a.div(2), 3],
  ];
  for (const [value, data] of cases) {
    assert.equal(value.data, data);
    assert.equal(value._children[0], a);
    assert.deepEqual([value._children[1]!.data, value._children[1]!.label], [2, ""]);
  }
});

test("an exponent must be a number", () => {
  const [a, b] = leaves(2, 3) as [Value, Value];
  const expected = { code: "exponent_not_literal", span: null };
  assertRefusal(expected, () => a.pow(b as Json));
  assertRefusal(expected, () => a.pow(a as Json));
});

test("a graph of Values has the document and gradients of its text", () => {
  let tried = 0;
  for (const [expression, values, expected] of programsOfFixtures()) {
    if (!("document" in expected)) continue;
    const document: Json = introspect(expression, values);
    const { nodes, edges } = document;
    // A leaf with a label is a variable.
    if (nodes.some(({ kind, label }: Json) => kind === "constant" && label !== null)) continue;
    document.expression = null;
    document.unused_values = [];
    for (const node of nodes) node.span = null;
    const root = valuesOfText(expression, values).at(-1)!;
    assert.deepEqual(introspectValue(root), document);
    assert.equal(root.data + 0, document.result);
    tried += 1;
    if (edges.some((edge: Json) => edge.differentiable && edge.running_grad === null)) {
      // that of a constant, which backward treats as a variable
      assert.equal(refusal(() => root.backward()).code, "non_finite");
      continue;
    }
    root.backward();
    assert.deepEqual(gradientsOf(root), document.gradients);
  }
  assert.ok(tried > 300);
});

test("Values have the errors of their texts", () => {
  let tried = 0;
  for (const [expression, values, expected] of programsOfFixtures()) {
    const code = expected.error?.code;
    if (code !== "domain_error" && code !== "non_finite") continue;
    const error = refusal(() => valuesOfText(expression, values).at(-1)!.backward());
    assert.deepEqual([error.code, error.node], [code, null]);
    tried += 1;
  }
  assert.ok(tried > 50);
});

test("a long chain needs no recursion", () => {
  const length = 20_000;
  const a = new Value(1, "a");
  let root = a;
  for (let index = 0; index < length; index++) root = root.add(a);
  root.backward();
  assert.deepEqual([root.data, a.grad], [length + 1, length + 1]);
  const document = introspectValue(root, { limits: { nodes: length + 1 } });
  assert.deepEqual([document.root, document.gradients], [length, { a: length + 1 }]);
});

test("a shared Value is visited once", () => {
  const a = new Value(1, "a");
  let doubled = a;
  for (let i = 0; i < 60; i++) doubled = doubled.add(doubled);
  doubled.backward();
  assert.equal(a.grad, 2 ** 60);
});

test("operands and data must be finite numbers", () => {
  const a = new Value(2, "a");
  const methods = ["add", "sub", "mul", "div", "pow"] as const;
  for (const data of [null, undefined, true, "2", [], NaN, Infinity, -Infinity, 2n] as Json[]) {
    const expected = { code: "invalid_value", span: null, name: "", pointer: "" };
    assertRefusal(expected, () => new Value(data));
    for (const method of methods) assertRefusal(expected, () => a[method](data));
  }
});

test("String shows the data, the gradient and the label of a Value", () => {
  const a = new Value(2, "a");
  a.mul(-3).backward();
  assert.equal(String(a), 'Value(data=2, grad=-3, label="a")');
  assert.equal(String(new Value(-0.5)), "Value(data=-0.5, grad=0)");
});

test("`_backward` and `_prev` cannot be assigned", () => {
  const result: Json = new Value(1).add(2);
  assert.throws(() => (result._backward = () => {}), /backward step of a Value cannot be replaced/);
  assert.throws(() => (result._prev = new Set()), TypeError);
});

test("a method rejects a wrong number of operands", () => {
  const x: any = new Value(1);
  const rows: [() => Value, string][] = [
    [() => x.min(), "`a.min(b)` takes 1 more operand, not 0"],
    [() => x.min(2, 3), "`a.min(b)` takes 1 more operand, not 2"],
    [() => x.sqrt(5), "`a.sqrt()` takes 0 more operands, not 1"],
  ];
  for (const [call, message] of rows) assert.throws(call, { name: "TypeError", message });
  assert.equal(x.min(2).data, 1);
});

test("JavaScript's operators on a Value are rejected, and String is not", () => {
  const x: any = new Value(2, "x");
  const message = /write `a.add\(3\)` for `a \+ 3` and `a.mul\(3\)` for `a \* 3`$/;
  for (const operate of [() => x + 3, () => 3 * x, () => -x, () => x ** 2, () => x < 3]) {
    assert.throws(operate, { name: "TypeError", message });
  }
  const shown = 'Value(data=2, grad=0, label="x")';
  assert.deepEqual([`${x}`, String(x), [x].join()], [shown, shown, shown]);
  assert.match(inspect(x), /data: 2/); // what console.log writes
});

// Derived classes

class Noted extends Value {
  readonly note: string;

  constructor(data: number, note: string) {
    super(data, note);
    this.note = note;
  }
}

test("operations on a derived class return that class", () => {
  const x = new Noted(2, "x");
  const two = new Value(2);
  for (const made of [x.add(1), x.pow(2), x.neg(), x.tanh(), two.mul(x), x.max(two)]) {
    assert.equal(made.constructor, Noted);
    x.grad = 0;
    made.backward();
    assert.deepEqual(introspectValue(made).gradients, { x: x.grad });
  }
  assert.deepEqual(x.mul(3)._children[1]!.constructor, Noted);
  assert.equal(two.add(1).constructor, Value);
});

test("a text, a Value and their document have the same results", () => {
  const text = "(w * x - y) ** 2";
  const values = { w: 1.5, x: 2, y: -0.5 };
  const document = introspect(text, values, { parameters: ["w"] });
  const [w, x, y] = Object.entries(values).map(([name, data]) => new Value(data, name));
  const loss = w!.mul(x!).sub(y!).pow(2);
  const own = introspectValue(loss, { parameters: ["w"] });
  const plain = introspect(text, values);
  assert.deepEqual(experiment(text, values), experiment(plain));
  assert.deepEqual(paths(text, values, { node: "w" }), paths(plain, {}, { node: "w" }));
  assert.deepEqual(hessian(text, values), hessian(plain));
  assert.deepEqual(accuracy(text, values), accuracy(plain));
  assert.deepEqual(accuracy(loss, {}, { parameters: ["w"] }), accuracy(own));
  const settings = { parameters: ["w"], steps: 2, learning_rate: 0.125 };
  assert.deepEqual(descend(text, values, settings), descend(document, {}, settings));
  assert.deepEqual(descend(loss, {}, settings), descend(own, {}, settings));
  assert.equal(refusal(() => experiment("w"))["code"], "missing_value");
});
