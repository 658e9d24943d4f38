import assert from "node:assert/strict";
import { test } from "node:test";
import type { Document } from "../src/document.ts";
import { GradientError } from "../src/errors.ts";
import { differentiate, introspect, prepare } from "../src/introspect.ts";
import type { Options } from "../src/introspect.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { checkRequest } from "../src/request.ts";
import type { Request } from "../src/request.ts";
import { refusal } from "./helpers.ts";
import type { Json } from "./helpers.ts";

type Numbers = Record<string, number>;

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
