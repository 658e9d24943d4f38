import assert from "node:assert/strict";
import { test } from "node:test";
import type { Limits } from "../src/limits.ts";
import { FUNCTIONS, OPERATIONS } from "../src/operations.ts";
import type { Computed, Operation } from "../src/operations.ts";
import type { Parsed } from "../src/language/parser.ts";
import { assertRefusal, programOf, refusal, shapeOf, units } from "./helpers.ts";
import type { Json } from "./helpers.ts";

const PLENTY = { characters: 1e7, nodes: 1e7 };

/** Return the text of every node's span. */
function slices(text: string): string[] {
  return programOf(text).graph.spans.map((span) => text.slice(span!.start, span!.end));
}

function size(program: Parsed): number {
  return program.graph.operations.length;
}

function columnsOf({ graph, bindings }: Parsed): Json {
  return {
    labels: graph.labels,
    operands: graph.operands,
    literals: graph.literals,
    spans: graph.spans.map((span) => [span!.start, span!.end]),
    variables: Object.fromEntries(graph.variables),
    bindings: bindings.map(({ name, node, span }) => [name, node, span.start, span.end]),
  };
}

units("parser", "shapes", ({ view, shapes }) => {
  for (const [text, shape] of Object.entries(shapes)) {
    assert.deepEqual([text, shapeOf(text, view)], [text, shape]);
  }
});

units("parser", "faults", ({ faults }) => {
  for (const [text, expected] of Object.entries(faults)) {
    const { code, span } = refusal(() => programOf(text));
    assert.deepEqual([text, [code, span.start, span.end]], [text, expected]);
  }
});

units("parser", "slices", (row) => {
  for (const [text, expected] of Object.entries(row.slices)) {
    assert.deepEqual([text, slices(text)], [text, expected]);
  }
});

units("parser", "graphs", ({ name, text, view, ...expected }) => {
  const found = columnsOf(programOf(text, view));
  assert.ok(Object.keys(expected).length > 0);
  for (const column of Object.keys(expected)) {
    assert.deepEqual([column, found[column]], [column, expected[column]]);
  }
});

units("parser", "limits", ({ text, view, nodes, at }) => {
  if (at === null) {
    assert.equal(size(programOf(text, view, { nodes })), nodes);
    return;
  }
  const { span, ...error } = refusal(() => programOf(text, view, { nodes }));
  assert.equal(text.slice(span.start, span.end), at);
  const expected = { code: "limit_exceeded", name: "nodes", limit: nodes, actual: nodes + 1 };
  assert.deepEqual(error, expected);
});

test("a call takes as many arguments as its row says", (context) => {
  const rule = (x: number, y: number): Computed => [x > y ? x : y, 1, 1];
  const row = {
    symbol: "larger",
    name: "larger",
    form: "call",
    arity: 2,
    rule,
    write: () => {},
  } as const;
  const rest = { formulas: () => [1, 1], expansion: null };
  const larger = { ...row, ...rest, derived: false };
  for (const table of [FUNCTIONS, OPERATIONS] as Map<string, Operation>[]) {
    table.set("larger", larger);
    context.after(() => table.delete("larger"));
  }
  const shapes = {
    "larger(a, b)": "(larger a b)",
    "larger(a + 1, -b) * 2": "(* (larger (+ a 1) (neg b)) 2)",
    "larger(larger(a, 2), (b))": "(larger (larger a 2) b)",
    "exp(larger(a,\nb))": "(exp (larger a b))",
  };
  for (const [text, shape] of Object.entries(shapes)) assert.equal(shapeOf(text), shape);
  assert.deepEqual(slices("1 + larger( a , b )").slice(3), [
    "larger( a , b )",
    "1 + larger( a , b )",
  ]);
  const calls = { "larger()": 0, "larger(a)": 1, "larger(a, b, c + 1)": 3 };
  for (const [call, actual] of Object.entries(calls)) {
    const span = { start: 4, end: 4 + call.length };
    const data = { name: "larger", expected: 2, actual };
    assertRefusal({ code: "wrong_arity", span, ...data }, () => programOf(`2 * ${call} * 3`));
    const message = `larger takes 2 arguments, not ${actual}; write larger(x, y)`;
    assert.throws(() => programOf(call), { message });
  }
  assert.equal(refusal(() => programOf("larger(a, (b, c))")).code, "unexpected_token");
  assert.deepEqual(refusal(() => programOf("larger(a,)")).span, { start: 9, end: 10 });
  assert.throws(() => programOf("larger a"), /write `larger\(x, y\)` to call the function/);
});

test("depth and length are bounded by the limits alone", () => {
  function parsed(text: string, limits: Partial<Limits> = PLENTY): number {
    return size(programOf(text, "folded", limits));
  }

  assert.equal(parsed("(".repeat(70_000) + "a" + ")".repeat(70_000)), 1);
  assert.equal(parsed("a" + " + a".repeat(20_000)), 20_001);
  assert.equal(parsed("-".repeat(20_000) + "a"), 20_001);
  assert.equal(parsed("+-".repeat(20_000) + "3"), 20_000);
  assert.equal(parsed("relu(".repeat(20_000) + "a" + ")".repeat(20_000)), 20_001);
  assert.equal(parsed("(1 + ".repeat(20_000) + "a" + ")".repeat(20_000)), 40_001);
  const statements = Array.from({ length: 5_000 }, (_, i) => `; v${i + 1} = v${i} + a`);
  assert.equal(parsed("v0 = a + 1" + statements.join("")), 5_003);
  assert.equal(refusal(() => parsed("(".repeat(70_000) + "a")).code, "unexpected_end");
});

test("a deep program meets the limit of nodes", () => {
  const error = refusal(() => programOf("-".repeat(60_000) + "a"));
  assert.deepEqual([error.code, error.limit], ["limit_exceeded", 10_000]);
});
