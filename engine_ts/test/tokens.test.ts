import assert from "node:assert/strict";
import { tokenize } from "../src/language/tokens.ts";
import { assertRefusal, refusal, units } from "./helpers.ts";

units("tokens", "tokens", ({ text, tokens }) => {
  const found = tokenize(text).map((each) => [each.kind, each.text, each.start, each.end]);
  assert.deepEqual(found, tokens);
});

units("tokens", "numbers", ({ numbers }) => {
  for (const text of numbers) {
    assert.deepEqual(tokenize(text)[0], { kind: "number", text, start: 0, end: text.length });
    assert.equal(tokenize(text).length, 2);
  }
});

for (const [table, member] of [
  ["texts", "text"],
  ["kinds", "kind"],
] as const) {
  units("tokens", table, (row) => {
    for (const [text, expected] of Object.entries(row[table])) {
      const found = tokenize(text).slice(0, -1);
      assert.deepEqual([text, found.map((token) => token[member]).join(" ")], [text, expected]);
    }
  });
}

units("tokens", "refused", ({ characters }) => {
  for (const character of characters) {
    assertRefusal({ code: "unexpected_character", span: { start: 4, end: 5 } }, () =>
      tokenize(`a + ${character} b`),
    );
  }
  assert.deepEqual(refusal(() => tokenize("é")).span, { start: 0, end: 1 });
  assert.deepEqual(refusal(() => tokenize("a é 😀")).span, { start: 2, end: 3 });
});
