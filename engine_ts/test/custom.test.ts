/** Operations of one's own, and the other forms in which the lessons' code makes a Value. */

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

test("without a name it is custom", () => {
  const y = new Value(1, [new Value(0.5, "x")], [2]);
  assert.deepEqual([y._op, y._local_grads, y.label], ["custom", [2], ""]);
  assert.equal(introspectValue(y).nodes[1]!.name, "custom");
});

test("a leaf in micrograds form has a label", () => {
  const leaf = new Value(2, [], "", "a");
  assert.deepEqual([leaf.label, leaf._children, leaf._op], ["a", [], ""]);
  assert.deepEqual(new Value(2, [])._children, []);
});

class Noted extends Value {
  readonly note: string;

  constructor(data: number, note: string) {
    super(data, note);
    this.note = note;
  }
}

test("results of a derived class are of that class", () => {
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

/** The class of the lesson as it is written there: every operation with its local gradients. */
class OfTheLesson extends Value {
  override add(other: Value): Value {
    return new OfTheLesson(this.data + other.data, [this, other], [1, 1], "my +");
  }

  override mul(other: Value): Value {
    return new OfTheLesson(this.data * other.data, [this, other], [other.data, this.data], "my *");
  }
}

test("the lessons own class runs on this one", () => {
  const [a, b, c] = [new OfTheLesson(2, "a"), new OfTheLesson(-3, "b"), new OfTheLesson(10, "c")];
  const product = a.add(b).mul(c);
  product.backward();
  assert.deepEqual([product.data, a.grad, b.grad, c.grad], [-10, 10, 10, -1]);
  const { nodes, gradients } = introspectValue(product);
  assert.deepEqual(gradients, { a: 10, b: 10, c: -1 });
  assert.deepEqual(
    nodes.map(({ name }) => name),
    [undefined, undefined, "my +", undefined, "my *"],
  );
});

test("a text and a value are answered as their documents are", () => {
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
  const asked = { parameters: ["w"], steps: 2, learning_rate: 0.125 };
  assert.deepEqual(descend(text, values, asked), descend(document, {}, asked));
  assert.deepEqual(descend(loss, {}, asked), descend(own, {}, asked));
  // w * x - y is 3.5 and falls to 0: w moves by 0.125 * 2 * 3.5 * 2 = 1.75, to where it is right.
  const reached = descend(document, {}, asked).trajectory.map(({ parameters }) => parameters["w"]);
  assert.deepEqual(reached, [1.5, -0.25, -0.25]);
  assert.equal(refusal(() => experiment("w"))["code"], "missing_value");
});
