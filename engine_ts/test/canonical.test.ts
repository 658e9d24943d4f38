import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { canonicalText, digest, sha256 } from "../src/canonical.ts";
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

test("an infinite number and NaN have no canonical text", () => {
  for (const number of [Infinity, -Infinity, NaN]) {
    assert.throws(() => canonicalText({ a: [number] }), RangeError);
    assert.throws(() => digest(number), RangeError);
  }
});

test("a value that JSON does not have has no canonical text", () => {
  for (const value of [undefined, [undefined], { a: () => 1 }, [1n], Symbol("a")]) {
    assert.throws(() => canonicalText(value), TypeError);
  }
});

test("sha256 hashes as Node does, with every length of padding", () => {
  for (const length of [...new Array(201).keys(), 1_000_000]) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 151 + length) & 255);
    assert.equal(sha256(bytes), createHash("sha256").update(bytes).digest("hex"), `${length}`);
  }
});
