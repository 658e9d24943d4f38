import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as engine from "../src/index.ts";
import type { Document, Edge, Limits, Node, Operation, Options, Span } from "../src/index.ts";

test("the package offers what it lists", () => {
  assert.deepEqual(Object.keys(engine).sort(), [
    "CONTRACT",
    "DEFAULT_LIMITS",
    "Descending",
    "GradientError",
    "OPERATIONS",
    "Program",
    "Value",
    "accuracy",
    "canonicalText",
    "descend",
    "digest",
    "draw",
    "experiment",
    "hessian",
    "introspect",
    "introspectValue",
    "layOut",
    "outline",
    "paths",
    "prepare",
    "sweep",
  ]);
});

test("the first example is true", () => {
  const document = engine.introspect("(a + b) * c", { a: 2, b: -3, c: 10 });
  assert.deepEqual(document.gradients, { a: 10, b: 10, c: -1 });
  const source = readFileSync(join(import.meta.dirname, "../src/index.ts"), "utf8");
  assert.ok(source.includes("{ a: 10, b: 10, c: -1 }"));
});

test("the public types say what the values are", () => {
  const limits: Limits = engine.DEFAULT_LIMITS;
  const options: Options = { parameters: ["w"], view: "primitive", limits: { nodes: 10 } };
  const values: Record<string, number> = { w: 2 };
  const document: Document = engine.introspect("w * 3", values, options);
  const node: Node = document.nodes[0]!;
  const edge: Edge = document.edges[0]!;
  const gradient: number | undefined = document.gradients["w"];
  const span: Span | null = node.span;
  const kind: "input" | "parameter" | "constant" | "operation" = node.kind;
  const contribution: number | null = edge.contribution;
  const product: Operation = engine.OPERATIONS.get("*")!;
  const told: Document = engine.introspectValue(new engine.Value(2, "w").mul(3), { limits });
  assert.deepEqual(
    [gradient, span, kind, contribution, product.rule(2, 3)[0], told.result],
    [3, { start: 0, end: 1 }, "parameter", 3, 6, 6],
  );
});

test("the public types refuse what the engine refuses", () => {
  const a = new engine.Value(2, "a");
  const refused: (() => unknown)[] = [
    // @ts-expect-error an expression is a text
    () => engine.introspect(3, {}),
    // @ts-expect-error values are numbers
    () => engine.introspect("a", { a: "2" }),
    // @ts-expect-error a view is one of two
    () => engine.introspect("a", { a: 2 }, { view: "other" }),
    // @ts-expect-error parameters are names
    () => engine.introspect("a", { a: 2 }, { parameters: [3] }),
    // @ts-expect-error a Value is made of a number
    () => new engine.Value("2"),
    // @ts-expect-error a Value is no exponent
    () => a.pow(a),
    // @ts-expect-error an operand is a Value or a number
    () => a.add("2"),
  ];
  for (const call of refused) assert.throws(call, engine.GradientError);
});
