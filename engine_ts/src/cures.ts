/** What beginners write -> what to write in its place. */

import { FUNCTIONS } from "./operations.ts";

/** What is called, and what to write for it; a cure ends when its word becomes a function. */
const CALLS = new Map([
  ["cosh(x)", "(exp(x) + exp(-x)) / 2"],
  ["ln(x)", "log(x)"],
  ["log10(x)", "log(x) / log(10)"],
  ["log2(x)", "log(x) / log(2)"],
  ["logistic(x)", "sigmoid(x)"],
  ["maximum(x, y)", "max(x, y)"],
  ["minimum(x, y)", "min(x, y)"],
  ["pow(x, 2)", "x ** 2"],
  ["sgn(x)", "x / abs(x)"],
  ["sign(x)", "x / abs(x)"],
  ["sinh(x)", "(exp(x) - exp(-x)) / 2"],
  ["square(x)", "x ** 2"],
  ["tan(x)", "sin(x) / cos(x)"],
]);

const CONSTANTS = new Map([
  ["e", "write `exp(1)`, and `exp(x)` for `e ** x`"],
  ["pi", "write 3.141592653589793"],
]);

const CHARACTERS = new Map([
  ["^", "write `**` for a power"],
  ["\u00b2", "write `** 2` for a square"],
  ["\u00b3", "write `** 3` for a cube"],
  ["\u221a", "write `sqrt(x)` for a square root"],
  ["\u00d7", "write `*` to multiply"],
  ["\u00b7", "write `*` to multiply"],
  ["\u22c5", "write `*` to multiply"],
  ["\u00f7", "write `/` to divide"],
  ["\u2212", "write the hyphen `-` for minus"],
  ["\u2013", "write the hyphen `-` for minus"],
  ["\u03c0", "write 3.141592653589793, or a name such as `pi` with a value"],
  [".", "write a function by its name alone, as in `exp(x)`"],
  ["%", "there is no remainder"],
  ["<", "there is no comparison, but `relu`, `min` and `max`"],
  [">", "there is no comparison, but `relu`, `min` and `max`"],
  ["|", "write `abs(x)` for `|x|`"],
  ["#", "there are no comments"],
  ["[", "group with ( and )"],
  ["]", "group with ( and )"],
  ["{", "group with ( and )"],
  ["}", "group with ( and )"],
]);
const CHARACTER = "use ASCII letters, digits, _ and + - * / ** ( ) = , ;";

/** So many functions are named where none is like the word, so that the message stays short. */
const SHOWN = 8;

/** Say what to write for a call of something that is not a function. */
export function cureOfCall(name: string): string {
  const word = name.toLowerCase();
  if (FUNCTIONS.has(word)) return `did you mean \`${word}\`?`;
  for (const [call, instead] of CALLS) {
    if (call.startsWith(`${word}(`)) return `write \`${instead}\` for \`${call}\``;
  }
  const functions = [...FUNCTIONS.keys()];
  const near = functions.find((each) => oneSlip(word, each));
  if (near !== undefined) return `did you mean \`${near}\`?`;
  const first = `${functions.slice(0, SHOWN).join(", ")} and ${functions.length - SHOWN} more`;
  return `the functions are ${first}; put \`*\` before the parenthesis to multiply`;
}

/** Say what to do about variables without values. */
export function cureOfMissingValues(names: readonly string[]): string {
  const cures = names.flatMap((name) => {
    const cure = cureOfName(name);
    return cure === undefined ? [] : [names.length === 1 ? cure : `for \`${name}\` ${cure}`];
  });
  if (names.length === 1) return ["add it to values", ...cures].join(", or ");
  return ["add them to values", ...cures].join("; ");
}

function cureOfName(name: string): string | undefined {
  if (FUNCTIONS.has(name)) return "put ( and ) around what follows it to call it";
  return CONSTANTS.get(name.toLowerCase());
}

/** Say what to write for a character that is not part of the language. */
export function cureOfCharacter(character: string): string {
  return CHARACTERS.get(character) ?? CHARACTER;
}

/** Say why a number is not finite, and what to do; operands are those of the operation. */
export function faultOfNumber(
  stage: string,
  symbol: string,
  operands: readonly (number | null)[],
): string {
  const steep = operands.at(symbol === "/" ? -1 : 0)!;
  const tooLarge = "is too large for a double; use values";
  if (steep === null || Math.abs(steep) >= 1 || !["data", "local_grad"].includes(stage))
    return `${tooLarge} nearer to 0`;
  if (steep !== 0) return `${tooLarge} further from 0`;
  const what = symbol === "**" ? "`x ** c` with c < 1" : `\`${symbol}\``;
  return `is infinite: ${what} has no finite slope at 0; use a value above 0`;
}

/** True where one letter is wrong, missing or too many, or two neighbours changed places. */
function oneSlip(word: string, known: string): boolean {
  while (word !== "" && word[0] === known[0]) [word, known] = [word.slice(1), known.slice(1)];
  while (word !== "" && word.at(-1) === known.at(-1)) {
    [word, known] = [word.slice(0, -1), known.slice(0, -1)];
  }
  const swapped = word.length === 2 && known.length === 2 && word === known[1]! + known[0]!;
  return swapped || (word.length <= 1 && known.length <= 1);
}
