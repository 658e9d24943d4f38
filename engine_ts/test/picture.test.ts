/** A document's picture: places derived by hand, and what the drawing holds. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Document } from "../src/document.ts";
import { introspect } from "../src/introspect.ts";
import { draw } from "../src/picture/draw.ts";
import { layOut } from "../src/picture/layout.ts";
import { checksum, escaped, shortened, visible, width } from "../src/picture/text.ts";
import { introspectValue, Value } from "../src/value.ts";
import { casesOf, units } from "./helpers.ts";

// A card is 60 high and here 96 wide, the picture's margin 24, two cards are 14 apart: rows of cards
// are at 54, 128, 202. A layer begins 96 + 40 + (7 a character of the longest label + 21) after the
// one before, where no wire climbs more than 120; a card's middle is 48 further.
const ONE = 24 + 48;

function places(document: Document): [x: number, y: number][] {
  return layOut(document).nodes.map(({ x, y }) => [x, y]);
}

/** Give the texts of the elements with this class. */
function texts(document: Document, name: string): string[] {
  const found = draw(document).matchAll(/<text class="([^"]+)"[^>]*>([^<]*)</g);
  return [...found].filter(([, names]) => names!.split(" ").includes(name)).map((each) => each[2]!);
}

test("a product of one variable has two arrows", () => {
  // The label `1 × 3 = 3` has 9 characters; what both operands wish is the height of the one.
  const document = introspect("a * a", { a: 3 });
  const second = ONE + 96 + 40 + 84;
  assert.deepEqual(layOut(document), {
    width: 24 + 96 + 40 + 84 + 96 + 24,
    height: 24 + 60 + 24,
    nodes: [
      { id: 0, x: ONE, y: 54, width: 96, height: 60 },
      { id: 1, x: second, y: 54, width: 96, height: 60 },
    ],
  });
  assert.deepEqual(texts(document, "gp-step"), ["1 × 3 = 3", "1 × 3 = 3"]);
  const heads = [...draw(document).matchAll(/gp-head" d="([^"]+)"/g)].map(([, path]) => path);
  assert.deepEqual(heads, ["M244 40l-9 -4v8z", "M244 68l-9 -4v8z"]);
});

test("the lesson has its leaves left and its root right", () => {
  // The sum stands between a and b. The wire of c passes the sum's layer at the height of c, and the
  // product stands between the sum at 91 and it at 202; 146.5 is rounded down. `10 × 1 = 10` has 11
  // characters, as the longest label of the product.
  const document = introspect("(a + b) * c", { a: 2, b: -3, c: 10 });
  const [second, third] = [ONE + 96 + 40 + 98, ONE + 2 * (96 + 40 + 98)];
  assert.deepEqual(places(document), [
    [ONE, 54],
    [ONE, 128],
    [second, 91],
    [ONE, 202],
    [third, 146],
  ]);
  const steps = ["10 × 1 = 10", "10 × 1 = 10", "1 × 10 = 10", "1 × −1 = −1"];
  assert.deepEqual(texts(document, "gp-step"), steps);
});

test("a constant stands just before what uses it", () => {
  // relu(a) goes straight on from a, its exponent is below it, the power between the two.
  const second = ONE + 96 + 40 + 7 * "6 × 1 = 6".length + 21;
  const third = second + 96 + 40 + 7 * "no gradient".length + 21;
  assert.deepEqual(places(introspect("relu(a) ** 2", { a: 3 })), [
    [ONE, 54],
    [second, 54],
    [second, 128],
    [third, 91],
  ]);
});

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

test("title and description are for screen readers", () => {
  const text = draw(introspect("(a + b) * c", { a: 2, b: -3, c: 10 }));
  const [, scope] = /aria-labelledby="(gp[0-9a-f]{8})-title \1-desc"/.exec(text)!;
  assert.ok(text.includes(`<title id="${scope}-title">(a + b) * c = −10</title>`));
  const told = "5 nodes, 4 edges. Gradients: a 10, b 10, c −1.";
  assert.ok(text.includes(`<desc id="${scope}-desc">${told}</desc>`));
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

test("two pictures in one page do not touch each other", () => {
  const [one, other] = [1, 3].map((a) => draw(introspect("a * 2", { a })));
  const [scope] = /gp[0-9a-f]{8}/.exec(one!)!;
  assert.ok(!other!.includes(scope));
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
