/** What a message says to people: the place, the thing, and what to write instead. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import type { Options } from "../src/introspect.ts";
import { FUNCTIONS } from "../src/operations.ts";
import type { Operation } from "../src/operations.ts";
import { sweep } from "../src/sweeps/program.ts";
import { units } from "./helpers.ts";
import type { Json } from "./helpers.ts";

function refused(text: string, values: Json = { x: 2, y: 3 }, options: Options = {}): Json {
  try {
    introspect(text, values, options);
  } catch (error) {
    assert.ok((error as Error).message.length < 300);
    return error;
  }
  return assert.fail(`${text} was not refused`);
}

units("hints", "hints", ({ messages }) => {
  for (const [text, words] of Object.entries<string>(messages)) {
    const { message } = refused(text);
    assert.ok(message.includes(words), `${text}: ${message}`);
  }
});

units("hints", "messages", ({ code, messages }) => {
  for (const [text, values, words] of messages) {
    const error = refused(text, values, { limits: { characters: 20, variables: 4, nodes: 4 } });
    assert.equal(error.code, code);
    for (const word of words) assert.ok(error.message.includes(word), error.message);
  }
});

units("hints", "grids", ({ messages }) => {
  for (const [grid, words] of messages) {
    assert.throws(
      () => sweep("x", { x: grid }),
      ({ message }) => message.includes(words),
    );
  }
});

test("a message repeats the beginning of a long word", () => {
  const word = "a".repeat(60_000);
  for (const text of [`${word}(x)`, `2 ${word}`, `x ** ${word}`]) {
    const { message, data } = refused(text);
    assert.ok(message.includes(`\`${"a".repeat(40)}...\``));
    assert.equal(data.name ?? word, word);
  }
});

test("values that are missing are hinted at where they are named", () => {
  const { message } = refused([..."abcdfghijk", "e", "pi"].join(" + "), {});
  assert.ok(message.endsWith("`k` and 2 more have no values; add them to values"), message);
});

test("a message names few functions however many there are", () => {
  const table = FUNCTIONS as Map<string, Operation>;
  const known = [...table.keys()];
  assert.ok(refused("foo(x)").message.includes(`the functions are ${known.join(", ")}`));
  const added = Array.from({ length: 900 }, (_, number) => `another${number}`);
  for (const name of added) table.set(name, table.get("exp")!);
  try {
    const names = [...table.keys()];
    const few = `the functions are ${names.slice(0, 20).join(", ")} and ${names.length - 20} more`;
    assert.ok(refused("foo(x)").message.includes(few));
  } finally {
    for (const name of added) table.delete(name);
  }
});
