/** Run the steps of a table's row, as `about` in parity_tests/units/value.json defines them. */

import assert from "node:assert/strict";
import * as engine from "../src/index.ts";
import { Value } from "../src/index.ts";
import { assertRefusal, valuesOfText } from "./helpers.ts";
import type { Json } from "./helpers.ts";

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
