/** What a picture says; where its cards stand is in fixtures. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { GradientDocument } from "../src/document.ts";
import { introspect } from "../src/introspect.ts";
import { draw } from "../src/picture/draw.ts";
import { checksum, escaped, shortened, visible, width } from "../src/picture/captions.ts";
import { introspectValue, Value } from "../src/value.ts";
import { casesOf, units } from "./helpers.ts";

/** Return the texts of the elements with this class. */
function texts(document: GradientDocument, name: string): string[] {
  const found = draw(document).matchAll(/<text class="([^"]+)"[^>]*>([^<]*)</g);
  return [...found].filter(([, names]) => names!.split(" ").includes(name)).map((each) => each[2]!);
}

test("cards say what they are in words", () => {
  const document = introspect("d = a / b; d ** 2", { a: 7, b: 2 }, { parameters: ["b"] });
  assert.deepEqual(texts(document, "gp-name"), ["a", "b", "d = ÷", "2", "**"]);
  assert.deepEqual(texts(document, "gp-tag"), ["param", "derived", "const"]);
  const grads = ["3.5", "−12.25", "7", "none", "1"];
  assert.deepEqual(texts(document, "gp-grad"), grads);
  assert.equal(draw(document).match(/gp-flat" d/g)?.length, 1);
  const steep = introspect("sqrt(0 * 5) * x", { x: 3 });
  assert.equal(texts(steep, "gp-step").filter((step) => step === "no gradient").length, 3);
});

test("labels of any text are well formed", () => {
  const label = '<b>&"\0\u202e漢字\ud800\n' + "x".repeat(40);
  const document = introspectValue(new Value(2, label).mul(3));
  const shown = "&lt;b&gt;&amp;&quot;\ufffd\ufffd漢字\ufffd xxxxxxx…";
  assert.equal(texts(document, "gp-name")[0], shown);
});

test("names that JavaScript knows are names", () => {
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

test("what xml means something by is escaped", () => {
  assert.equal(escaped(`<a b="c">&'`), "&lt;a b=&quot;c&quot;&gt;&amp;'");
});

test("the checksum is crc 32", () => {
  // Published for 32 bytes 0 and 32 bytes 255, which are 16 units; the last one is zlib's.
  assert.equal(checksum("\0".repeat(16)), "190a55ad");
  assert.equal(checksum("\uffff".repeat(16)), "ff6cab0b");
  assert.equal(checksum("\u3231\u3433\u3635\u3837"), "9ae0daaf");
});
