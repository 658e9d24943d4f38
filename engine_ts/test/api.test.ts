/** The package's API as its callers see it, beyond what requests over the protocol can show. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as errors from "../src/errors.ts";
import * as engine from "../src/index.ts";
import {
  accuracy,
  DEFAULT_LIMITS,
  Descending,
  experiment,
  introspect,
  introspectValue,
  outline,
  prepare,
  sweep,
  Value,
} from "../src/index.ts";
import type {
  Edge,
  GradientDocument,
  Limits,
  Node,
  Operation,
  Options,
  Span,
} from "../src/index.ts";
import { LAB } from "../src/lab/commands.ts";
import { prepareText } from "../src/introspect.ts";
import { checkRequest } from "../src/request.ts";
import { refusal } from "./helpers.ts";
import type { Json } from "./helpers.ts";

const MIXED = "n = x1 * w1 + x2 * w2 - 3 / b; o = tanh(n) ** 2; o + log(w1 * w1)";
const NAMES = ["x1", "w1", "x2", "w2", "b"];

function valuesOfMixed(index: number): Record<string, number> {
  return Object.fromEntries(NAMES.map((name, place) => [name, index / 7 + place + 0.5]));
}

test("the package exports these names", () => {
  const offered = Object.keys(engine).filter((name) => !LAB.has(name));
  for (const name of LAB.keys()) assert.ok(name in engine, name);
  assert.ok(LAB.has("hessian"));
  const names = `
    CONTRACT DEFAULT_LIMITS Deadline DeadlineExceeded Descending GradientError OPERATIONS
    Program Value accuracy arrange canonicalText digest digitsOf draw heldTexts introspect
    introspectValue layOut outline prepare rewrite sweep
  `;
  assert.deepEqual(offered.sort(), names.trim().split(/\s+/));
});

test("the example in the comment of the package is correct", () => {
  const document = engine.introspect("(a + b) * c", { a: 2, b: -3, c: 10 });
  assert.deepEqual(document.gradients, { a: 10, b: 10, c: -1 });
  const source = readFileSync(join(import.meta.dirname, "../src/index.ts"), "utf8");
  assert.ok(source.includes("{ a: 10, b: 10, c: -1 }"));
});

test("public types describe the values", () => {
  const limits: Limits = engine.DEFAULT_LIMITS;
  const options: Options = { parameters: ["w"], view: "primitive", limits: { nodes: 10 } };
  const values: Record<string, number> = { w: 2 };
  const document: GradientDocument = engine.introspect("w * 3", values, options);
  const node: Node = document.nodes[0]!;
  const edge: Edge = document.edges[0]!;
  const gradient: number | undefined = document.gradients["w"];
  const span: Span | null = node.span;
  const kind: "input" | "parameter" | "constant" | "operation" = node.kind;
  const contribution: number | null = edge.contribution;
  const times: Operation = engine.OPERATIONS.get("*")!;
  const product = new engine.Value(2, "w").mul(3);
  const built: GradientDocument = engine.introspectValue(product, { limits });
  assert.deepEqual(
    [gradient, span, kind, contribution, times.rule(2, 3)[0], built.result],
    [3, { start: 0, end: 1 }, "parameter", 3, 6, 6],
  );
});

test("public types reject what the engine rejects", () => {
  const a = new engine.Value(2, "a");
  const refused: (() => unknown)[] = [
    // @ts-expect-error an expression must be a string
    () => engine.introspect(3, {}),
    // @ts-expect-error values must be numbers
    () => engine.introspect("a", { a: "2" }),
    // @ts-expect-error a view must be "folded" or "primitive"
    () => engine.introspect("a", { a: 2 }, { view: "other" }),
    // @ts-expect-error parameters must be names
    () => engine.introspect("a", { a: 2 }, { parameters: [3] }),
    // @ts-expect-error the data of a Value must be a number
    () => new engine.Value("2"),
    // @ts-expect-error an exponent must be a number
    () => a.pow(a),
    // @ts-expect-error an operand must be a Value or a number
    () => a.add("2"),
  ];
  for (const call of refused) assert.throws(call, engine.GradientError);
});

test("an error has a code, a message, a span and data", () => {
  const span = { start: 4, end: 7 };
  const error = new errors.UnknownFunction("what and why", span, { name: "foo" });
  assert.ok(error instanceof engine.GradientError && error instanceof Error);
  assert.deepEqual(
    [error.code, error.message, error.span, error.data],
    ["unknown_function", "what and why", span, { name: "foo" }],
  );
  const written = { code: "unknown_function", message: "what and why", span, name: "foo" };
  assert.deepEqual(error.toJSON(), written);
  assert.equal(JSON.stringify([error]), JSON.stringify([written]));
  const start = { start: 0, end: 0 };
  assert.deepEqual(new errors.InvalidRequest("what", start).toJSON()["span"], start);
  assert.equal(new errors.InvalidRequest("what").toJSON()["span"], null);
});

test("zero operands of an error have no sign", () => {
  // -1 * 0 is -0, which `assert/strict` distinguishes from 0 and JSON does not
  const error = refusal(() => engine.introspect("1 / (a * b)", { a: -1, b: 0 }));
  assert.deepEqual([error.code, error["operands"]], ["domain_error", [1, 0]]);
});

test("the name of an error is that of its class", () => {
  const { GradientError: _, ...classes } = errors;
  for (const [name, Class] of Object.entries(classes)) {
    const error = new Class("what and why");
    assert.deepEqual([error.name, String(error)], [name, `${name}: what and why`]);
    assert.deepEqual(Object.keys(error), ["span", "data", "code"]);
  }
});

test("changing a document or an outline does not affect the next", () => {
  const program = prepare("a ** 2 + b");
  for (const make of [
    () => program.introspect({ a: 2, b: 1 }, { parameters: ["a"] }),
    () => introspect("a ** 2 + b", { a: 2, b: 1 }),
    () => outline("a ** 2 + b"),
  ]) {
    const made = make();
    const expected = JSON.stringify(made);
    spoil(made);
    assert.notEqual(JSON.stringify(made), expected);
    assert.equal(JSON.stringify(make()), expected);
  }
});

/** Change every number and text of a document, and every array's length. */
function spoil(content: Json): void {
  for (const [key, member] of Object.entries(content)) {
    if (typeof member === "object" && member !== null) spoil(member);
    else content[key] = "spoiled";
  }
  if (Array.isArray(content)) content.push("spoiled");
}

// Prepared programs

test("a prepared program returns what its text returns", () => {
  const program = prepare(MIXED);
  assert.deepEqual(program.variables, NAMES);
  for (let index = 0; index < 20; index++) {
    const values = valuesOfMixed(index);
    const options = { parameters: NAMES.slice(0, index % 5) };
    const document = introspect(MIXED, values, options);
    assert.deepEqual(program.introspect(values, options), document);
    assert.deepEqual(program.gradients(values), document.gradients);
  }
  const columns = { ...valuesOfMixed(0), x1: [0, 1, 2], w1: { from: 1, to: 3, count: 3 } };
  assert.deepEqual(program.sweep(columns), sweep(MIXED, columns));
  const primitive = prepare("a - b", { view: "primitive" }).introspect({ a: 1, b: 2 });
  assert.deepEqual(primitive, introspect("a - b", { a: 1, b: 2 }, { view: "primitive" }));
});

test("a rejected request does not change a prepared program", () => {
  const program = prepare("1 / a + exp(b)");
  const expected = program.introspect({ a: 2, b: 1 });
  for (const values of [{ a: 1 }, { a: 0, b: 1 }, { a: 1, b: 1e3 }, { a: 1e-200, b: 1 }]) {
    assert.throws(() => program.introspect(values as {}), engine.GradientError);
    assert.deepEqual(program.introspect({ a: 2, b: 1 }), expected);
  }
});

test("prepare reports errors of the text, and a call reports errors of its values", () => {
  assert.equal(refusal(() => prepare("2x")).code, "unexpected_token");
  assert.equal(refusal(() => prepare("a", { view: "flat" as "folded" })).pointer, "/view");
  const program = prepare("a * b");
  assert.deepEqual(refusal(() => program.gradients({ a: 1 })).names, ["b"]);
  assert.deepEqual(refusal(() => program.sweep({ a: [1] })).names, ["b"]);
});

test("limits passed to prepare hold for every call", () => {
  const program = prepare("a * a", { limits: { sweep_nodes: 5, variables: 2 } });
  assert.equal(refusal(() => program.sweep({ a: [1, 2, 3] })).actual, 6);
  assert.equal(refusal(() => program.gradients({ a: 1, b: 1, c: 1 })).name, "variables");
  assert.equal(refusal(() => prepare("a * a", { limits: { nodes: 1 } })).name, "nodes");
  assert.throws(() => prepare("a", { limits: { sweep_nodes: -1 } }), RangeError);
});

test("variables may have the names of members of Object.prototype", () => {
  const made = sweep("__proto__ * toString", JSON.parse('{"__proto__": [3], "toString": [2]}'));
  assert.equal(JSON.stringify(made.gradients), '{"__proto__":[2],"toString":[3]}');
  assert.equal(JSON.stringify(made.axes), '[{"__proto__":[3],"toString":[2]}]');
});

// Descending

test("Descending computes a point when next is called", () => {
  const document = introspect("log(w)", { w: 1 }, { parameters: ["w"] });
  const descending = new Descending(document, {}, { learning_rate: 2, steps: 5 });
  assert.deepEqual(descending.next().value?.parameters, { w: 1 });
  assert.equal(descending.fault, null);
  assert.equal(descending.next().done, true);
  const { step, error } = descending.fault!;
  assert.deepEqual([step, error["operands"]], [1, [-1]]);
  assert.equal(descending.next().done, true);
});

test("Descending checks its settings before the first point", () => {
  const document = introspect("w * x", { w: 0, x: 1 }, { parameters: ["w"] });
  assert.equal(refusal(() => new Descending(document, {}, { steps: -1 })).pointer, "/steps");
});

// Members and limits with values that JSON does not have

const GOOD = { expression: "a", values: {}, parameters: [], view: "folded" };

/** Check a request that is valid except for `members`. */
function check(members: Json): unknown {
  const { expression, values, parameters, view } = { ...GOOD, ...members };
  return checkRequest(expression, values, parameters, view, DEFAULT_LIMITS);
}

test("values that JSON does not have are rejected", () => {
  for (const member of Object.keys(GOOD)) {
    const error = refusal(() => check({ [member]: undefined }));
    assert.equal(error.pointer, `/${member}`);
  }
  for (const a of [undefined, NaN, Infinity, -Infinity, 2n]) {
    assert.equal(refusal(() => check({ values: { a } })).pointer, "/values/a");
  }
  assert.equal(refusal(() => check({ parameters: ["a", undefined] })).pointer, "/parameters/1");
});

test("an undefined limit has its default", () => {
  const limits = { nodes: undefined } as object;
  const text = "1" + "+1".repeat(5_000);
  for (const call of [
    () => introspect(text, {}, { limits }),
    () => prepareText(text, "folded", limits),
  ]) {
    assert.equal(refusal(call).limit, 10_000);
  }
});

test("a limit must be a whole number, 0 or more", () => {
  const document = introspect("a", { a: 1 }, { parameters: ["a"] });
  for (const name of Object.keys(DEFAULT_LIMITS)) {
    for (const wrong of [-1, 2.5, NaN, Infinity, -Infinity, null, true, "5"]) {
      const limits = { [name]: wrong } as object;
      for (const call of [
        () => introspect("a", { a: 1 }, { limits }),
        () => prepareText("a", "folded", limits),
        () => introspectValue(new Value(1, "a"), { limits }),
        () => accuracy("a", { a: 1 }, { limits }),
        ...[...LAB.values()].map(
          ({ run }) =>
            () =>
              run(document, undefined, { node: "a", limits }),
        ),
      ]) {
        const message = `limits.${name} must be a whole number, 0 or more, not ${wrong}`;
        assert.throws(call, { name: "RangeError", message });
      }
    }
  }
});

test("an unknown limit is rejected", () => {
  const call = () => introspect("a", { a: 1 }, { limits: { node: 5 } as object });
  assert.throws(call, { name: "RangeError", message: "limits has no member `node`" });
});

// Experiments; their numbers are in fixtures

test("zeros of a ledger have no sign", () => {
  const [walk] = experiment(introspect("-a * 0", { a: 1 })).walks;
  for (const step of walk!.ledger) {
    for (const number of Object.values(step)) assert.ok(!Object.is(number, -0));
  }
});
