import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { sha256 } from "../src/sha256.ts";

function hashOf(text: string): string {
  return sha256(new TextEncoder().encode(text));
}

// The examples that NIST publishes with FIPS 180-4 (one block, two blocks, a million of a letter) and
// the empty text of its test vectors (CAVP, SHA256ShortMsg).
const EXAMPLES: [text: string, hash: string][] = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
];

test("the examples of the standard have their hashes", () => {
  for (const [text, hash] of EXAMPLES) assert.equal(hashOf(text), hash);
});

test("every length around the end of a block is padded as node pads it", () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 151 + length) & 255);
    assert.equal(sha256(bytes), createHash("sha256").update(bytes).digest("hex"), `${length}`);
  }
});
