import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import { FUNCTIONS } from "../src/operations.ts";
import type { Operation } from "../src/rows.ts";

const CURES: [text: string, word: string, words: string][] = [
  // text, the word in it that may become a function one day, what the message must say
  ["SQRT(x)", "", "did you mean `sqrt`?"],
  ["ln(x)", "ln", "write `log(x)`"],
  ["log10(x)", "log10", "write `log(x) / log(10)`"],
  ["log2(x)", "log2", "write `log(x) / log(2)`"],
  ["sinh(x)", "sinh", "write `(exp(x) - exp(-x)) / 2`"],
  ["cosh(x)", "cosh", "write `(exp(x) + exp(-x)) / 2`"],
  ["pow(x, 2)", "pow", "write `x ** 2`"],
  ["square(x)", "square", "write `x ** 2`"],
  ["tan(x)", "tan", "write `sin(x) / cos(x)`"],
  ["Sin(x)", "", "did you mean `sin`?"],
  ["SIGN(x)", "sign", "write `x / abs(x)`"],
  ["sgn(x)", "sgn", "write `x / abs(x)`"],
  ["minimum(x, y)", "minimum", "write `min(x, y)`"],
  ["maximum(x, y)", "maximum", "write `max(x, y)`"],
  ["logistic(x)", "logistic", "write `sigmoid(x)`"],
  ["tahn(x)", "", "did you mean `tanh`?"],
  ["tanhh(x)", "", "did you mean `tanh`?"],
  ["lg(x)", "", "did you mean `log`?"],
  ["ReLU(x)", "", "did you mean `relu`?"],
  ["lof(x)", "", "did you mean `log`?"],
  ["relux(x)", "", "did you mean `relu`?"],
  ["foo(x)", "", "the functions are relu, "],
  ["ehtn(x)", "", "the functions are relu, "],
  ["x(2)", "", "put `*` before the parenthesis to multiply"],
  ["x ** y", "", "where x > 0, write `exp(y * log(x))` for `x ** y`"],
  ["2 ** (x + 1)", "", "where x > 0, write `exp(y * log(x))` for `x ** y`"],
  ["2(x)", "", "put `*` between `2` and `(`"],
  ["(x)(y)", "", "put `*` between `)` and `(`"],
  ["x y", "", "put `*` between `x` and `y`"],
  ["relu x", "", "write `relu(x)`"],
  ["x == 2", "", "there is no comparison"],
  ["x + 1 = 2", "", "there is no comparison"],
  ["x < 2", "", "there is no comparison"],
  ["x ^ 2", "", "write `**`"],
  ["x\u00b2", "", "write `** 2`"],
  ["x\u00b3", "", "write `** 3`"],
  ["\u221ax", "", "write `sqrt(x)`"],
  ["x \u00d7 2", "", "write `*`"],
  ["x \u00b7 2", "", "write `*`"],
  ["x \u22c5 2", "", "write `*`"],
  ["x \u00f7 2", "", "write `/`"],
  ["x \u2212 2", "", "write the hyphen `-`"],
  ["x \u2013 2", "", "write the hyphen `-`"],
  ["2 * \u03c0", "", "write 3.141592653589793"],
  ["Math.exp(x)", "", "write a function by its name alone, as in `exp(x)`"],
  ["x % 2", "", "no remainder"],
  ["|x|", "", "write `abs(x)`"],
  ["sqrt -1", "", "add it to values, or put ( and ) around what follows it to call it"],
  ["x # the input", "", "no comments"],
  ["[x]", "", "group with ( and )"],
  ["2 * pi", "", "write 3.141592653589793"],
  ["2 * PI", "", "write 3.141592653589793"],
  ["e * x", "", "write `exp(1)`, and `exp(x)` for `e ** x`"],
  ["2 * w", "", "`w` has no value; add it to values"],
  ["v * w", "", "`v`, `w` have no values; add them to values"],
  ["PI * w", "", "`PI`, `w` have no values; add them to values; for `PI` write 3.14159"],
  [
    [..."abcdefghijkl"].join("+"),
    "",
    "`j` and 2 more have no values; add them to values; for `e` ",
  ],
];

function refused(text: string): any {
  try {
    introspect(text, { x: 2, y: 3 });
  } catch (error) {
    return error;
  }
  return assert.fail(`${text} was not refused`);
}

test("what beginners write is answered with what to write", () => {
  for (const [text, word, words] of CURES) {
    if (FUNCTIONS.has(word)) continue; // the word has become a function, and its cure has ended
    const { message } = refused(text);
    assert.ok(message.includes(words), `${text}: ${message}`);
  }
});

test("a cure ends when its word becomes a function", () => {
  const table = FUNCTIONS as Map<string, Operation>;
  const before = table.get("square");
  table.set("square", table.get("exp")!);
  try {
    for (const word of ["squar", "Square"]) {
      const error = refused(`${word}(x)`);
      assert.deepEqual([error.code, error.data.name], ["unknown_function", word]);
      assert.match(error.message, /did you mean `square`/);
    }
  } finally {
    if (before === undefined) table.delete("square");
    else table.set("square", before);
  }
});

test("a long word is cut in the message", () => {
  const error = refused("a".repeat(60_000) + "(x)");
  assert.ok(error.message.length < 200);
  assert.equal(error.data.name, "a".repeat(60_000));
});
