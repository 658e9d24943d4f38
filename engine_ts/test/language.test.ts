/**
 * Messages about a text. Fixtures show how it is parsed and rewritten.
 *
 * parity_tests compares the engines' messages about more texts.
 */

import assert from "node:assert/strict";
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
