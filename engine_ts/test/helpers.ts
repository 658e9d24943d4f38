/** Shared by the tests: cases of tables, graphs of Values, and refusals. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GradientError } from "../src/errors.ts";
import { parse } from "../src/language/parser.ts";
import { tokenize } from "../src/language/tokens.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { operationOf } from "../src/operations.ts";
import { Value } from "../src/value.ts";
import * as engine from "../src/index.ts";

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

/** Build the folded graph of `text` with Values; the root is last. */
export function valuesOfText(text: string, values: Readonly<Record<string, number>>): Value[] {
  const { graph } = parse(tokenize(text), "folded", DEFAULT_LIMITS);
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

// The steps of a table's row, as `about` in parity_tests/units/value.json defines them

type Nodes = Map<string, Value>;

const NOT_IN_JSON = new Set(["NaN", "Infinity", "-Infinity"]);

export function carryOut({ program, values, steps }: Json): void {
  const nodes: Nodes = new Map();
  for (const [number, value] of valuesOfText(program, values).entries()) {
    nodes.set(String(number), value);
    nodes.set(value.label || String(number), value);
  }
  for (const step of steps) {
    hold(step, () => take(step, nodes));
    for (const [place, expected] of Object.entries(step.is ?? {})) {
      const [node, ...keys] = place.split(".");
      const content = keys.reduce((within: Json, key) => within[key], nodes.get(node!));
      assert.deepEqual(plain(content, nodes), expected, place);
    }
  }
}

/** Compare a refusal with `error` and `says`, or a result with `gives`. */
export function hold({ says, error, gives = {} }: Json, call: () => unknown): void {
  if (says !== undefined) assert.throws(call, ({ message }) => message.includes(says));
  if (error !== undefined) assertRefusal(error, call);
  if (says !== undefined || error !== undefined) return;
  const made = call();
  for (const [path, expected] of Object.entries(gives)) {
    assert.deepEqual(memberAt(made, path), expected, path);
  }
}

function take(step: Json, nodes: Nodes): unknown {
  for (const [place, content] of Object.entries(step.set ?? {})) {
    const [node, member] = place.split(".") as [string, string];
    (nodes.get(node) as Json)[member] = double(content);
  }
  if (step.make !== undefined) {
    const made = make(step.make, nodes);
    nodes.set(step.to ?? made.label, made);
  }
  if (step.call !== undefined) {
    const others = "with" in step ? [nodes.get(step.with) ?? step.with] : [];
    nodes.set(step.to ?? "", (nodes.get(step.of) as Json)[step.call](...others));
  }
  if (step.ask !== undefined) return ask(step, nodes.get(step.of));
  return undefined;
}

export function make([data, children, third, ...rest]: Json[], nodes: Nodes): Value {
  const given = Array.isArray(children)
    ? children.map((each) => nodes.get(each) ?? each)
    : children;
  const grads = Array.isArray(third) ? third.map(double) : third;
  const Make = Value as unknown as new (...inner: unknown[]) => Value;
  return new Make(double(data), given, grads, ...rest);
}

/** Call a function of the package with a text, a Value or a document. */
export function ask(step: Json, subject: unknown, options: object = {}): unknown {
  const name = step.ask.replace(/_([a-z])/g, (_: string, letter: string) => letter.toUpperCase());
  const members = { ...step.members, ...options };
  const takesValues = !["introspectValue", "outline", "draw", "layOut"].includes(name);
  const values = takesValues ? [step.values ?? {}] : [];
  return (engine as Json)[name](subject, ...values, members);
}

export function double(content: unknown): unknown {
  return NOT_IN_JSON.has(content as string) ? Number(content) : content;
}

/** Return a member as JSON, with each Value replaced by its name. */
function plain(content: unknown, nodes: Nodes): unknown {
  if (content instanceof Set) return [...content].map((each) => plain(each, nodes)).sort();
  if (Array.isArray(content)) return content.map((each) => plain(each, nodes));
  if (!(content instanceof Value)) return content;
  return [...nodes].filter(([, node]) => node === content).at(-1)?.[0] ?? "";
}

function memberAt(content: Json, path: string): unknown {
  for (const key of path.split(".")) content = content[key];
  return JSON.parse(JSON.stringify(content));
}
