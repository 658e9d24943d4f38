/** What people write -> tokens in the spelling of the language, by schemas/rewrites.json. */

import { NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { Span } from "../errors.ts";
import { FUNCTIONS } from "../operations.ts";
import { DATA } from "./rewrites.ts";

type Rows = Readonly<Record<string, string>>;
type Pairs = readonly (readonly [string, string])[];

export const TABLES = DATA as Readonly<
  Record<"mathematical" | "exponential" | "head", string> &
    Record<"characters" | "letters" | "signs" | "latex" | "tokens" | "constants", Rows> &
    Record<"formulas" | "aliases" | "needs", Rows> &
    Record<"refused" | "without", Pairs>
>;

/** Map each character, or each word, to the key of its row. */
function inverted(rows: Pairs, separator = ""): Map<string, string> {
  const pairs = rows.map(([key, row]) => row.split(separator).map((word) => [word, key] as const));
  return new Map(pairs.flat());
}

/** Return a call with so many arguments, for which there are three names. */
export function calling(name: string, count: number): string {
  return `${name}(${[..."xyz?"].slice(0, count).join(", ")})`;
}

const CALLS = Array.from(FUNCTIONS.values(), ({ name, arity }) => calling(name, arity));
/** A call -> its formula, or the two that it has, of which one may not be there. */
export const FORMULAS = new Map([
  ...Object.entries(TABLES.formulas),
  ...CALLS.map((call) => [call, call] as const),
]);
/** Functions that have no formula -> why. */
export const WITHOUT = inverted(TABLES.without, " ");
const CHARACTERS = inverted(Object.entries(TABLES.characters));
for (let code = 0x21; code < 0x7f; code += 1) {
  CHARACTERS.set(String.fromCharCode(code + 0xfee0), String.fromCharCode(code));
}
const SPELLED = inverted([...Object.entries(TABLES.letters), ...Object.entries(TABLES.signs)]);
const ALIASES = inverted(Object.entries(TABLES.aliases), " ");
const LATEX = inverted(Object.entries(TABLES.latex), " ");
const NAMES = Array.from(FORMULAS.keys(), (call) => call.slice(0, call.indexOf("(")));
/** Functions that a text may call, whether the language has a formula for them or not. */
export const KNOWN = new Set([...NAMES, ...ALIASES.keys(), ...WITHOUT.keys()]);
export const LETTERS = new Set(Object.keys(TABLES.letters));

const COMMENT = /#[^\n]*/g;
const DECIMAL_COMMA = /(?<=[0-9]),(?=(?:[0-9]{1,2}|[0-9]{4,})(?![0-9,.]))/g;
const HEAD = new RegExp(`^${TABLES.head}`);
const REFUSED = TABLES.refused.map(([reason, row]) => [reason, new RegExp(row)] as const);
const KINDS = [...Object.keys(TABLES.tokens), "unknown"];
const ROWS = [...Object.values(TABLES.tokens), "[\\s\\S]"];
const TOKEN = new RegExp(ROWS.map((row) => `(${row})`).join("|"), "g");
const SYMBOLS: Rows = { "^": "**", ":=": "=", "\n": ";" };
const WRITTEN: Rows = { "**": "**", "=": "=", "{": "(", "}": ")" };
/** Behind them a line goes on. */
const GO_ON = ["-", "+", "*", "/", "**", ";", "="];

/** The text has no one program; `span` says where. */
export class Refused extends Error {
  readonly reason: string;
  readonly span: Span;

  constructor(reason: string, start: number, end: number) {
    super(reason);
    this.reason = reason;
    this.span = { start, end };
  }
}

/**
 * A piece of the text, as the language spells it; or what is put in, which has no place.
 *
 * `kind` is number, name, letter, root, raised (a number above the line), end, or the symbol; of
 * what is put in it is the reason. `path` is what stands before a name, such as `np`.
 */
export interface Lexeme extends Span {
  readonly kind: string;
  readonly text: string;
  readonly path: string;
  readonly place: number;
}

/** Make a token, which has no place yet. */
export function lexemeOf(kind: string, text: string, start = 0, end = 0, path = ""): Lexeme {
  return { kind, text, start, end, path, place: -1 };
}

/** Cut a name into these. */
export function split(token: Lexeme, words: Iterable<string>): Lexeme[] {
  let end = token.start;
  return Array.from(words, (text) => {
    const start = end;
    end += text.length;
    return { ...token, text, start, end };
  });
}

/** Return the one name of a function. */
export function keyOf(word: string): string {
  const small = word.toLowerCase();
  return FORMULAS.has(`${word}(x)`) ? word : (ALIASES.get(small) ?? small);
}

/** Return as many characters, in ASCII where they mean that; NUL stands for nothing. */
export function spell(characters: readonly string[]): string {
  let plain = characters.map((each) => (each.length > 1 ? "\uffff" : each)).join("");
  plain = plain.replace(COMMENT, nothing);
  const head = HEAD.exec(plain);
  if (head !== null && KNOWN.has(head[1] ?? "")) {
    throw new Refused("comparison", 0, head[0].length);
  }
  plain = plain.replace(HEAD, nothing);
  if (!plain.includes("(")) plain = plain.replace(DECIMAL_COMMA, ".");
  for (const [reason, pattern] of REFUSED) {
    const found = pattern.exec(plain);
    if (found !== null) throw new Refused(reason, found.index, found.index + found[0].length);
  }
  return Array.from(plain, (each) => CHARACTERS.get(each) ?? each).join("");
}

function nothing(found: string): string {
  return "\0".repeat(found.length);
}

/** Cut the text into tokens, the last one being the end. */
export function scan(plain: string, deadline: Deadline): Lexeme[] {
  const tokens: Lexeme[] = [];
  let [depth, count] = [0, 0];
  for (const found of plain.matchAll(TOKEN)) {
    if (count++ % NODES_PER_CHECK === 0) deadline.check();
    let kind = KINDS[found.findIndex((group, index) => index > 0 && group !== undefined) - 1]!;
    let [text, path] = [found[0], ""];
    const [start, end] = [found.index, found.index + text.length];
    if (kind === "command") [kind, text] = command(text);
    text = Array.from(text, (each) => SPELLED.get(each) ?? each).join("");
    if (kind === "unknown" || !/^[\0-\x7f]*$/.test(text)) throw new Refused("unknown", start, end);
    if (kind === "number") {
      text = text.replaceAll("_", "");
    } else if (kind === "name" || kind === "letter") {
      text = text.replace("{", "").replace("}", "");
      const point = text.lastIndexOf(".");
      [path, text] = [text.slice(0, Math.max(point, 0)), text.slice(point + 1)];
    } else if (kind === "raised") {
      tokens.push(lexemeOf("**", "**", start, start));
    } else if (kind === "symbol") {
      depth += Number("({".includes(text)) - Number(")}".includes(text));
      const before = tokens.at(-1)?.kind ?? ";";
      if (text === "\n" && (depth > 0 || GO_ON.includes(before))) continue;
      const separates = (text[0] === "}" && text !== "}") || (text === ";" && depth > 0);
      kind = separates ? "," : (SYMBOLS[text] ?? text);
      text = WRITTEN[kind] ?? text;
    }
    if (kind !== "blank") tokens.push(lexemeOf(kind, text, start, end, path));
  }
  return [...tokens, lexemeOf("end", "", plain.length, plain.length)];
}

/** Read a command of LaTeX: a name, or a symbol, or nothing. */
function command(text: string): [kind: string, text: string] {
  const word = text.slice(1);
  const symbol = LATEX.get(word);
  if (symbol !== undefined) return [symbol === "" ? "blank" : "symbol", symbol];
  const [base] = word.split(/[_{]/) as [string];
  return [KNOWN.has(base) || LETTERS.has(base) ? "name" : "unknown", word];
}
