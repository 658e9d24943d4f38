import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalText, digest } from "../src/canonical.ts";
import { introspect } from "../src/introspect.ts";
import { units } from "./helpers.ts";

function doubleOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt("0x" + bits));
  return view.getFloat64(0);
}

units("canonical", "numbers", ({ texts }) => {
  for (const [bits, text] of Object.entries<string>(texts)) {
    assert.equal(canonicalText(doubleOf(bits)), text);
    assert.equal(canonicalText({ a: [doubleOf(bits)] }), `{"a":[${text}]}`);
  }
});

units("canonical", "written", ({ texts }) => {
  for (const [number, text] of texts) assert.equal(canonicalText(number), text);
});

units("canonical", "texts", ({ value, text }) => {
  assert.equal(canonicalText(value), text);
});

units("canonical", "refused", ({ values }) => {
  for (const value of values) assert.throws(() => canonicalText(value), /unpaired surrogate/);
});

units("canonical", "digests", (row) => {
  assert.equal(digest(row.value), row.digest);
});

test("what is no finite double is refused", () => {
  for (const number of [Infinity, -Infinity, NaN]) {
    assert.throws(() => canonicalText({ a: [number] }), RangeError);
    assert.throws(() => digest(number), RangeError);
  }
});

test("what is no json value is refused", () => {
  for (const value of [undefined, [undefined], { a: () => 1 }, [1n], Symbol("a")]) {
    assert.throws(() => canonicalText(value), TypeError);
  }
});

test("the order of the values of a request does not matter", () => {
  const one = introspect("a * b", { a: 2, b: 3, c: 1 });
  const other = introspect("a * b", { c: 1, b: 3, a: 2 });
  assert.equal(canonicalText(one), canonicalText(other));
  assert.notEqual(digest(one), digest(introspect("a * b", { a: 2, b: 3 })));
});
