import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalText, digest } from "../src/canonical.ts";
import { introspect } from "../src/introspect.ts";

// RFC 8785, appendix B: the bits of a double, and its text.
const APPENDIX_B: [bits: string, text: string][] = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
];

function doubleOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt("0x" + bits));
  return view.getFloat64(0);
}

test("the numbers of the rfc have their texts", () => {
  for (const [bits, text] of APPENDIX_B) {
    assert.equal(canonicalText(doubleOf(bits)), text);
    assert.equal(canonicalText({ a: [doubleOf(bits)] }), `{"a":[${text}]}`);
  }
});

test("what is no finite double is refused", () => {
  for (const number of [Infinity, -Infinity, NaN]) {
    assert.throws(() => canonicalText({ a: [number] }), RangeError);
  }
});

test("the example of the rfc", () => {
  // RFC 8785, section 3.2.2
  const value = {
    numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
    literals: [null, true, false],
  };
  assert.equal(
    canonicalText(value),
    '{"literals":[null,true,false],' +
      '"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test("members are sorted by utf16 as the rfc shows", () => {
  // RFC 8785, section 3.2.3; by code points the emoji would be the last
  const value = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\u{1f600}": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
  };
  assert.equal(
    canonicalText(value),
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control",' +
      '"\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign",' +
      '"\u{1f600}":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
});

test("members are sorted at every depth and items are not", () => {
  const value = { b: [{ z: 1, Z: 2, _: 3 }, 2, 1], a: { bb: {}, b: [] }, B: "" };
  assert.equal(canonicalText(value), '{"B":"","a":{"b":[],"bb":{}},"b":[{"Z":2,"_":3,"z":1},2,1]}');
});

test("names that mean something to javascript are only names", () => {
  const value = JSON.parse('{"toString": 1, "__proto__": {"10": 2, "9": 3}}');
  assert.equal(canonicalText(value), '{"__proto__":{"10":2,"9":3},"toString":1}');
});

test("only what json must escape is escaped", () => {
  // RFC 8785, section 3.2.2.2
  const controls = String.fromCharCode(...Array(32).keys());
  assert.equal(
    canonicalText(controls),
    '"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e' +
      "\\u000f\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a" +
      '\\u001b\\u001c\\u001d\\u001e\\u001f"',
  );
  assert.equal(canonicalText('"\\/\x7f\u2028é'), '"\\"\\\\/\x7f\u2028é"');
});

test("an unpaired surrogate is refused", () => {
  for (const value of ["\ud800", { "\udfff": 1 }, { é: ["a\udc00b"] }, "\ude00\ud83d"]) {
    assert.throws(() => canonicalText(value), /unpaired surrogate/);
  }
});

test("what is no json value is refused", () => {
  for (const value of [undefined, [undefined], { a: () => 1 }, [1n], Symbol("a")]) {
    assert.throws(() => canonicalText(value), TypeError);
  }
});

test("the digest is the sha 256 of the text", () => {
  // printf '%s' '{"a":[1,"é"]}' | sha256sum, and of '""' and 'null'
  for (const [value, expected] of [
    [{ a: [1, "é"] }, "5db14a2cddc92d31365806bb5d82ed2bc436bf6960d10cd4654140f7bdadce1c"],
    ["", "12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126"],
    [null, "74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b"],
  ]) {
    assert.equal(digest(value), expected);
  }
  assert.throws(() => digest(NaN), RangeError);
});

test("the order of the values of a request does not matter", () => {
  const one = introspect("a * b", { a: 2, b: 3, c: 1 });
  const other = introspect("a * b", { c: 1, b: 3, a: 2 });
  assert.equal(canonicalText(one), canonicalText(other));
  assert.notEqual(digest(one), digest(introspect("a * b", { a: 2, b: 3 })));
});
