/** What schemas/rewrites.json says: how people write, as data. */

import { FUNCTIONS } from "../operations.ts";
import { DATA } from "./rewrites.ts";

type Rows = Readonly<Record<string, string>>;

type Tables = Readonly<Record<"mathematical" | "exponential" | "head" | "raised", string>> &
  Readonly<Record<"characters" | "letters" | "signs" | "latex" | "tokens" | "constants", Rows>> &
  Readonly<Record<"formulas" | "aliases" | "needs", Rows>> & {
    readonly refused: readonly (readonly [reason: string, pattern: string])[];
    readonly no_formula: readonly string[];
    readonly vector: readonly string[];
    readonly two_readings: Readonly<Record<string, readonly string[]>>;
  };

export const TABLES = DATA as Tables;

/** Map each character, or each word, to the key of its row. */
function inverted(rows: Rows, separator = ""): Map<string, string> {
  const pairs = Object.entries(rows);
  return new Map(pairs.flatMap(([key, row]) => row.split(separator).map((word) => [word, key])));
}

export const CHARACTERS = inverted(TABLES.characters);
for (let code = 0x21; code < 0x7f; code += 1) {
  CHARACTERS.set(String.fromCharCode(code + 0xfee0), String.fromCharCode(code));
}
export const LETTERS = inverted(TABLES.letters);
export const SIGNS = inverted(TABLES.signs);
export const ALIASES = inverted(TABLES.aliases, " ");
export const LATEX = inverted(TABLES.latex, " ");
export const FORMULAS = new Map(Object.entries(TABLES.formulas));
export const NEEDS = new Map(Object.entries(TABLES.needs));
export const CONSTANTS = new Map(Object.entries(TABLES.constants));
export const TWO_READINGS = new Map(Object.entries(TABLES.two_readings));
export const NO_FORMULA = new Set(TABLES.no_formula.join(" ").split(" "));
export const VECTOR = new Set(TABLES.vector.join(" ").split(" "));
/** Functions that a text may call, whether the language has a formula for them or not. */
export const KNOWN = new Set([
  ...FUNCTIONS.keys(),
  ...[...FORMULAS.keys()].map((call) => call.slice(0, call.indexOf("("))),
  "pow",
  ...[ALIASES, TWO_READINGS, NO_FORMULA, VECTOR].flatMap((names) => [...names.keys()]),
]);
