/**
 * Messages about a text, and the programs that texts are rewritten to. Fixtures show the rest.
 *
 * parity_tests compares the engines' messages about more texts.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { rewrite } from "../src/index.ts";
import type { Rewritten } from "../src/index.ts";
import { introspect } from "../src/introspect.ts";
import type { Options } from "../src/introspect.ts";
import { sweep } from "../src/sweeps/program.ts";
import { units } from "./helpers.ts";
import type { Json } from "./helpers.ts";

// Messages

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

// Rewritten texts

/** Apply the changes to the text. */
function applied(text: string, { changes }: Rewritten): string {
  const characters = [...text];
  let [made, at] = ["", 0];
  for (const { span, replacement } of changes) {
    made += characters.slice(at, span.start).join("") + replacement;
    at = span.end;
  }
  return made + characters.slice(at).join("");
}

units("rewrite", "programs", ({ rows, names, needs }) => {
  for (const [text, program] of Object.entries<string>(rows)) {
    const found = rewrite(text, names);
    assert.equal(found.expression, program, text);
    assert.equal(applied(text, found), program);
    assert.equal(found.refused, null);
    assert.deepEqual(found.needs, needs ?? found.needs);
  }
});

units("rewrite", "refused", ({ rows }) => {
  for (const [text, [reason, start, end, ...readings]] of Object.entries<Json>(rows)) {
    const { refused, expression, changes, needs, readings: found } = rewrite(text);
    assert.deepEqual([refused?.reason, refused?.span], [reason, { start, end }], text);
    assert.deepEqual(found, readings);
    assert.deepEqual([expression, changes, needs], [null, [], []]);
  }
});

test("a rewritten program may not be longer than an expression", () => {
  const text = "tan(".repeat(40) + "x" + ")".repeat(40); // the formula of tan has x twice
  assert.equal(rewrite(text).refused?.reason, "too_long");
});
