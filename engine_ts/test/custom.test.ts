/** Custom operations and derived classes. */

import assert from "node:assert/strict";
import { test } from "node:test";

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
import { refusal } from "./helpers.ts";

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
