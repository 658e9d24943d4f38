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

function hashOf(text: string): string {
  return sha256(new TextEncoder().encode(text));
}

// NIST's examples for FIPS 180-4 (one block, two blocks, a million letters), and the empty text of its
// test vectors (CAVP, SHA256ShortMsg).
const EXAMPLES: [text: string, hash: string][] = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
];

test("sha256 returns the published hashes of the examples", () => {
  for (const [text, hash] of EXAMPLES) assert.equal(hashOf(text), hash);
});

test("sha256 pads every length up to 200 bytes as Node does", () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 151 + length) & 255);
    assert.equal(sha256(bytes), createHash("sha256").update(bytes).digest("hex"), `${length}`);
  }
});
