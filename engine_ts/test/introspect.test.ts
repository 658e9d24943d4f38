import assert from "node:assert/strict";
import { test } from "node:test";
import type { Document } from "../src/document.ts";
import { GradientError } from "../src/errors.ts";
import { differentiate, introspect, prepare } from "../src/introspect.ts";
import type { Options } from "../src/introspect.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { checkRequest } from "../src/request.ts";
import type { Request } from "../src/request.ts";
import { assertRefusal, refusal } from "./helpers.ts";
import type { Json } from "./helpers.ts";

type Numbers = Record<string, number>;

const LESSONS: [expression: string, values: Numbers, result: number, gradients: Numbers][] = [
  // expression, values, result, gradients: from the lessons, or by hand where they round
  ["(a + b) * c", { a: 2, b: -3, c: 10 }, -10, { a: 10, b: 10, c: -1 }],
  ["a * b + c", { a: 2, b: 3, c: 10 }, 16, { a: 3, b: 2, c: 1 }],
  ["a * b + a", { a: 2, b: 3 }, 8, { a: 4, b: 2 }],
  ["a * a", { a: 3 }, 9, { a: 6 }],
  ["b = a + 1; c = a * 3; d = b * c", { a: 2 }, 18, { a: 15 }],
  ["relu(a * b)", { a: 2, b: -3 }, 0, { a: 0, b: 0 }],
  ["relu(a * b)", { a: 2, b: 3 }, 6, { a: 3, b: 2 }],
  ["relu(x * w + b)", { x: 2, w: 3, b: -10 }, 0, { x: 0, w: 0, b: 0 }],
  ["a - b", { a: 5, b: 2 }, 3, { a: 1, b: -1 }],
  ["a / b", { a: 6, b: 3 }, 2, { a: 0.3333333333333333, b: -0.6666666666666666 }],
  ["a ** 3", { a: 2 }, 8, { a: 12 }],
  ["10 - a * a", { a: 2 }, 6, { a: -4 }],
  // The logistic function's gradient is s * (1 - s), rounded on the way as the contract says.
  ["1 / (1 + exp(0 - x))", { x: 0.5 }, 0.6224593312018546, { x: 0.2350037122015945 }],
];

const NEURON = "x1w1 = x1 * w1; x2w2 = x2 * w2; s = x1w1 + x2w2; n = s + b; o = tanh(n)";
const NEURON_VALUES = { x1: 2, x2: 0, w1: -3, w2: 1, b: 6.881373587019543 };

test("the lessons have their results and gradients", () => {
  for (const [expression, values, result, gradients] of LESSONS) {
    const document = introspect(expression, values);
    assert.deepEqual(
      [expression, document.result, document.gradients],
      [expression, result, gradients],
    );
    assert.deepEqual(document.values, values);
    assert.equal(document.expression, expression);
  }
});

test("the ledger of the lessons default expression", () => {
  const { nodes, edges } = introspect("(a + b) * c", { a: 2, b: -3, c: 10 });
  const names = nodes.map((node) => node.operation ?? node.label);
  assert.deepEqual(names, ["a", "b", "+", "c", "*"]);
  const ledger = edges.map((edge) => [
    names[edge.to],
    names[edge.from],
    edge.incoming_grad,
    edge.local_grad,
    edge.contribution,
  ]);
  assert.deepEqual(
    new Set(ledger),
    new Set([
      ["*", "+", 1, 10, 10],
      ["*", "c", 1, -1, -1],
      ["+", "a", 10, 1, 10],
      ["+", "b", 10, 1, 10],
    ]),
  );
});

test("the orders of the graph lesson", () => {
  const document = introspect("a * b + c", { a: 2, b: 3, c: 10 });
  const names = document.nodes.map((node) => node.operation ?? node.label);
  const named = (ids: number[]) => ids.map((id) => names[id]);
  assert.deepEqual(named(document.topological_order), ["a", "b", "*", "c", "+"]);
  assert.deepEqual(named(document.backward_order), ["+", "c", "*", "b", "a"]);
  assert.deepEqual([document.nodes.length, document.edges.length], [5, 4]);
});

test("a square by product has two edges between two nodes", () => {
  const { nodes, edges } = introspect("a * a", { a: 3 });
  const rows = edges.map((edge) => [edge.from, edge.to, edge.slot, edge.contribution]);
  assert.equal(nodes.length, 2);
  assert.deepEqual(rows, [
    [0, 1, 0, 3],
    [0, 1, 1, 3],
  ]);
});

test("the named nodes of the diamond", () => {
  const { nodes } = introspect("b = a + 1; c = a * 3; d = b * c", { a: 2 });
  const named = nodes.filter((node) => node.label !== null);
  assert.deepEqual(
    named.map((node) => [node.label, node.data, node.grad]),
    [
      ["a", 2, 15],
      ["b", 3, 6],
      ["c", 6, 3],
      ["d", 18, 1],
    ],
  );
});

test("karpathys neuron has the correctly rounded last bits", () => {
  const document = introspect(NEURON, NEURON_VALUES, { parameters: ["w1", "w2", "b"] });
  // tanh is 0.7071067811865476 and its local gradient 0.4999999999999999, not the lesson's 0.5.
  assert.equal(document.result, 0.7071067811865476);
  assert.deepEqual(document.gradients, {
    x1: -1.4999999999999996,
    w1: 0.9999999999999998,
    x2: 0.4999999999999999,
    w2: 0,
    b: 0.4999999999999999,
  });
  const nodes = new Map(document.nodes.map((node) => [node.label, node]));
  assert.equal(nodes.get("n")!.data, 0.8813735870195432);
  const kinds = ["x1", "x2", "n", "w1", "w2", "b"].map((name) => nodes.get(name)!.kind);
  assert.deepEqual(kinds, ["input", "input", "operation", "parameter", "parameter", "parameter"]);
});

test("ids depend on the graph and not on the order of statements", () => {
  const one = introspect("b = a + 1; c = a * 3; b * c", { a: 2 });
  const other = introspect("c = a * 3; b = a + 1; b * c", { a: 2 });
  for (const { nodes } of [one, other]) {
    assert.deepEqual(
      nodes.map((node) => node.label),
      ["a", null, "b", null, "c", null],
    );
  }
  assert.deepEqual(one.edges, other.edges);
});

test("a quotient differs in the two views", () => {
  const folded = introspect("a / b", { a: 49, b: 49 });
  const primitive = introspect("a / b", { a: 49, b: 49 }, { view: "primitive" });
  assert.deepEqual([folded.view, primitive.view], ["folded", "primitive"]);
  assert.deepEqual([folded.result, primitive.result], [1, 0.9999999999999999]);
  const told = (document: Json) =>
    document.nodes.map((node: Json) => [node.operation, node.derived]);
  assert.deepEqual(told(folded)[2], ["/", true]);
  assert.deepEqual(told(primitive).slice(2), [
    [null, false],
    ["**", false],
    ["*", false],
  ]);
  assert.equal(primitive.nodes[2]!.data, -1);
});

test("a difference is the same in both views", () => {
  const values = { a: 0.1, b: 0.3, c: -0.7 };
  const folded = introspect("a - (b - c) - -a", values);
  const primitive = introspect("a - (b - c) - -a", values, { view: "primitive" });
  assert.equal(folded.result, primitive.result);
  assert.deepEqual(folded.gradients, { a: 2, b: -1, c: 1 });
  assert.deepEqual(primitive.gradients, folded.gradients);
});

test("limits are handed over", () => {
  const values = { a: 1, b: 2 };
  const enough = { characters: 5, variables: 2, nodes: 3 };
  assert.equal(introspect("a + b", values, { limits: enough }).result, 3);
  for (const [name, limit] of Object.entries(enough)) {
    const limits = { ...enough, [name]: limit - 1 };
    assert.equal(refusal(() => introspect("a + b", values, { limits })).name, name);
  }
  const options: Options = { view: "primitive", limits: { nodes: 4 } };
  const error = refusal(() => introspect("a - b", values, options));
  assert.deepEqual([error.limit, error.actual], [4, 5]);
});

test("what the root does not reach is an unused name", () => {
  function unused(name: string, start: number): Json {
    return { code: "unused_name", span: { start, end: start + name.length }, name };
  }

  assertRefusal(unused("bc", 0), () => introspect("bc = 1; a", { a: 1 }));
  assertRefusal(unused("b", 14), () => introspect("c = a; d = 1; b = 2; a + d", {}));
  assertRefusal(unused("c", 0), () => introspect("c = 1; b = c; d = b; 3", {}));
  assert.equal(introspect("c = a; b = c; a", { a: 1 }).result, 1);
});

test("a missing value is the first that the text uses", () => {
  function missing(start: number | null, ...names: string[]): Json {
    const span = start === null ? null : { start, end: start + names[0]!.length };
    return { code: "missing_value", span, name: names[0], names };
  }

  assertRefusal(missing(4, "bb", "a"), () => introspect("x + bb * a + bb", { x: 1 }));
  assertRefusal(missing(0, "a", "w"), () => introspect("a", {}, { parameters: ["w"] }));
  assertRefusal(missing(0, "a", "w"), () => introspect("a", {}, { parameters: ["w", "a"] }));
  const parameters = ["a", "w", "v"];
  assertRefusal(missing(null, "w", "v"), () => introspect("a", { a: 1 }, { parameters }));
  const document = introspect("a", { a: 1, w: 2 }, { parameters: ["w"] });
  assert.deepEqual(document.unused_values, ["w"]);
});

test("errors come in the order of the contract", () => {
  const code = (expression: Json, values: Json = { a: 0 }, options: Json = {}) =>
    refusal(() => introspect(expression, values, options));

  const wrong = { parameters: 3, view: 3 };
  assert.equal(code(3, [], wrong).pointer, "/expression");
  assert.equal(code("é", [], wrong).pointer, "/values");
  assert.equal(code("é", {}, wrong).pointer, "/parameters");
  assert.equal(code("é", {}, { view: 3 }).pointer, "/view");
  assert.equal(code("(1e999 é").code, "unexpected_character");
  assert.equal(code("b = 1 / 0; 1e999 +").code, "non_finite");
  assert.equal(code("b = 1 / 0; c +").code, "unexpected_end");
  assert.equal(code("b = 1 / 0; c").code, "unused_name");
  assert.equal(code("b = 1 / 0; c + b").code, "missing_value");
  assert.equal(code("b = 1 / a; b + a ** .5").code, "domain_error");
  assert.equal(code("exp(1000) + 1 / a").stage, "data");
  assert.equal(code("1 / a + exp(1000)").code, "domain_error");
  assert.equal(code("a ** .5 + exp(1000)").stage, "data");
  assert.equal(code("a ** .5 + 1").stage, "local_grad");
});

test("a long program is told without recursion", () => {
  const limits = { characters: 1e6, nodes: 1e5 };
  const long = introspect("a" + " + a".repeat(20_000), { a: 1 }, { limits });
  assert.deepEqual([long.result, long.gradients], [20_001, { a: 20_001 }]);
  const text = "relu(".repeat(10_000) + "a" + ")".repeat(10_000);
  const deep = introspect(text, { a: 2 }, { limits });
  assert.deepEqual([deep.result, deep.gradients], [2, { a: 1 }]);
});

// A text that is prepared once

const MIXED = "n = x1 * w1 + x2 * w2 - 3 / b; o = tanh(n) ** 2; o + log(w1 * w1)";

function requestOf(expression: string, values: Numbers, parameters: string[] = []): Request {
  return checkRequest(expression, values, parameters, "folded", DEFAULT_LIMITS);
}

/** Requests for MIXED, each with its own values and parameters. */
function requestsFor(count: number): Request[] {
  const names = ["x1", "w1", "x2", "w2"];
  return [...Array(count).keys()].map((index) => {
    const values = Object.fromEntries(names.map((name, place) => [name, index / 7 + place]));
    const named = names.filter((_, place) => (index >> place) & 1);
    return requestOf(MIXED, { ...values, b: 0.5 - index }, named);
  });
}

function introspected({ expression, values, parameters }: Request): Document {
  return introspect(expression, Object.fromEntries(values), { parameters });
}

test("a prepared text answers every request as introspect does", () => {
  const prepared = prepare(MIXED);
  const before = structuredClone(prepared.template);
  for (const request of [...requestsFor(20), ...requestsFor(20)]) {
    assert.deepEqual(differentiate(prepared, request), introspected(request));
  }
  assert.deepEqual(prepared.template, before);
});

test("who changes a document changes no other", () => {
  const prepared = prepare("a ** 2 + b");
  const request = requestOf("a ** 2 + b", { a: 2, b: 1 }, ["a"]);
  const document = differentiate(prepared, request);
  const expected = JSON.stringify(document);
  spoil(document);
  assert.notEqual(JSON.stringify(document), expected);
  assert.equal(JSON.stringify(differentiate(prepared, request)), expected);
});

test("a refused request leaves a prepared text as it was", () => {
  const prepared = prepare("1 / a + exp(b)");
  const told = (values: Numbers) => differentiate(prepared, requestOf("", values));
  const expected = told({ a: 2, b: 1 });
  for (const values of [{ a: 1 }, { a: 0, b: 1 }, { a: 1, b: 1e3 }, { a: 1e-200, b: 1 }]) {
    assert.throws(() => told(values as Numbers), GradientError);
    assert.deepEqual(told({ a: 2, b: 1 }), expected);
  }
});

test("prepare has the view and the limit of nodes", () => {
  const limits = (nodes: number) => ({ ...DEFAULT_LIMITS, nodes });
  assert.equal(prepare("a - b", "folded", limits(3)).order.length, 3);
  assert.equal(prepare("a - b", "primitive", limits(5)).order.length, 5);
  assert.equal(refusal(() => prepare("a - b", "primitive", limits(4))).name, "nodes");
  assert.equal(refusal(() => prepare("b = 1; a")).code, "unused_name");
  assert.deepEqual(prepare("missing_values + are_for_later").order, [0, 1, 2]);
});

/** Change every number and text of a document, and every array's length. */
function spoil(content: Json): void {
  for (const [key, member] of Object.entries(content)) {
    if (typeof member === "object" && member !== null) spoil(member);
    else content[key] = "spoiled";
  }
  if (Array.isArray(content)) content.push("spoiled");
}
