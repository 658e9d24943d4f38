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
import type { Json } from "./helpers.ts";

const A = 0.5;
const B = -1.5;

/** A reader's first own operation, as the lessons' class has it. */
function sine(x: Value): Value {
  return new Value(Math.sin(x.data), [x], [Math.cos(x.data)], "sine");
}

/** x * y by another name. */
function area(x: Value, y: Value): Value {
  return new Value(x.data * y.data, [x, y], [y.data, x.data], "area", "S");
}

function stale(node: number, name: string, ...operands: number[]): Json {
  return { code: "stale_custom", span: null, node, name, operands };
}

test("an operation of ones own has the numbers that it is given", () => {
  const x = new Value(A, "x");
  const y = sine(x);
  assert.deepEqual([y.data, y._local_grads, y._op], [Math.sin(A), [Math.cos(A)], "sine"]);
  assert.equal(y._children[0], x);
  y.mul(3).backward();
  assert.equal(x.grad, 3 * Math.cos(A));
  const { nodes, gradients } = introspectValue(y.mul(3));
  assert.deepEqual([nodes[1]!.operation, nodes[1]!.name], ["custom", "sine"]);
  assert.ok(!("name" in nodes[0]!));
  assert.deepEqual(gradients, { x: 3 * Math.cos(A) });
});

test("a custom operation of two operands stands for the one it imitates", () => {
  const [x, y] = [new Value(A, "x"), new Value(B, "y")];
  const own = introspectValue(area(x, y).tanh());
  const known = introspectValue(x.mul(y).tanh());
  assert.deepEqual([own.gradients, own.edges], [known.gradients, known.edges]);
  assert.equal(own.nodes[2]!.label, "S");
  assert.equal(paths(own, {}, { node: "x" }).sum, own.gradients["x"]);
  assert.deepEqual(experiment(own).walks[0]!.differences, { x: 0, y: 0 });
});

test("without a name it is custom", () => {
  const y = new Value(1, [new Value(A, "x")], [2]);
  assert.deepEqual([y._op, y._local_grads, y.label], ["custom", [2], ""]);
  assert.equal(introspectValue(y).nodes[1]!.name, "custom");
});

test("a leaf in micrograds form has a label", () => {
  const leaf = new Value(2, [], "", "a");
  assert.deepEqual([leaf.label, leaf._children, leaf._op], ["a", [], ""]);
  assert.deepEqual(new Value(2, [])._children, []);
});

test("its numbers are finite", () => {
  const x = new Value(A, "x");
  const Make = Value as unknown as new (...inner: unknown[]) => Value;
  const expected = { code: "invalid_value", span: null, name: "y", pointer: "" };
  for (const number of [NaN, Infinity, null, "1", true]) {
    assert.deepEqual(
      refusal(() => new Make(number, [x], [1], "f", "y")),
      expected,
    );
    assert.deepEqual(
      refusal(() => new Make(1, [x, x], [1, number], "f", "y")),
      expected,
    );
  }
});

test("an operand that became no number is refused", () => {
  const x = new Value(A, "x");
  x.data = NaN;
  const error = refusal(() => new Value(1, [new Value(1), x], [1, 1], "f"));
  assert.deepEqual([error["code"], error["stage"], error["slot"]], ["non_finite", "data", 1]);
  assert.deepEqual([error["operation"], error["operands"]], ["custom", [1, null]]);
});

test("what is no operation of ones own is refused in words", () => {
  const Make = Value as unknown as new (...inner: unknown[]) => Value;
  const x = new Value(A, "x");
  for (const inner of [
    [1, [x], [1], "tanh"],
    [1, [x], [1, 2]],
    [1, [], [1]],
    [1, [x, x, x], [1, 1, 1]],
    [1, [A], [1]],
    [1, [x], [1], 5],
    [1, x, [1]],
    [1, "x", [1]],
    [1, [x], [1], "f", 5],
  ]) {
    assert.throws(() => new Make(...inner), /a name of your own is not one of these$/);
  }
});

test("it is stale where its operands have other data", () => {
  const [x, y] = [new Value(A, "x"), new Value(B, "y")];
  const root = area(x.relu(), y).add(1);
  assert.equal(introspectValue(root).result, A * B + 1);
  x.data = 2;
  assert.deepEqual(
    refusal(() => introspectValue(root)),
    stale(3, "area", 2, B),
  );
  x.data = A;
  assert.equal(introspectValue(root).result, A * B + 1);
});

test("a reread walk takes it as long as its operands stay", () => {
  const document = introspectValue(sine(new Value(A, "x")).mul(new Value(B, "y")));
  const [, reread] = experiment(document, {}, { mutate: { y: 5 } }).walks;
  assert.deepEqual(reread!.gradients, { x: 5 * Math.cos(A), y: Math.sin(A) });
  assert.deepEqual(
    refusal(() => experiment(document, {}, { mutate: { x: 5 } })),
    stale(1, "sine", 5),
  );
});

test("a descent ends where it is stale", () => {
  const product = sine(new Value(A, "x")).mul(new Value(B, "w"));
  const settings = { steps: 1, learning_rate: 0.5 };
  const on = descend(product, {}, { parameters: ["w"], ...settings });
  assert.deepEqual(on.trajectory.at(-1)!.parameters, { w: B - 0.5 * Math.sin(A) });
  const { trajectory, fault } = descend(product, {}, { parameters: ["x"], ...settings });
  assert.deepEqual([trajectory.length, fault!.step, fault!.row], [1, 1, 0]);
  const { message: _message, ...error } = fault!.error;
  assert.deepEqual(error, stale(1, "sine", A - 0.5 * (B * Math.cos(A))));
});

test("second derivatives refuse it where a tangent reaches it", () => {
  const y = new Value(B, "y");
  const root = sine(new Value(A, "x")).mul(y).mul(y);
  assert.deepEqual(hessian(root, {}, { variables: ["y"] }).hessian, { y: { y: 2 * Math.sin(A) } });
  for (const options of [{}, { variables: [], vector: { x: 0 } }]) {
    assert.deepEqual(
      refusal(() => hessian(root, {}, options)),
      stale(1, "sine", A),
    );
  }
  assert.deepEqual(
    refusal(() => accuracy(root)),
    stale(1, "sine", A),
  );
});

test("micrograds form is the operation of the table", () => {
  const [a, b] = [new Value(2, "a"), new Value(-3, "b")];
  const e = new Value(a.data * b.data, [a, b], "*", "e");
  assert.deepEqual([e.data, e._op, e.label, e._local_grads], [-6, "*", "e", [-3, 2]]);
  const n = new Value(0.25, [e], "neg"); // its data is taken as it is given
  assert.deepEqual([n.data, n._local_grads], [0.25, [-1]]);
  n.backward();
  assert.deepEqual([a.grad, b.grad], [3, -2]);
  assert.equal(introspectValue(n).result, 6); // and computed anew from the leaves
  const cube = new Value(8, [a, new Value(3)], "**");
  assert.deepEqual(cube._local_grads, [12, null]);
  assert.equal(introspectValue(cube).edges[1]!.differentiable, false);
  assert.equal(refusal(() => new Value(8, [a, b], "**"))["code"], "exponent_not_literal");
  assert.equal(refusal(() => new Value(8, [b], "log"))["code"], "domain_error");
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

test("an error of Values stands beside the truth, but a custom operation has none", () => {
  const said = accuracy(new Value(0, "x").sqrt().add(1));
  assert.equal(said.document, null);
  assert.equal(said.error!["code"], "non_finite");
  assert.equal(said.result.true, 1);
  const own = new Value(A, [new Value(A, "x")], [1]);
  assert.equal(refusal(() => accuracy(own.mul(0).sqrt())).code, "non_finite");
});

test("a label of digits comes before the id, and names nothing where two nodes have it", () => {
  const [x, y] = [new Value(3, "1"), new Value(5, "y")];
  assert.equal(accuracy(x.mul(y), {}, { claimed: { 1: 5 } }).claims["1"]!.node, 0);
  const [product, total] = [x.mul(y), x.add(y)];
  [product.label, total.label] = ["2", "2"];
  const doubtful = () => accuracy(product.mul(total), {}, { claimed: { 2: 1 } });
  assert.equal(refusal(doubtful).code, "invalid_value");
});
