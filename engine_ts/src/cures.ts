/** What beginners write -> what to write in its place. */

import { FUNCTIONS } from "./operations.ts";

/** Looked up for names that are not functions, so a cure ends when its word becomes one. */
const CALLS = new Map([
  ["cosh", "write `(exp(x) + exp(-x)) / 2` for `cosh(x)`"],
  ["ln", "write `log(x)` for `ln(x)`"],
  ["log10", "write `log(x) / log(10)` for `log10(x)`"],
  ["log2", "write `log(x) / log(2)` for `log2(x)`"],
  ["pow", "write `x ** 2` for `pow(x, 2)`"],
  ["sinh", "write `(exp(x) - exp(-x)) / 2` for `sinh(x)`"],
  ["square", "write `x ** 2` for `square(x)`"],
  ["tan", "write `sin(x) / cos(x)` for `tan(x)`"],
]);

const CONSTANTS = new Map([
  ["e", "write `exp(1)`, and `exp(x)` for `e ** x`"],
  ["pi", "write 3.141592653589793"],
]);

const CHARACTERS = new Map([
  ["^", "write `**` for a power"],
  ["\u00b2", "write `** 2` for a square"],
  ["\u00b3", "write `** 3` for a cube"],
  ["\u221a", "write `** 0.5` for a square root"],
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
  ["#", "there are no comments"],
  ["[", "group with ( and )"],
  ["]", "group with ( and )"],
  ["{", "group with ( and )"],
  ["}", "group with ( and )"],
]);
const CHARACTER = "use ASCII letters, digits, _ and + - * / ** ( ) = , ;";

/** Say what to write for a call of something that is not a function. */
export function cureOfCall(name: string): string {
  const word = name.toLowerCase();
  const cure = CALLS.get(word);
  if (cure !== undefined) return cure;
  for (const known of FUNCTIONS.keys()) {
    if (oneSlip(word, known)) return `did you mean \`${known}\`?`;
  }
  const known = [...FUNCTIONS.keys()].join(", ");
  return `the functions are ${known}; put \`*\` before the parenthesis to multiply`;
}

/** Say what to do about variables without values. */
export function cureOfMissingValues(names: readonly string[]): string {
  const cures = names.flatMap((name) => {
    const cure = CONSTANTS.get(name.toLowerCase());
    return cure === undefined ? [] : [names.length === 1 ? cure : `for \`${name}\` ${cure}`];
  });
  if (names.length === 1) return ["add it to values", ...cures].join(", or ");
  return ["add them to values", ...cures].join("; ");
}

/** Say what to write for a character that is not part of the language. */
export function cureOfCharacter(character: string): string {
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
