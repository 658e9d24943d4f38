/** Texts of pictures. The positions of cards are in fixtures. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { GradientDocument } from "../src/document.ts";
import { draw } from "../src/picture/draw.ts";
import { shortened, visible, width } from "../src/picture/captions.ts";
import { introspectValue } from "../src/subject.ts";
import { Value } from "../src/value.ts";
import { casesOf, units } from "./helpers.ts";

/** Return the texts of the elements with this class. */
function texts(document: GradientDocument, name: string): string[] {
  const found = draw(document).matchAll(/<text class="([^"]+)"[^>]*>([^<]*)</g);
  return [...found].filter(([, names]) => names!.split(" ").includes(name)).map((each) => each[2]!);
}

test("labels may have names that JavaScript treats specially", () => {
  for (const label of ["10", "__proto__", "constructor"]) {
    const document = introspectValue(new Value(1, label).add(new Value(2, "b")));
    assert.deepEqual(texts(document, "gp-name").slice(0, 2), [label, "b"]);
  }
});

test("a number is shortened", () => {
  for (const { rows } of casesOf("picture_text", "numbers")) {
    for (const [value, most, text] of rows) assert.equal(shortened(value, most), text);
  }
});

units("picture_text", "labels", ({ rows }) => {
  for (const [text, most, shown] of rows) {
    assert.equal(visible(text, most), shown);
    assert.ok(width(shown) <= most);
  }
});
