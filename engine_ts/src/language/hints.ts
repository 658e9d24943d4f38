/** What beginners write -> what to write in its place. */

import { FUNCTIONS } from "../operations.ts";

/** What is called, and what to write for it; a hint ends when its word becomes a function. */
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

/** So many functions are named where none is like the word: all that there are. */
const SHOWN = 20;

/** Say what to write for a call of something that is not a function. */
export function hintForCall(name: string): string {
  const word = name.toLowerCase();
  if (FUNCTIONS.has(word)) return `did you mean \`${word}\`?`;
  for (const [call, instead] of CALLS) {
    if (call.startsWith(`${word}(`)) return `write \`${instead}\` for \`${call}\``;
  }
  const functions = [...FUNCTIONS.keys()];
  const near = functions.find((each) => oneSlip(word, each));
  if (near !== undefined) return `did you mean \`${near}\`?`;
  const more = functions.length > SHOWN ? ` and ${functions.length - SHOWN} more` : "";
  const known = `${functions.slice(0, SHOWN).join(", ")}${more}`;
  return `the functions are ${known}; put \`*\` before the parenthesis to multiply`;
}

/** Say what to do about variables without values. */
export function hintForMissingValues(names: readonly string[]): string {
  const hints = names.flatMap((name) => {
    const hint = hintForName(name);
    return hint === undefined ? [] : [names.length === 1 ? hint : `for \`${name}\` ${hint}`];
  });
  if (names.length === 1) return ["add it to values", ...hints].join(", or ");
  return ["add them to values", ...hints].join("; ");
}

function hintForName(name: string): string | undefined {
  if (FUNCTIONS.has(name)) return "put ( and ) around what follows it to call it";
  return CONSTANTS.get(name.toLowerCase());
}

/** Say what to write for a character that is not part of the language. */
export function hintForCharacter(character: string): string {
  return CHARACTERS.get(character) ?? CHARACTER;
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
