/** Shared by the tests: cases of tables, the shape of a graph as text, and refusals. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GradientError } from "../src/errors.ts";
import { parse } from "../src/language/parser.ts";
import type { Parsed } from "../src/language/parser.ts";
import { tokenize } from "../src/language/tokens.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import type { Limits } from "../src/limits.ts";
import { operationOf } from "../src/operations.ts";
import type { View } from "../src/request.ts";
import { Value } from "../src/value.ts";

/** A value whose type a test does not know. */
export type Json = any;

const PARITY_TESTS = join(import.meta.dirname, "../../parity_tests");

function read(file: string): Json {
  return JSON.parse(readFileSync(join(PARITY_TESTS, file), "utf8"));
}

/** Return the cases of a table that both engines' tests read. */
export function casesOf(module: string, table: string): Json[] {
  const cases: Json[] | undefined = read(`units/${module}.json`)[table];
  assert.ok(cases?.length, `${module}.json: ${table} is empty`);
  return cases;
}

/** Define a test for each case of a table. */
export function units(module: string, table: string, check: (row: Json) => void): void {
  for (const row of casesOf(module, table)) {
    test(`${module}, ${table}: ${row.name}`, () => check(row));
  }
}

/** Yield the fixtures that a graph of Values can have as well: text, values and expected answer. */
export function* programsOfFixtures(): Generator<[expression: string, values: Json, Json]> {
  for (const file of readdirSync(join(PARITY_TESTS, "fixtures")).sort()) {
    if (!file.endsWith(".json")) continue;
    for (const { command, limits, request, expect } of read(`fixtures/${file}`)) {
      if (command !== undefined || limits !== undefined) continue;
      if ((request.view ?? "folded") !== "folded") continue;
      yield [request.expression, request.values, expect];
    }
  }
}

/** Return code, span and data of the error that `call` throws; its message may change. */
export function refusal(call: () => unknown): Json {
  const error = thrown(call);
  assert.ok(error instanceof GradientError, String(error));
  const { message, ...rest } = error.toJSON();
  assert.equal(message, error.message);
  return rest;
}

export function assertRefusal(expected: Json, call: () => unknown): void {
  assert.deepEqual(refusal(call), expected);
}

function thrown(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return new Error("nothing was thrown");
}

export function programOf(
  text: string,
  view: View = "folded",
  limits: Partial<Limits> = {},
): Parsed {
  return parse(tokenize(text), view, { ...DEFAULT_LIMITS, ...limits });
}

/** Write the graph of a text with its operations in front: `a - 2` is `(- a 2)`. */
export function shapeOf(text: string, view: View = "folded"): string {
  const { graph, root } = programOf(text, view);
  const written: string[] = [];
  for (const [node, operation] of graph.operations.entries()) {
    const operands = graph.operands[node]!.map((operand) => written[operand]!).join(" ");
    if (operation !== null) written.push(`(${operation.symbol} ${operands})`);
    else if (graph.isVariable(node)) written.push(graph.labels[node]!);
    else written.push(String(graph.literals[node]));
  }
  return written[root]!;
}

/** Build the folded graph of `text` with Values; the root is last. */
export function valuesOfText(text: string, values: Readonly<Record<string, number>>): Value[] {
  const { graph } = programOf(text);
  const built: Value[] = [];
  for (const [node, operation] of graph.operations.entries()) {
    const label = graph.labels[node] ?? "";
    const [x, y] = graph.operands[node]!.map((operand) => built[operand]!);
    if (operation === null) {
      const data = graph.isVariable(node) ? values[label]! : graph.literals[node]!;
      built.push(new Value(data, label));
    } else {
      const value = apply(operation.symbol, x!, y);
      value.label = label;
      built.push(value);
    }
  }
  return built;
}

/** Call the method with the name of an operation. */
export function apply(symbol: string, x: Value, y: Value = new Value(0)): Value {
  if (symbol === "**") return x.pow(y.data);
  const { name, arity } = operationOf(symbol);
  const method = (x as Json)[name] as (...others: Value[]) => Value;
  return method.apply(x, arity === 1 ? [] : [y]);
}
