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

units("hints", "hints", ({ messages, may_become_functions }) => {
  for (const [text, words] of Object.entries<string>(messages)) {
    const word = text.split("(")[0]!.toLowerCase();
    if (may_become_functions && FUNCTIONS.has(word)) continue; // and its hint has ended
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

test("a hint ends when its word becomes a function", () => {
  const table = FUNCTIONS as Map<string, Operation>;
  const before = table.get("square");
  table.set("square", table.get("exp")!);
  try {
    for (const word of ["squar", "Square"]) {
      const error = refused(`${word}(x)`);
      assert.deepEqual([error.code, error.data.name], ["unknown_function", word]);
      assert.match(error.message, /did you mean `square`/);
    }
  } finally {
    if (before === undefined) table.delete("square");
    else table.set("square", before);
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
  assert.ok(refused("foo(x)").message.includes(`the functions are ${known.join(", ")}; put \`*\``));
  const added = Array.from({ length: 900 }, (_, number) => `another${number}`);
  for (const name of added) table.set(name, table.get("exp")!);
  try {
    const names = [...table.keys()];
    const few = `the functions are ${names.slice(0, 20).join(", ")} and ${names.length - 20} more; put`;
    assert.ok(refused("foo(x)").message.includes(few));
  } finally {
    for (const name of added) table.delete(name);
  }
});
