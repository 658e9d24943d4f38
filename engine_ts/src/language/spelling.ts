/** Text as people write it -> tokens as the language spells them, by schemas/rewrites.json. */

import { NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { Span } from "../errors.ts";
import { FUNCTIONS } from "../operations.ts";
import { DATA } from "./rewrites.ts";

export type Rows = Readonly<Record<string, string>>;
type Pairs = readonly (readonly [string, string])[];
type Patterns = "frame" | "head" | "statement" | "latex_word" | "decimal_comma" | "derived";
type Words = "glued" | "solved" | "spelled" | "fractions" | "variants" | "called" | "suffixes";

export const TABLES = DATA as Readonly<
  Record<Patterns | Words | "called_letters", string> &
    Record<"characters" | "letters" | "raised" | "halves" | "constants" | "latex", Rows> &
    Record<"tokens" | "symbols" | "commands" | "words" | "formulas" | "aliases", Rows> &
    Record<"needs" | "keywords" | "cures" | "signs" | "marks", Rows> &
    Record<"without" | "conditionals", Pairs> &
    Record<"repairs", Readonly<Record<string, Pairs>>> &
    Record<"stray", Readonly<Record<"operand" | "behind" | "inside", Rows>>>
>;

/** Map each word, or each character, of a table to the key of its row. */
function inverted(rows: Rows | Pairs, separator = " "): Map<string, string> {
  const pairs = Array.isArray(rows) ? (rows as Pairs) : Object.entries(rows as Rows);
  return new Map(pairs.flatMap(([key, row]) => row.split(separator).map((word) => [word, key])));
}

/** Return a call with `count` placeholders for arguments: x, y and z. */
export function calling(name: string, count: number): string {
  return `${name}(${[..."xyz?"].slice(0, count).join(", ")})`;
}

const CALLS = Array.from(FUNCTIONS.values(), ({ name, arity }) => calling(name, arity));
/** A call -> its formula, or two alternatives, one of which may be missing. */
export const FORMULAS = new Map([
  ...Object.entries(TABLES.formulas),
  ...CALLS.map((call) => [call, call] as const),
]);
/** Functions that have no formula -> why. */
export const WITHOUT = inverted(TABLES.without);
export const GREEK = new Set(Object.keys(TABLES.letters));
export const GLUED = TABLES.glued.split(" ");
export const FRACTIONS = TABLES.fractions.split(" ");
export const ROOTS: Rows = { "√": "sqrt", "∛": "cbrt" };
export const PAIRS: Rows = { "(": ")", "[": "]", "{": "}" };
const ALIASES = inverted(TABLES.aliases);
/** Functions that have a formula. */
const WITH = new Set(Array.from(FORMULAS.keys(), (call) => call.slice(0, call.indexOf("("))));
/** Functions that a text may call, whether the language has a formula for them or not. */
export const KNOWN = new Set([...WITH, ...ALIASES.keys(), ...WITHOUT.keys()]);
KNOWN.delete("sigma");

const CHARACTERS = inverted(TABLES.characters, "");
for (let code = 0x21; code < 0x7f; code += 1) {
  CHARACTERS.set(String.fromCharCode(code + 0xfee0), String.fromCharCode(code));
}
const LETTERS = new Map([...CHARACTERS, ...inverted(TABLES.letters, "")]);
const LATEX = inverted(TABLES.latex);
const WORDS = inverted(TABLES.words);
const MARKS = inverted(TABLES.marks);
const COMMANDS = new Map(Object.entries(TABLES.commands));
/** A sign -> the kind of its token, and how the language writes it. */
const SIGNS = new Map(
  Object.entries(TABLES.signs).flatMap(([kind, row]) => {
    const [written, ...spellings] = row.split(" ") as [string, ...string[]];
    return [kind, ...spellings].map((each) => [each, [kind, written]] as const);
  }),
);
/** After these, a statement continues on the next line. */
const GO_ON = ["-", "+", "*", "/", "^", "break", "="];

/** Words that are names unless they are called. */
const CALLED = TABLES.called.split(" ");

const FRAME = new RegExp(TABLES.frame, "g");
const HEAD = new RegExp(TABLES.head, "y");
const STATEMENT = new RegExp(TABLES.statement, "g");
const KINDS = Object.keys(TABLES.tokens);
const ROWS = Object.values(TABLES.tokens).map((row) => `(${row})`);
const TOKEN = new RegExp(ROWS.join("|"), "y");
const LATEX_WORD = new RegExp(TABLES.latex_word, "y");
const INDEXED = /[A-Za-z](?:_\{[A-Za-z0-9]+\}|_[A-Za-z0-9])?/y;
const SUBSCRIPT = /\\(?:text|mathrm|rm)|[{}\\ ]/g;
const LOG_OF_BASE = /^(?:log|ln)_[A-Za-z0-9]+$/;
const INDEX = /_([\s\S]*)/;
const WRAPPED = /^\\([a-z]+)\*?[ \t\n\r]*([\s\S]*)/;
const DIGITS = /^[0-9]+$/;
const NOT_ZERO = /^[0.]*[1-9]/;
const SUFFIX = /_?f(?:32|64)$/;
const ASCII = /^[\0-\x7f]*$/;

/** The text has no single meaning; `span` says where: from one piece to another. */
export class Refused extends Error {
  readonly reason: string;
  readonly span: Span;

  constructor(reason: string, first: Span, last: Span = first) {
    super(reason);
    this.reason = reason;
    this.span = { start: first.start, end: last.end };
  }
}

/**
 * A piece of the text, as the language spells it, or an insertion, which has no place.
 *
 * `kind` is number, name, function, break, end, or the symbol; for an insertion, its reason. `path`
 * is the module before a name, such as `np`; `gap` is true after a blank. Pieces of one word have
 * the same `run`, which is not 0.
 */
export interface Lexeme extends Span {
  readonly kind: string;
  readonly text: string;
  readonly path: string;
  readonly gap: boolean;
  readonly run: number;
  readonly place: number;
}

/** Make a token, which has no place yet. */
export function lexemeOf(kind: string, text: string, start = 0, end = 0, gap = false): Lexeme {
  return { kind, text, start, end, path: "", gap, run: 0, place: -1 };
}

/** Split a word into pieces, each a kind and a text. */
export function split(token: Lexeme, pieces: Pairs): Lexeme[] {
  let end = token.start;
  return pieces.map(([kind, text], index) => {
    const start = end;
    end += text.length;
    const gap = token.gap && index === 0;
    return { ...lexemeOf(kind, text, start, end, gap), run: token.start + 1 };
  });
}

/** Return a function's main name, or null if `word` names no function. */
export function keyOf(word: string): string | null {
  for (const each of [word, word.toLowerCase()]) {
    if (WITHOUT.has(each) || (WITH.has(each) && each !== "sigma")) return each;
    const one = ALIASES.get(each);
    if (one !== undefined) return one;
  }
  if (LOG_OF_BASE.test(word)) return word;
  const isOfC = word.endsWith("f") && KNOWN.has(word.slice(0, -1)); // such as tanhf
  return isOfC ? keyOf(word.slice(0, -1)) : null;
}

/** Return a number as it was written, unless its double is another integer or 0. */
export function asDouble(number: string): string {
  const double = Number(number);
  if (double === 0) return NOT_ZERO.test(number) ? "0" : number;
  if (!DIGITS.test(number) || double === Infinity) return number;
  const digits = BigInt(double).toString();
  return digits === number.replace(/^0+/, "") ? number : digits;
}

/**
 * Replace characters by ASCII ones that mean the same; NUL replaces a skipped one.
 *
 * `defined` is the head `sin(x) = `, if the text defines a function that the language has.
 */
export function spell(characters: readonly string[]): [plain: string, defined: string] {
  let plain = characters.map((each) => (each.length > 1 ? "\uffff" : each)).join("");
  plain = plain.replace(FRAME, nothing);
  HEAD.lastIndex = 0;
  const [head = "", name = ""] = HEAD.exec(plain) ?? [];
  plain = (nothing(head) + plain.slice(head.length)).replace(STATEMENT, nothing);
  plain = Array.from(plain, (each) => CHARACTERS.get(each) ?? each).join("");
  return [plain, TABLES.solved.split(" ").includes(name) ? head : ""];
}

function nothing(found: string): string {
  return found.replace(/[^\n]/g, "\0");
}

/** Cut the text into tokens, the last one being the end. */
export function scan(
  plain: string,
  given: ReadonlySet<string>,
  deadline: Deadline,
  isLatex: boolean,
): Lexeme[] {
  const tokens: Lexeme[] = [];
  let [at, count, depth, single, gap] = [0, 0, 0, 0, false];
  while (at < plain.length) {
    if (count++ % NODES_PER_CHECK === 0) deadline.check();
    const start = at;
    let [kind, text] = next(plain, at, tokens, isLatex);
    if (single > 0 && kind !== "blank") {
      // `\frac12` is 1/2
      single = ["number", "name", "command"].includes(kind) ? single - 1 : 0;
      if ((kind === "number" || kind === "name") && !text.startsWith(".")) text = text[0]!;
    }
    at += text.length;
    const token = spelled(kind, text, lexemeOf("", "", start, at, gap), given, plain);
    depth += Number(token.kind in PAIRS) - Number([")", "]", "}"].includes(token.kind));
    gap = token.kind === "";
    if (kind === "command") {
      single = FRACTIONS.includes(token.text) ? 2 : Number(token.text === "sqrt");
    }
    if (kind === "raised") {
      tokens.push(...raised(token));
    } else if (token.text === ";" && depth > 0) {
      tokens.push({ ...token, kind: ",", text: "," });
    } else if (token.kind === "break") {
      // unless the statement continues
      if (depth <= 0 && !GO_ON.includes(tokens.at(-1)?.kind ?? "=")) tokens.push(token);
    } else if (token.kind !== "") {
      tokens.push(token);
    }
  }
  while (tokens.at(-1)?.kind === "break") tokens.pop();
  return [...tokens, lexemeOf("end", "", plain.length, plain.length)];
}

/** Return the kind and the text of the token at a place. */
function next(
  plain: string,
  at: number,
  before: readonly Lexeme[],
  isLatex: boolean,
): [kind: string, text: string] {
  TOKEN.lastIndex = at;
  const found = TOKEN.exec(plain)!;
  const kind = KINDS[found.findIndex((group, index) => index > 0 && group !== undefined) - 1]!;
  const text = found[0];
  if (text === "||") {
    const last = before.at(-1)?.kind ?? "=";
    if (last === "(" || GO_ON.includes(last)) throw new Refused("norm", { start: at, end: at + 2 });
    return [kind, "|"];
  }
  if (kind !== "name" || !isLatex || !ASCII.test(text)) return [kind, text];
  if (text.startsWith("_")) throw new Refused("unknown", { start: at, end: at + 1 });
  const word = text.includes("_") ? matched(LATEX_WORD, text) : text; // an index is short
  const isIndexed = plain[at + word.length] === "_" && !word.includes("_");
  return [kind, word.endsWith("_") || isIndexed ? matched(INDEXED, plain, at, word) : word];
}

function matched(pattern: RegExp, text: string, at = 0, other = text): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? other;
}

/** Return superscripts as a power: a sign, digits or a name. */
function raised(token: Lexeme): Lexeme[] {
  const found = token.text.match(/[-+]|[0-9]+|[a-z]/g)!;
  const pieces = found.map((each) => {
    return [/[0-9]/.test(each) ? "number" : /[a-z]/.test(each) ? "name" : each, each] as const;
  });
  return [{ ...token, kind: "^", text: "**", end: token.start }, ...split(token, pieces)];
}

/** Spell one token as the language does; a blank has no kind. */
function spelled(
  kind: string,
  text: string,
  at: Lexeme,
  given: ReadonlySet<string>,
  plain: string,
): Lexeme {
  if (kind === "name" || kind === "letter") return nameOf(text, at, given, plain);
  if (kind === "wrapped") return wrapped(text, at);
  if (kind === "command") return command(text.slice(1), at);
  if (kind === "blank") return at;
  if (kind === "symbol" || kind === "bad") {
    const [sign, written] = SIGNS.get(text) ?? [];
    if (sign !== undefined) return { ...at, kind: sign, text: written! };
    throw new Refused(kind === "bad" ? "number" : (TABLES.symbols[text] ?? "unknown"), at);
  }
  if (kind === "raised") text = Array.from(text, (each) => TABLES.raised[each]).join("");
  else if (kind === "break") text = text === "\n" ? text : ";";
  else text = TABLES.halves[text] ?? asDouble(text.replace(SUFFIX, "").replaceAll("_", ""));
  return { ...at, kind, text };
}

/** Read `\operatorname{...}`, `\hat{...}` and the like as a name. */
function wrapped(text: string, at: Lexeme): Lexeme {
  const [, macro, inner] = WRAPPED.exec(text)!;
  const [base, low = ""] = inner!.replace(SUBSCRIPT, "").split(INDEX) as [string, string?];
  const reason = WITHOUT.get(base);
  if ((reason !== undefined && low !== "") || !/^[A-Za-z]/.test(base)) {
    throw new Refused(reason ?? "unknown", at);
  }
  const marked = base + (MARKS.get(macro!) ?? "");
  return { ...at, kind: "name", text: low === "" ? marked : `${marked}_${low}` };
}

/** Read a LaTeX command: a name, perhaps with an index, or a symbol, or nothing. */
function command(text: string, at: Lexeme): Lexeme {
  let [word, index] = text.split(INDEX) as [string, string?];
  const reason = COMMANDS.get(word);
  if (reason !== undefined) throw new Refused(reason, at);
  const symbol = LATEX.get(text);
  if (symbol !== undefined) return { ...at, kind: symbol, text: symbol };
  if (TABLES.variants.split(" ").includes(word)) word = word.slice("var".length);
  if (!KNOWN.has(word) && !GREEK.has(word) && !FRACTIONS.includes(word) && word !== "ell") {
    throw new Refused("unknown_function", at);
  }
  if (index !== undefined) word += `_${index.replace(SUBSCRIPT, "")}`;
  return { ...at, kind: "name", text: word };
}

/** Read a word, with its path, its index and its letters of other scripts. */
function nameOf(text: string, at: Lexeme, given: ReadonlySet<string>, plain: string): Lexeme {
  const whole = text.replace(SUBSCRIPT, "").replaceAll("::", ".");
  const point = whole.lastIndexOf(".");
  const path = whole.slice(0, Math.max(point, 0));
  const letters = whole.slice(point + 1).replaceAll("$", "");
  const word = Array.from(letters, (each) => LETTERS.get(each) ?? each).join("");
  const reason = WORDS.get(word);
  const isCalled = !CALLED.includes(word) || plain[at.end] === "(";
  if (reason !== undefined && isCalled && !given.has(word) && !(word === "mod" && path !== "")) {
    throw new Refused(reason, at);
  }
  if (!ASCII.test(word)) throw new Refused("unknown", at);
  return { ...at, kind: "name", text: word, path };
}
