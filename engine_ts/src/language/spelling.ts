/** What people write -> tokens in the spelling of the language. */

import { CHARACTERS, KNOWN, LATEX, LETTERS, SIGNS, TABLES } from "./tables.ts";

/** Characters of a name that is read as a product of names. */
const LONGEST_SPLIT = 40;

const COMMENT = /#[^\n]*/g;
const COMMAND = /\\([A-Za-z]+|[^A-Za-z])/g;
const DECIMAL_COMMA = /(?<=[0-9]),(?=(?:[0-9]{1,2}|[0-9]{4,})(?![0-9,.]))/g;
const HEAD = new RegExp(`^${TABLES.head}`);
const REFUSED = TABLES.refused.map(([reason, row]) => [reason, new RegExp(row)] as const);
const KINDS = [...Object.keys(TABLES.tokens), "unknown"];
const TOKEN = new RegExp(
  [...Object.values(TABLES.tokens), "[\\s\\S]"].map((row) => `(${row})`).join("|"),
  "g",
);
const SYMBOLS = new Map([
  ["^", "**"],
  [":=", "="],
  ["{", "("],
  ["}", ")"],
  ["\n", ";"],
]);
/** Behind them a line goes on. */
const GO_ON = ["-", "+", "*", "/", "**", ";", "="];

/** The text has no one program; `start` and `end` say where. */
export class Refused extends Error {
  readonly reason: string;
  readonly start: number;
  readonly end: number;

  constructor(reason: string, start: number, end: number) {
    super(reason);
    this.reason = reason;
    this.start = start;
    this.end = end;
  }
}

/**
 * A piece of the text, as the language spells it.
 *
 * `kind` is number, name, letter, root, raised (a number above the line), end, or the symbol; `path`
 * is what stands before a name, such as `np`, and `place` the token's index.
 */
export interface Token {
  readonly kind: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly path: string;
  readonly place: number;
}

function tokenOf(kind: string, text: string, start: number, end: number, path = ""): Token {
  return { kind, text, start, end, path, place: -1 };
}

/** Return as many characters, in ASCII where they mean that; NUL stands for nothing. */
export function spell(characters: readonly string[]): string {
  let plain = characters.map((each) => (each.length > 1 ? "\uffff" : each)).join("");
  plain = plain.replace(COMMENT, nothing);
  if (plain.length > 1 && plain[0] === "$" && plain.endsWith("$")) {
    plain = `\0${plain.slice(1, -1)}\0`;
  }
  const head = HEAD.exec(plain);
  if (head?.[1] !== undefined && KNOWN.has(head[1])) {
    throw new Refused("comparison", 0, head[0].length);
  }
  plain = plain.replace(HEAD, nothing);
  if (!plain.includes("(")) plain = plain.replace(DECIMAL_COMMA, ".");
  for (const [reason, pattern] of REFUSED) {
    const found = pattern.exec(plain);
    if (found !== null) throw new Refused(reason, found.index, found.index + found[0].length);
  }
  const spelled = Array.from(plain, (each) => CHARACTERS.get(each) ?? each).join("");
  return spelled.replace(COMMAND, command);
}

function nothing(found: string): string {
  return "\0".repeat(found.length);
}

/** Spell a command of LaTeX. */
function command(found: string, word: string, start: number): string {
  if (KNOWN.has(word) || Object.hasOwn(TABLES.letters, word)) return `\0${word}`;
  const spelled = LATEX.get(word);
  if (spelled === undefined) throw new Refused("unknown", start, start + found.length);
  return spelled.padEnd(found.length, "\0");
}

/** Cut the text into tokens, the last one being the end. */
export function tokenize(plain: string, names: ReadonlySet<string>): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (const found of plain.matchAll(TOKEN)) {
    let kind = KINDS[found.findIndex((group, index) => index > 0 && group !== undefined) - 1]!;
    let [text, path] = [found[0], ""];
    const [start, end] = [found.index, found.index + text.length];
    if (kind === "unknown" || (kind === "letter" && !LETTERS.has(text[0]!))) {
      throw new Refused("unknown", start, end);
    }
    if (kind === "number") {
      text = text.replaceAll("_", "");
    } else if (kind === "name" || kind === "letter") {
      text = text.replace("{", "").replace("}", "");
      const point = text.lastIndexOf(".");
      [path, text] = [text.slice(0, Math.max(point, 0)), text.slice(point + 1)];
      text = (LETTERS.get(text[0]!) ?? text[0]!) + text.slice(1);
    } else if (kind === "sign") {
      text = SIGNS.get(text)!;
      kind = text.endsWith("rt") ? "root" : "number";
    } else if (kind === "raised") {
      tokens.push(tokenOf("**", "**", start, start));
      text = Array.from(text, (each) => "0123456789+-"[TABLES.raised.indexOf(each)]).join("");
    } else if (kind === "symbol") {
      depth += Number("({".includes(text)) - Number(")}".includes(text));
      const before = tokens.at(-1)?.kind ?? ";";
      if (text === "\n" && (depth > 0 || GO_ON.includes(before))) continue;
      const symbol = SYMBOLS.get(text) ?? text;
      [kind, text] = ["{}".includes(text) ? text : symbol, text === "\n" ? text : symbol];
    }
    if (kind !== "blank") tokens.push(...pieces(tokenOf(kind, text, start, end, path), names));
  }
  return [...tokens, tokenOf("end", "", plain.length, plain.length)];
}

/** Split a name that has no value into names that have one, where there is one way. */
function pieces(token: Token, names: ReadonlySet<string>): Token[] {
  const word = token.text;
  const whole = token.kind !== "name" || token.path !== "" || KNOWN.has(word) || names.has(word);
  if (whole || word.length > LONGEST_SPLIT) return [token];
  const ways: string[][][] = [[[]]];
  for (let end = 1; end <= word.length; end += 1) {
    const found = ways.flatMap((before, start) => {
      const last = word.slice(start, end);
      return names.has(last) ? before.map((way) => [...way, last]) : [];
    });
    ways.push(found.slice(0, 2));
  }
  const [way, another] = ways.at(-1)!;
  if (another !== undefined) throw new Refused("two_readings", token.start, token.end);
  return way === undefined ? [token] : split(token, way);
}

/** Cut a name into these. */
export function split(token: Token, words: Iterable<string>): Token[] {
  let end = token.start;
  return Array.from(words, (text) => {
    const start = end;
    end += text.length;
    return { ...token, text, start, end };
  });
}
