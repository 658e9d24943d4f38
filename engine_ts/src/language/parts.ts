/** What becomes of a text that is rewritten: parts of it, and the changes that they make. */

import type { Span } from "../errors.ts";
import { Refused } from "./spelling.ts";
import type { Token } from "./spelling.ts";

/**
 * How tightly an operand is held. BARE is a call without parentheses; a product that one of these
 * takes in, as `1/2x` may be `1/(2x)`, is one above it.
 */
export const [OPEN, SUM, PRODUCT, BARE, PREFIX, POWER, ATOM] = [0, 2, 4, 6, 8, 10, 12] as const;

const BLANKS = / {2,}/g;
const INSIDE = /\([^()]*\)/g;
const OPERATORS = [
  [" + ", SUM],
  [" - ", SUM],
  [" * ", PRODUCT],
  [" / ", PRODUCT],
  ["-", PREFIX],
  [" ** ", POWER],
] as const;
/** Between them every language writes a double alike. */
const [LEAST, MOST] = [1e-4, 1e15] as const;

/** A change of a text. */
export interface Change {
  readonly span: Span;
  readonly replacement: string;
  readonly reason: string;
}

/**
 * What becomes of `text[start:end]`: tokens as they are spelled, parts, and what is put in.
 *
 * `level` is how tightly it holds together, `number` its value where it is one, and `inside` what
 * its parentheses hold.
 */
export interface Part {
  readonly level: number;
  readonly start: number;
  readonly end: number;
  readonly content: readonly (Part | Token | string)[];
  readonly reason: string;
  readonly number: number | null;
  readonly inside: Part | null;
}

/** Make a part. */
export function partOf(
  level: number,
  [start, end]: readonly [number, number],
  content: Part["content"],
  reason = "",
  number: number | null = null,
  inside: Part | null = null,
): Part {
  return { level, start, end, content, reason, number, inside };
}

/** Return the part without its parentheses. */
export function bare(part: Part): Part {
  return part.inside ?? part;
}

/** Put parentheses around what would come apart. */
export function held(part: Part, level: number): Part {
  if (part.level >= level) return part;
  return partOf(ATOM, [part.start, part.end], ["(", part, ")"], "parentheses", null, part);
}

/** Return how tightly a formula holds together, by its outermost operators. */
export function levelOf(template: string): number {
  let [flat, before] = [template, ""];
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

/** Walk a part that is no longer than this: each token or string with its reason. */
function* piecesOf(part: Part, most: number): Generator<[piece: Token | string, reason: string]> {
  const waiting: [Part | Token | string, string][] = [[part, ""]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [each, reason] = next;
    if (typeof each === "object" && "content" in each) {
      const inner = each.content.map((piece): [typeof piece, string] => [piece, each.reason]);
      waiting.push(...inner.reverse());
      continue;
    }
    most -= textOf(each).length;
    if (most < 0) throw new Refused("too_long", part.start, part.end);
    yield [each, reason];
  }
}

/** Return what is written for it. */
function textOf(piece: Token | string): string {
  return typeof piece === "string" ? piece : piece.text;
}

/** Write a part by itself. */
export function written(part: Part, most: number): string {
  return Array.from(piecesOf(part, most), ([each]) => textOf(each)).join("");
}

/** Return the program, and what changes; a token that keeps its order stays where it is. */
export function aligned(
  characters: readonly string[],
  plain: string,
  tokens: readonly Token[],
  whole: Part,
  most: number,
): [expression: string, changes: Change[]] {
  const result: string[] = [];
  const changes: Change[] = [];
  let [at, last, added, why] = [0, -1, "", "character"];

  /** Write this for the text up to there; other blanks are no change. */
  function put(end: number, replacement: string, reason: string): void {
    const old = characters.slice(at, end).join("");
    const before = changes.at(-1);
    if (replacement.replaceAll(" ", "") === old.replaceAll(" ", "")) {
      replacement = old;
    } else if (before?.span.end === at) {
      const span = { start: before.span.start, end };
      changes[changes.length - 1] = {
        span,
        replacement: before.replacement + replacement,
        reason: before.reason,
      };
    } else {
      changes.push({ span: { start: at, end }, replacement, reason });
    }
    result.push(replacement);
    at = end;
  }

  for (const [piece, reason] of [...piecesOf(whole, most), [tokens.at(-1)!, ""] as const]) {
    if (typeof piece === "string" || piece.place <= last) {
      added += textOf(piece);
      why = reason || why;
      continue;
    }
    const replaces = piece.place > last + 1 && !added.startsWith(")");
    const lead = replaces ? plain.slice(at, tokens[last + 1]!.start) : "";
    const end = Math.max(at, tokens[piece.place - 1]?.end ?? 0);
    const trail = added.endsWith("(") ? "" : plain.slice(end, piece.start);
    const between = `${lead}${added}${trail}`.replaceAll("\0", "");
    put(piece.start, added === "" ? between : between.replace(BLANKS, " "), why);
    put(piece.end, piece.text, /^[a-z]/.test(piece.kind) ? piece.kind : "sign");
    [last, added, why] = [piece.place, "", "character"];
  }
  return [result.join(""), changes];
}
