import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_NESTING, readLine, Refused } from "../src/line.ts";
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

test("a line that is not utf 8 is refused", () => {
  for (const bytes of [[0xff], [0xc0, 0xaa], [0xed, 0xa0, 0x80], [0xe9]]) {
    assert.equal(reason(Uint8Array.from([0x22, ...bytes, 0x22])), "the line is not UTF-8");
  }
});

test("a line that is not json is refused", () => {
  const lines = ["", "  ", "{", "{}{}", "[1,]", "NaN", "Infinity", "-Infinity", "01", "'a'"];
  for (const line of [...lines, '"\\q"', '{"\\q": 1}', '{"\\n" 1: 2}', '{"\\n": 1: 2}']) {
    assert.equal(reason(line), "the line is not JSON");
  }
  assert.equal(reason("\ufeff{}"), "the line is not JSON");
  assert.equal(reason(Buffer.from("{}", "utf16le")), "the line is not JSON");
});

test("nesting is bounded whatever the parser can bear", () => {
  for (const [opening, closing] of [
    ["[", "]"],
    ['{"a":', "}"],
    ['{"\\n":', "}"],
    ['[{"a":', "}]"],
  ] as const) {
    const times = MAX_NESTING / closing.length;
    const nested = (count: number) => opening.repeat(count) + "1" + closing.repeat(count);
    assert.equal(JSON.stringify(read(nested(times))).split(closing).length - 1, times);
    for (const more of [1, 1_000, 100_000]) {
      assert.match(reason(nested(times + more)), /deeper than 100/);
    }
  }
});

test("what is deep is refused even where it is lost or not closed", () => {
  const deep = "[".repeat(101) + "]".repeat(101);
  assert.match(reason(`{"a": ${deep}, "a": 1}`), /deeper/);
  assert.match(reason("[".repeat(101)), /deeper/);
});

test("brackets in strings and side by side do not nest", () => {
  for (const text of ["[".repeat(200), '"\\' + "[".repeat(200)]) {
    assert.equal(read(JSON.stringify(text)), text);
  }
  assert.equal(read("[" + "[],".repeat(200) + "[]]").length, 201);
  assert.equal(reason('"' + "[".repeat(200)), "the line is not JSON");
});

test("the last of two members with one name counts", () => {
  assert.deepEqual(read('{"a": 1, "b": 2, "\\u0061": 3}'), { a: 3, b: 2 });
  assert.deepEqual(read('{"\\u0061": 1, "a": 2}'), { a: 2 });
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
