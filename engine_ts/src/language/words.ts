/**
 * Text -> the words of a reading: one word, as people write it, may be a product of names.
 *
 * Where a text is ambiguous, the reader asks its `Doubt` by the kind of ambiguity; one reading
 * makes the same choice for all doubts of a kind.
 */

import type { Deadline } from "../deadline.ts";
import type { Span } from "../errors.ts";
import { FUNCTIONS } from "../operations.ts";
import * as spelling from "./spelling.ts";
import { FRACTIONS, GLUED, GREEK, KNOWN, PAIRS, ROOTS, TABLES } from "./spelling.ts";
import { Refused, keyOf, split, lexemeOf } from "./spelling.ts";
import type { Lexeme } from "./spelling.ts";

export const CONSTANTS: ReadonlyMap<string, string> = new Map(Object.entries(TABLES.constants));
export const DIFFERENTIAL = /^(?:d[A-Za-z]|d[a-z]{3,})$/;
/** Letters that C allows after a literal. */
export const SUFFIXES = TABLES.suffixes.split(" ");
/** The maximum number of characters of a word that is split into a product of names. */
const LONGEST_SPLIT = 40;
/** The maximum number of ways to split a word that are tried. */
const MAX_WAYS = 3;
const DECIMAL = new RegExp(TABLES.decimal_comma, "g");
const INDEXED = /^[A-Za-z]?(?:[A-Za-z]_?[0-9]){2,}$/;
const GLUED_CALL = new RegExp(`^([a-z]{0,2}?)(${GLUED.join("|")})([0-9]*)([a-z]?)$`);
const SEMICOLONS = /\([^()]*(?:[0-9],[0-9][^()]*;|;[^()]*[0-9],[0-9])/;

type Pieces = (readonly [kind: string, text: string])[];

/** Split a word that may be a bare call, such as `sin2x`, or indexed letters, `w_1x_1`. */
export function gluedPieces(word: string, begins: boolean): Pieces {
  if (INDEXED.test(word)) return namesIn(word, /[A-Za-z](?:_?[0-9])?/g);
  if (/^[a-z](?:[A-Z]{2}|[xyt][23])$/.test(word)) {
    return namesIn(word, /[A-Za-z][23]?/g); // the digit may be an exponent
  }
  const [found, before, name, digits, letter] = GLUED_CALL.exec(word) ?? [];
  const isCut = digits !== "" || letter !== "" || (before !== "" && begins);
  if (KNOWN.has(word) || found === undefined || !isCut) return [];
  const rest: Pieces = [
    ["number", digits!],
    ["name", letter!],
  ];
  const first: Pieces = [...namesIn(before!, /[a-z]/g), ["function", name!]];
  return [...first, ...rest.filter(([, text]) => text !== "")];
}

function namesIn(word: string, pattern: RegExp): Pieces {
  return Array.from(word.matchAll(pattern), ([text]) => ["name", text] as const);
}

/** The doubts that a reading meets: kind -> number of choices, and the first one's span. */
export class Doubt {
  readonly fixed: ReadonlyMap<string, number>;
  readonly asked = new Map<string, readonly [choices: number, span: Span]>();

  constructor(fixed: ReadonlyMap<string, number> = new Map()) {
    this.fixed = fixed;
  }

  /** Record a doubt, and return this reading's choice; 0 is the most likely one. */
  ask(kind: string, first: Span, last: Span, choices = 2): number {
    const place = { start: first.start, end: last.end };
    const [most, span] = this.asked.get(kind) ?? [choices, place];
    this.asked.set(kind, [Math.max(choices, most), span]);
    return Math.min(this.fixed.get(kind) ?? 0, choices - 1);
  }
}

/**
 * The tokens of a text in one reading, and facts about its names.
 *
 * `bound` holds the names that have values or statements, `constants` those that stand for numbers;
 * `defined` is the head of a statement that defines a function of the language, such as `sin(x) =`.
 */
export class Words {
  readonly isLatex: boolean;
  readonly given: ReadonlySet<string>;
  readonly bound: ReadonlySet<string>;
  readonly plain: string;
  readonly defined: string;
  readonly tokens: readonly Lexeme[];
  readonly free: ReadonlySet<string>;
  readonly constants: ReadonlySet<string>;
  protected readonly text: string;
  protected readonly names: readonly string[] | null;
  protected readonly doubt: Doubt;
  private readonly words: ReadonlySet<string>;
  private readonly hasQuotient: boolean;
  private readonly isMathematical: boolean;

  constructor(text: string, names: readonly string[] | null, doubt: Doubt, deadline: Deadline) {
    [this.text, this.names, this.doubt] = [text, names, doubt];
    this.isLatex = /\\[A-Za-z]/.test(text);
    this.given = new Set(names);
    const [spelled, defined] = spelling.spell([...text]);
    [this.plain, this.defined] = [this.decimals(spelled), defined];
    const raw = spelling.scan(this.plain, this.given, deadline, this.isLatex);
    const end = raw.at(-1)!;
    const around = raw.map((token, place) => {
      return [raw[place - 1] ?? end, token, raw[place + 1] ?? end] as const;
    });
    const named = around.filter(([before, token, after]) => {
      const isFirst = before.kind === "end" || before.kind === "break";
      return after.kind === "=" && token.kind === "name" && isFirst;
    });
    this.bound = new Set([...this.given, ...named.map(([, token]) => token.text)]);
    this.words = new Set(raw.filter(({ kind }) => kind === "name").map((each) => each.text));
    const differentials = [...this.words].filter((each) => DIFFERENTIAL.test(each));
    const hasFraction = ["d", ...FRACTIONS].some((each) => this.words.has(each));
    this.hasQuotient = hasFraction || differentials.length > 1;
    this.isMathematical = names === null && this.hasProducts(raw);
    const pieces = around.flatMap(([before, token, after]) => this.pieces(before, token, after));
    const tokens = pieces.map((token, place) => ({ ...token, place }));
    this.tokens = tokens;
    const called = tokens.slice(0, -1).filter((_, place) => tokens[place + 1]!.kind !== "(");
    this.free = new Set(called.map((each) => each.text));
    const constants = new Set(CONSTANTS.keys());
    if (names === null && !this.hasExponential()) constants.delete("e");
    for (const each of this.bound) constants.delete(each);
    this.constants = constants;
  }

  /** Read `0,5` as one number or two; with three digits, perhaps as thousands. */
  private decimals(plain: string): string {
    DECIMAL.lastIndex = 0;
    const found = DECIMAL.exec(plain);
    if (found === null) return plain;
    const ways = plain.includes("(") && !SEMICOLONS.test(plain) ? [",", "."] : ["."];
    if (/[0-9],[0-9]{3}$/.test(found[0])) ways.push("_");
    const span = { start: found.index, end: found.index + found[0].length };
    const way = ways[this.doubt.ask("comma", span, span, ways.length)]!;
    return plain.replace(DECIMAL, (each) => each.replace(",", way));
  }

  /** Return whether adjacent letters may be a product: not in code, unless others are. */
  private hasProducts(raw: readonly Lexeme[]): boolean {
    if (this.isLatex || raw.some(({ path, kind }) => path !== "" || kind === ".")) {
      return this.isLatex;
    }
    const isRaised = raw.some(({ kind, start, end }) => kind === "^" && start === end);
    const isJoined = raw.slice(1).some((after, place) => isProduct(raw[place]!, after));
    const isCode = this.text.includes("*") || /;[ \t\n\r]*$/.test(this.text);
    return !isCode || isRaised || isJoined;
  }

  /** Return whether `e` has an exponent other than a number. */
  private hasExponential(): boolean {
    const { tokens } = this;
    for (const [place, token] of tokens.slice(0, -1).entries()) {
      if (token.text !== "e" || token.kind !== "name" || tokens[place + 1]!.kind !== "^") continue;
      const at = place + 2 + Number(["-", "+"].includes(tokens[place + 2]!.kind));
      const follows = tokens[Math.min(at + 1, tokens.length - 1)]!;
      const joins = ["name", "function", "("].includes(follows.kind) && !follows.gap;
      if (tokens[at]!.kind !== "number" || joins) return true;
    }
    return false;
  }

  /** Split a word into names, constants, functions and their arguments. */
  private pieces(before: Lexeme, token: Lexeme, after: Lexeme): Lexeme[] {
    const word = token.text;
    if (token.kind !== "name" || this.bound.has(word) || FRACTIONS.includes(word)) return [token];
    const key = keyOf(word);
    const opens = after.kind in PAIRS && !(after.kind === "[" && after.gap);
    const isOperand = ["name", "number", "|", "^"].includes(after.kind) || after.kind in ROOTS;
    const isMinus = this.names !== null && after.kind === "-" && FUNCTIONS.has(word);
    const begins = opens || isOperand || isMinus;
    if (this.hasQuotient && DIFFERENTIAL.test(word) && key === null) return [token]; // in dy/dx
    const isSmall = word === word.toLowerCase() && /[a-z]/.test(word);
    const isFunction = begins && !GREEK.has(word) && (isSmall || this.isLatex);
    if (token.path !== "" || (key !== null && (opens || isFunction))) {
      return [{ ...token, kind: key !== null && begins ? "function" : "name" }];
    }
    if (GREEK.has(word) || CONSTANTS.has(word)) return [token];
    if (before.kind === "^" && /^T[A-Za-z]{1,2}$/.test(word)) {
      throw new Refused("transpose", { ...token, end: token.start + 1 });
    }
    const glued = key === null ? gluedPieces(word, begins) : [];
    const indexed = this.indexed(token);
    return indexed.length > 0 ? indexed : this.split(token, glued, opens);
  }

  /** Read `x2` as x_2 if that has a value, else as the square of an x of the text. */
  private indexed(token: Lexeme): Lexeme[] {
    const { text: word, start, end } = token;
    const index = word.replace(/([0-9])/, "_$1");
    if (index !== word && this.given.has(index)) return [{ ...token, text: index }];
    const [, letter, digit] = /^([A-Za-z])([23])$/.exec(word) ?? [];
    if (letter === undefined || !(this.words.has(letter) || this.given.has(letter))) return [];
    if (this.doubt.ask("superscript", token, token) > 0) return [token];
    const above = { ...lexemeOf("^", "**", end - 1, end - 1), run: start + 1 };
    const exponent = lexemeOf("number", digit!, end - 1, end);
    return [...split(token, [["name", letter]]), above, exponent];
  }

  /** Read a word as a product of names that have values, as a call, or letter by letter. */
  private split(token: Lexeme, glued: Pieces, opens: boolean): Lexeme[] {
    const word = token.text;
    const ways = this.names === null ? [] : this.ways(word, opens);
    if (ways.length > 0) {
      const choice = ways.length > 1 ? this.doubt.ask("split", token, token, ways.length) : 0;
      return split(token, ways[choice]!);
    }
    if (glued.length > 0) {
      return this.doubt.ask("glued", token, token) > 0 ? [token] : split(token, glued);
    }
    if (!this.isMathematical || opens || !/^[A-Za-z]{2,3}$/.test(word)) return [token];
    const isCertain = this.isLatex && word.length === "kx".length; // LaTeX sets letters apart
    if (!isCertain && this.doubt.ask("letters", token, token) > 0) return [token];
    return split(token, namesIn(word, /pi|[A-Za-z]/g));
  }

  /** Return the ways to compose a word of names that have values, constants and functions. */
  private ways(word: string, opens: boolean): Pieces[] {
    if (word.length > LONGEST_SPLIT) return [];
    const found: Pieces[][] = [[[]]];
    for (let end = 1; end <= word.length; end++) {
      const ways: Pieces[] = [];
      for (let start = 0; start < end; start++) {
        const piece = word.slice(start, end);
        const canCall = GLUED.includes(piece) && (end < word.length || opens);
        const isName = this.bound.has(piece) || CONSTANTS.has(piece);
        for (const way of found[start]!) {
          const isNumber = /^[0-9]+$/.test(piece) && way.at(-1)?.[0] === "function";
          if (!isName && !canCall && !isNumber) continue;
          ways.push([...way, [isName ? "name" : canCall ? "function" : "number", piece]]);
        }
      }
      found.push(ways.slice(0, MAX_WAYS));
    }
    return found[word.length]!;
  }
}

/** Return whether two adjacent tokens are factors with no sign between them. */
function isProduct(token: Lexeme, after: Lexeme): boolean {
  if (token.text.includes(".") && SUFFIXES.includes(after.text)) return false; // a literal's suffix
  const isOperand = ["number", ")", "]"].includes(token.kind);
  const isName = token.kind === "name" && (after.kind === "name" || after.gap);
  const isCall = after.kind === "(" && KNOWN.has(token.text);
  return (isOperand || isName) && ["name", "("].includes(after.kind) && !isCall;
}
