/** What becomes of a text that is rewritten: parts of it, and the changes that they make. */

import { NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { Span } from "../errors.ts";
import { Refused, lexemeOf } from "./spelling.ts";
import type { Lexeme } from "./spelling.ts";

/**
 * How tightly an operand is held. BARE is a call without parentheses; a product that one of these
 * takes in, as `1/2x` may be `1/(2x)`, is one above it.
 */
export const [OPEN, SUM, PRODUCT, BARE, PREFIX, POWER, ATOM] = [0, 2, 4, 6, 8, 10, 12] as const;

const SLOT = /\b([xyz])\b/;
const BLANKS = / {2,}/g;
const NO_BLANK = /[^ \t\r\n]/g;
const INSIDE = /\([^()]*\)/g;
const OPERATORS = Object.entries({
  " + ": SUM,
  " - ": SUM,
  " * ": PRODUCT,
  " / ": PRODUCT,
  "-": PREFIX,
  " ** ": POWER,
});
/** Between them every language writes a double alike. */
const [LEAST, MOST] = [1e-4, 1e15] as const;

/** A change of a text. */
export interface Change {
  readonly span: Span;
  readonly replacement: string;
  readonly reason: string;
}

/**
 * What becomes of `text[start:end]`: tokens and parts.
 *
 * `level` is how tightly it holds together, `number` its value where it is one, and `inside` what
 * its parentheses hold.
 */
export interface Part extends Span {
  readonly level: number;
  readonly content: readonly (Part | Lexeme)[];
  readonly number: number | null;
  readonly inside: Part | null;
}

/** Make a part. */
export function partOf(
  level: number,
  { start, end }: Span,
  content: Part["content"],
  number: number | null = null,
  inside: Part | null = null,
): Part {
  return { level, start, end, content, number, inside };
}

/** Return the part without its parentheses. */
export function bare(part: Part): Part {
  return part.inside ?? part;
}

/** Put parentheses around what would come apart. */
export function held(part: Part, level: number): Part {
  if (part.level >= level) return part;
  const content = [lexemeOf("parentheses", "("), part, lexemeOf("parentheses", ")")];
  return partOf(ATOM, part, content, null, part);
}

/** Return what a formula makes of its arguments. */
export function filled(formula: string, values: readonly Part[], span: Span, reason: string): Part {
  const pieces = formula.split(SLOT);
  const content = pieces.map((piece, place) => {
    if (place % 2 === 0) return lexemeOf(reason, piece);
    const value = values["xyz".indexOf(piece)]!;
    const alone = /(?:\(|, )$/.test(pieces[place - 1]!) && /^[,)]/.test(pieces[place + 1]!);
    return alone ? bare(value) : held(value, ATOM);
  });
  return partOf(levelOf(formula), span, content);
}

/** Return how tightly a formula holds together, by its outermost operators. */
function levelOf(formula: string): number {
  let [flat, before] = [formula, ""];
  while (flat !== before) [flat, before] = [flat.replace(INSIDE, ""), flat];
  return OPERATORS.find(([sign]) => flat.includes(sign))?.[1] ?? ATOM;
}

/** Return the result of an operation on two numbers. */
export function computed(sign: string, left: number | null, right: number | null): number | null {
  if (left === null || right === null || (sign === "/" && right === 0)) return null;
  if (sign === "/") return left / right;
  return sign === "*" ? left * right : sign === "+" ? left + right : left - right;
}

/** Write a number that was computed, where every language writes it alike. */
export function decimal({ number, start, end }: Part): string {
  const size = Math.abs(number ?? 0);
  if (size !== 0 && !(LEAST <= size && size < MOST)) throw new Refused("exponent", start, end);
  return String(number ?? 0);
}

/** Walk a part, for which so many characters may be written. */
export function* lexemesOf(part: Part, most: number, deadline: Deadline): Generator<Lexeme> {
  const waiting: (Part | Lexeme)[] = [part];
  for (let count = 0; waiting.length > 0; count++) {
    if (count % NODES_PER_CHECK === 0) deadline.check();
    const each = waiting.pop()!;
    if ("content" in each) {
      waiting.push(...each.content.toReversed());
      continue;
    }
    most -= each.text.length;
    if (most < 0) throw new Refused("too_long", part.start, part.end);
    yield each;
  }
}

/** Return the program, and what changes; a token that keeps its order stays where it is. */
export function aligned(
  characters: readonly string[],
  plain: string,
  tokens: readonly Lexeme[],
  written: Iterable<Lexeme>,
): [expression: string, changes: Change[]] {
  const result: string[] = [];
  const changes: Change[] = [];
  let [at, last, added, why] = [0, -1, "", "character"];
  for (const token of [...written, tokens.at(-1)!]) {
    if (token.place <= last) {
      added += token.text;
      if (token.place < 0) why = token.kind;
      continue;
    }
    const before = Math.max(at, tokens[token.place - 1]?.end ?? 0);
    const skips = token.place > last + 1 && !added.startsWith(")");
    const lead = skips ? plain.slice(at, tokens[last + 1]!.start).replace(NO_BLANK, "") : "";
    const trail = added.endsWith("(") ? "" : plain.slice(before, token.start).replace(NO_BLANK, "");
    const between = lead + added + trail;
    const kind = /^[a-z]/.test(token.kind) ? token.kind : "sign";
    for (const [end, replacement, reason] of [
      [token.start, added === "" ? between : between.replace(BLANKS, " "), why],
      [token.end, token.text, kind],
    ] as const) {
      const old = characters.slice(at, end).join("");
      const isSame = replacement.replaceAll(" ", "") === old.replaceAll(" ", ""); // but for blanks
      if (!isSame) changes.push({ span: { start: at, end }, replacement, reason });
      result.push(isSame ? old : replacement);
      at = end;
    }
    [last, added, why] = [token.place, "", "character"];
  }
  return [result.join(""), changes];
}
