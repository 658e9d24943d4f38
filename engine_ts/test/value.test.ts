/** Value: the lessons' object, on the same operations. Fixtures try its documents, too. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { introspect } from "../src/introspect.ts";
import { OPERATIONS } from "../src/operations.ts";
import { introspectValue, Value } from "../src/value.ts";
import { apply, assertRefusal, programsOfFixtures, refusal, valueOfText } from "./helpers.ts";
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

test("a leaf has data and a label and nothing else", () => {
  const a = new Value(2, "a");
  assert.deepEqual([a.data, a.grad, a.label], [2, 0, "a"]);
  assert.deepEqual([a._children, a._local_grads, a._op], [[], [], ""]);
  assert.equal(new Value(-1.5).label, "");
});

test("a power has a constant exponent", () => {
  const a = new Value(2, "a");
  const cube = a.pow(3);
  assert.deepEqual([cube._op, cube.data, cube._local_grads], ["**", 8, [12, null]]);
  const [base, exponent] = cube._children as [Value, Value];
  assert.equal(base, a);
  assert.deepEqual([exponent.data, exponent.label, exponent._op], [3, "", ""]);
  cube.backward();
  assert.deepEqual([a.grad, exponent.grad], [12, 0]);
  assert.equal(new Value(4).pow(0.5).data, 2);
  assert.equal(new Value(4).pow(-1).data, 0.25);
});

test("a number may be the other operand", () => {
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

test("a value is no exponent", () => {
  const [a, b] = leaves(2, 3) as [Value, Value];
  const expected = { code: "exponent_not_literal", span: null };
  assertRefusal(expected, () => a.pow(b as Json));
  assertRefusal(expected, () => a.pow(a as Json));
});

test("values have the documents and gradients of texts", () => {
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
    const root = valueOfText(expression, values);
    assert.deepEqual(introspectValue(root), document);
    assert.equal(root.data + 0, document.result);
    tried += 1;
    if (edges.some((edge: Json) => edge.differentiable && edge.running_grad === null)) {
      // of a constant, which backward does not tell from a variable
      assert.equal(refusal(() => root.backward()).code, "non_finite");
      continue;
    }
    root.backward();
    assert.deepEqual(gradientsOf(root), document.gradients);
  }
  assert.ok(tried > 300);
});

test("values are refused where texts are", () => {
  let tried = 0;
  for (const [expression, values, expected] of programsOfFixtures()) {
    const code = expected.error?.code;
    if (code !== "domain_error" && code !== "non_finite") continue;
    const error = refusal(() => valueOfText(expression, values).backward());
    assert.deepEqual([error.code, error.node], [code, null]);
    tried += 1;
  }
  assert.ok(tried > 50);
});

test("backward changes only what the root depends on", () => {
  const [a, b] = leaves(2, 3) as [Value, Value];
  const inner = a.mul(b);
  const outer = inner.add(a);
  inner.backward();
  assert.deepEqual([a.grad, b.grad, inner.grad, outer.grad], [3, 2, 1, 0]);
});

test("a second backward adds stale inner gradients too", () => {
  const [a, b, c] = leaves(2, 3, 10) as [Value, Value, Value];
  const d = a.mul(b).add(c);
  d.backward();
  assert.deepEqual([a.grad, b.grad, c.grad], [3, 2, 1]);
  d.backward();
  // a * b has the gradient 1 + 1 by now, so a gets 3 + 2 * 3: not twice, but three times as much.
  assert.deepEqual([a.grad, b.grad, c.grad], [9, 6, 2]);
});

test("gradients at depth one double with a second backward", () => {
  const [a, b] = leaves(2, 3) as [Value, Value];
  const product = a.mul(b);
  product.backward();
  product.backward();
  assert.deepEqual([a.grad, b.grad, product.grad], [6, 4, 1]);
});

test("a chain of any length is walked without recursion", () => {
  const length = 20_000;
  const a = new Value(1, "a");
  let root = a;
  for (let index = 0; index < length; index++) root = root.add(a);
  root.backward();
  assert.deepEqual([root.data, a.grad], [length + 1, length + 1]);
  const document = introspectValue(root, { limits: { nodes: length + 1 } });
  assert.deepEqual([document.root, document.gradients], [length, { a: length + 1 }]);
});

test("introspection computes anew and leaves the values as they are", () => {
  const [a, b] = leaves(2, 3) as [Value, Value];
  const root = a.mul(b).add(1);
  const product = root._children[0]!;
  Object.assign(a, { data: 5 });
  Object.assign(root, { data: 99, grad: 7 });
  const document = introspectValue(root);
  assert.deepEqual(document.values, { a: 5, b: 3 });
  assert.deepEqual([document.result, document.gradients], [16, { a: 3, b: 5 }]);
  assert.deepEqual([root.data, product.data, product._local_grads], [99, 6, [3, 2]]);
  assert.deepEqual([a.grad, b.grad, root.grad], [0, 0, 7]);
});

test("a leaf whose data became no finite number is named", () => {
  const builds = [(a: Value) => a, (a: Value) => a.add(1), (a: Value) => a.relu()];
  for (const nonsense of [Infinity, -Infinity, NaN]) {
    for (const label of ["a", ""]) {
      for (const build of builds) {
        const a = new Value(2, label);
        const root = build(a);
        a.data = nonsense;
        const expected = { code: "invalid_value", span: null, name: label, pointer: "" };
        assertRefusal(expected, () => introspectValue(root));
      }
    }
  }
});

test("a shared value is walked once", () => {
  const a = new Value(1, "a");
  let doubled = a;
  for (let i = 0; i < 60; i++) doubled = doubled.add(doubled);
  doubled.backward();
  assert.equal(a.grad, 2 ** 60);
});

test("a label given later counts", () => {
  const a = new Value(2);
  const root = a.mul(a);
  a.label = "a";
  root.label = "square";
  const document = introspectValue(root);
  assert.deepEqual(
    document.nodes.map((node) => node.label),
    ["a", "square"],
  );
  assert.deepEqual(document.gradients, { a: 4 });
});

test("a value is made of a finite number", () => {
  const a = new Value(2, "a");
  const methods = ["add", "sub", "mul", "div", "pow"] as const;
  for (const data of [null, undefined, true, "2", [], NaN, Infinity, -Infinity, 2n] as Json[]) {
    const expected = { code: "invalid_value", span: null, name: "w", pointer: "" };
    assertRefusal(expected, () => new Value(data, "w"));
    for (const method of methods) {
      assertRefusal({ ...expected, name: "" }, () => a[method](data));
    }
  }
});

test("gradients beyond the doubles are refused by backward", () => {
  const [a, b] = leaves(0, 1e200) as [Value, Value];
  const root = a.mul(b).mul(b);
  const where = { node: null, operation: "*", operands: [0, 1e200], slot: 0 };
  const expected = { code: "non_finite", span: null, stage: "contribution", ...where };
  assertRefusal(expected, () => root.backward());
  for (const value of [a, b, root._children[0]!]) value.grad = 0;
  a.data = NaN; // and what is no finite number by now is written as null
  root._children[0]!.data = Infinity;
  assertRefusal({ ...expected, operands: [null, 1e200] }, () => root.backward());
  const steep = refusal(() => new Value(5e-324, "a").log().backward());
  assert.deepEqual([steep.stage, steep.slot], ["local_grad", 0]); // 1 / 5e-324 is no double
});

test("a value shows its data gradient and label", () => {
  const a = new Value(2, "a");
  a.mul(-3).backward();
  assert.equal(String(a), 'Value(data=2, grad=-3, label="a")');
  assert.equal(String(new Value(-0.5)), "Value(data=-0.5, grad=0)");
});

/** Make a Value whose data was set to anything afterwards, as a training step may do. */
function setTo(data: Json, label = ""): Value {
  const value = new Value(2, label);
  value.data = data;
  return value;
}

test("an operand whose data was set to no finite number is refused", () => {
  for (const [symbol, { arity }] of OPERATIONS) {
    const slots = symbol === "**" ? [0] : [...Array(arity).keys()]; // an exponent is a plain number
    for (const slot of slots) {
      for (const data of [NaN, Infinity, -Infinity]) {
        const operands = Array.from({ length: arity }, () => new Value(3));
        operands[slot] = setTo(data, "w");
        const expected = operands.map((_, place) => (place === slot ? null : 3));
        const where = { stage: "data", node: null, operation: symbol, operands: expected, slot };
        const call = () => apply(symbol, operands[0]!, operands[1]);
        assertRefusal({ code: "non_finite", span: null, ...where }, call);
      }
    }
  }
});

test("data is not set to what is no number", () => {
  const value = new Value(3, "w");
  for (const data of [null, undefined, true, "2", [1], 1n] as Json[]) {
    const expected = { code: "invalid_value", span: null, name: "w", pointer: "" };
    assertRefusal(expected, () => (value.data = data));
  }
  assert.equal(value.data, 3);
});

test("a message names the operand and what to do", () => {
  assert.throws(() => new Value(1, "x").mul(setTo(NaN, "w")), {
    message:
      "the data of operand 1 (`w`) of `*` is not finite; if training set it, use a smaller " +
      "learning rate",
  });
  assert.throws(() => setTo(Infinity).log(), /^.*the data of operand 0 of `log` is not finite;/);
  const hint = "has no finite slope at 0; use a value above 0";
  for (const [steep, name] of [
    [new Value(0).sqrt(), "`sqrt`"],
    [new Value(0).pow(0.5), "`x ** c` with c < 1"],
  ] as const) {
    assert.throws(
      () => steep.backward(),
      (error: Error) => error.message.endsWith(`is infinite: ${name} ${hint}`),
    );
  }
});

test("a grad that was set to no finite number is refused before anything changes", () => {
  const where = { node: null, operation: null, operands: [], slot: null };
  const nonFinite = { code: "non_finite", span: null, stage: "grad", ...where };
  const invalid = { code: "invalid_value", span: null, name: "inner", pointer: "" };
  const cases = [
    [NaN, nonFinite],
    [Infinity, nonFinite],
    [null, invalid],
    ["0", invalid],
  ];
  for (const [grad, expected] of cases as [Json, Json][]) {
    const [a, b] = leaves(2, 3) as [Value, Value];
    const inner = a.mul(b);
    const root = inner.add(a);
    inner.grad = grad;
    inner.label = "inner";
    assertRefusal(expected, () => root.backward());
    assert.deepEqual([a.grad, b.grad], [0, 0]);
    assert.throws(() => root.backward(), /the grad \(`inner`\) before backward.* set it to 0/);
  }
});

test("the grad of the root is set by backward whatever it was", () => {
  const a = new Value(2, "a");
  const root = a.mul(3);
  root.grad = NaN;
  root.backward();
  assert.deepEqual([root.grad, a.grad], [1, 3]);
});

test("gradients belong to the data at which the operations were computed", () => {
  const [a, b] = leaves(2, 3) as [Value, Value];
  const product = a.mul(b);
  a.data = NaN;
  product.backward();
  assert.deepEqual([a.grad, b.grad], [3, 2]);
});

// What readers of micrograd look at

test("one may walk by hand from the root to the leaves", () => {
  const data = { x1: 2, x2: 0, w1: -3, w2: 1, b: 6.881373587019543 };
  const [x1, x2, w1, w2, b] = Object.entries(data).map(([name, number]) => new Value(number, name));
  const products = [x1!.mul(w1!), x2!.mul(w2!)] as const;
  const both = products[0].add(products[1]);
  const n = both.add(b!);
  const o = n.tanh();
  o.grad = 1;
  for (const node of [o, n, b!, both, ...products]) node._backward();
  const rounded = [x1, w1, x2, w2, b].map((leaf) => Number(leaf!.grad.toFixed(12)));
  assert.deepEqual(rounded, [-1.5, 1, 0.5, 0, 0.5]);
});

test("one step checks grads as backward does", () => {
  const a = new Value(2, "a");
  const b = a.mul(3);
  b.grad = 1;
  b._backward();
  assert.equal(a.grad, 3);
  a.grad = Infinity;
  assert.throws(() => b._backward(), /the grad \(`a`\) before backward\(\) is not finite/);
});

test("the operands are a set, with the exponent", () => {
  const a = new Value(2, "a");
  const power = a.mul(a).pow(2);
  const [square, exponent] = power._children;
  assert.deepEqual(power._prev, new Set([square, exponent]));
  assert.deepEqual(square!._prev, new Set([a]));
  assert.deepEqual(a._prev, new Set());
  assert.deepEqual([a._op, square!._op, power._op], ["", "*", "**"]);
});

test("what only micrograd's own code writes is refused in words", () => {
  const Make = Value as unknown as new (...inner: unknown[]) => Value;
  const [a, b] = leaves(1, 2);
  for (const inner of [
    [3, [a, b]],
    [3, "", "+"],
    [3, null],
    [9, [a], "**2"],
  ]) {
    assert.throws(
      () => new Make(...inner),
      /TypeError: a Value is made as new Value\(data, label\)/,
    );
  }
  const result: Json = a!.add(b!);
  assert.throws(() => (result._backward = () => {}), /backward step of a Value cannot be replaced/);
  assert.throws(() => (result._prev = new Set()), TypeError);
});

test("micrograd's sanity check", () => {
  const x = new Value(-4);
  const z = x.mul(2).add(2).add(x); // -10, slope 3
  const q = z.relu().add(z.mul(x)); // 40, slope 3x + z = -22
  const h = z.mul(z).relu(); // 100, slope 2z * 3 = -60
  const y = h.add(q).add(q.mul(x)); // 100 + 40 - 160; slope -60 - 22 + 40 + 88
  y.backward();
  assert.deepEqual([y.data, x.grad], [-20, 46]);
});

test("a method takes as many operands as its operation", () => {
  const x: any = new Value(1);
  const rows: [() => Value, string][] = [
    [() => x.min(), "`a.min(b)` takes 1 more operand, not 0"],
    [() => x.min(2, 3), "`a.min(b)` takes 1 more operand, not 2"],
    [() => x.sqrt(5), "`a.sqrt()` takes 0 more operands, not 1"],
  ];
  for (const [call, message] of rows) assert.throws(call, { name: "TypeError", message });
  assert.equal(x.min(2).data, 1);
});

test("an operator of JavaScript is refused, and a text is not", () => {
  const x: any = new Value(2, "x");
  const message = /write `a.add\(3\)` for `a \+ 3` and `a.mul\(3\)` for `a \* 3`$/;
  for (const operate of [() => x + 3, () => 3 * x, () => -x, () => x ** 2, () => x < 3]) {
    assert.throws(operate, { name: "TypeError", message });
  }
  const shown = 'Value(data=2, grad=0, label="x")';
  assert.deepEqual([`${x}`, String(x), [x].join()], [shown, shown, shown]);
  assert.match(inspect(x), /data: 2/); // what console.log writes
});
