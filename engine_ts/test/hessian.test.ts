/** Second derivatives beside differences of gradients. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import { hessian } from "../src/lab/hessian.ts";
import { introspectValue, Value } from "../src/value.ts";

const NEURON = "n = x1*w1 + x2*w2 + b; o = tanh(n); (o - y) ** 2";
const AT: Record<string, number> = { x1: 2, x2: -0.5, w1: 0.3, w2: -0.7, b: 0.1, y: 0.4 };
const NAMES = Object.keys(AT);

test("the neuron's second derivatives are the differences of its gradients", () => {
  const found = hessian(introspect(NEURON, AT)).hessian;
  const step = 2 ** -17;
  for (const [name, value] of Object.entries(AT)) {
    const [above, below] = [step, -step].map(
      (h) => introspect(NEURON, { ...AT, [name]: value + h }).gradients,
    );
    for (const other of NAMES) {
      const quotient = (above![other]! - below![other]!) / (2 * step);
      const apart = Math.abs(found[other]![name]! - quotient);
      assert.ok(apart <= 1e-9 + 1e-7 * Math.abs(quotient), `${other} ${name} ${apart}`);
    }
  }
});

test("a product with a vector is that of the whole matrix", () => {
  const vector = { x1: 1, w2: -2, b: 0.5 };
  const { hessian: rows, product } = hessian(introspect(NEURON, AT), { vector });
  for (const name of NAMES) {
    const whole = Object.entries(vector).reduce(
      (sum, [other, part]) => sum + rows[name]![other]! * part,
      0,
    );
    assert.ok(Math.abs(product![name]! - whole) <= 1e-15 + 1e-13 * Math.abs(whole));
  }
});

test("a directional derivative is that of the gradients", () => {
  const vector = { x1: 1, w2: -2, b: 0.5 };
  const result = hessian(introspect(NEURON, AT), { variables: [], vector });
  const byGradients = Object.entries(vector).reduce(
    (sum, [name, part]) => sum + result.document.gradients[name]! * part,
    0,
  );
  const apart = Math.abs(result.directional_derivative! - byGradients);
  assert.ok(apart <= 1e-13 * Math.abs(byGradients));
});

test("a graph of Values has second derivatives", () => {
  const [x, y] = [new Value(3, "an x"), new Value(2, "y")];
  const options = { variables: ["an x"], vector: { y: 1 } };
  const result = hessian(introspectValue(x.mul(x).mul(y)), options);
  assert.deepEqual(result.hessian, { "an x": { "an x": 4 } });
  assert.deepEqual(result.product, { "an x": 6, y: 0 });
});

test("a zero is written without a sign", () => {
  const document = introspect("x * -0.0 * x", { x: -1 });
  const { hessian: rows, product } = hessian(document, { vector: { x: -1 } });
  assert.ok(Object.is(rows["x"]!["x"], 0));
  assert.ok(Object.is(product!["x"], 0));
});
