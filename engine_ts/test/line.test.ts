import assert from "node:assert/strict";
import { test } from "node:test";
import { readLine, Refused } from "../src/protocol/line.ts";
import type { Json } from "./helpers.ts";

function read(line: string): Json {
  return readLine(Buffer.from(line));
}

function reason(line: string | Uint8Array): string {
  try {
    readLine(Buffer.from(line));
  } catch (error) {
    assert.ok(error instanceof Refused, String(error));
    return error.message;
  }
  return "nothing was refused";
}

test("a line is one json value with doubles", () => {
  const value = read(' {"a": [1, 2.5, -0, true, null, "é\\n"]} \r\n');
  assert.deepEqual(value, { a: [1, 2.5, -0, true, null, "é\n"] });
});

test("a line that cannot be read says why", () => {
  // What cannot be read is in parity_tests/kit/protocol_lines.json.
  assert.equal(reason(Uint8Array.of(0x22, 0xff, 0x22)), "the line is not UTF-8");
  for (const line of ["[1,]", '{"\\n" 1: 2}', '{"\\n": 1: 2}']) {
    assert.equal(reason(line), "the line is not JSON");
  }
  for (const opening of ["[", '{"\\n":']) {
    const closing = opening === "[" ? "]" : "}";
    assert.ok(read(opening.repeat(100) + "1" + closing.repeat(100)));
    assert.match(reason(opening.repeat(101) + "1" + closing.repeat(101)), /deeper than 100/);
  }
  assert.equal(read(JSON.stringify('"\\' + "[".repeat(200))), '"\\' + "[".repeat(200));
});

test("a name is read as written whatever was read before", () => {
  const lines: Record<string, string[]> = {
    '{"a": 0, "\\u0062": 1}': ["a", "b"],
    '{"a": 0, "\\\\": 1}': ["a", "\\"],
    '{"a": 0, "\\"": 1}': ["a", '"'],
    '{"a": 0, "x\\\\": {"a": 0, "\\n": 2}}': ["a", "x\\"],
    '{"a": 0, "x\\u0062" : [{"\\/": 3}]}': ["a", "xb"],
    '{"__proto__": 0, "\\u005f": 3}': ["__proto__", "_"],
  };
  for (let round = 0; round < 3; round++) {
    for (const [line, names] of Object.entries(lines)) {
      assert.deepEqual(Object.keys(read(line)), names);
    }
  }
  const value = read('{"a": 0, "x\\u0062" : [{"\\/": ":"}]}');
  assert.deepEqual(value, { a: 0, xb: [{ "/": ":" }] });
});

test("a long string is read", () => {
  for (const text of ["x".repeat(5_000_000), '\n"'.repeat(1_000_000)]) {
    assert.deepEqual(read(JSON.stringify({ "[": text, "\n": 1 })), { "[": text, "\n": 1 });
  }
});
