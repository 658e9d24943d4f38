/** Text -> tokens. */

import { UnexpectedCharacter } from "../errors.ts";
import type { Span } from "../errors.ts";

const NUMBER = /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const POINT = ".".charCodeAt(0);

/** What a piece is, by the code of its first character. */
const KINDS: string[] = [];
for (const [kind, characters] of [
  ["blank", " \t\r"],
  ["number", "0123456789."],
  ["name", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"],
  ["newline", "\n"],
  ...[..."-+*/()=,;"].map((symbol) => [symbol, symbol] as const),
] as const) {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
}

/** A piece of the text. `kind` is number, name, end, or the symbol itself. */
export interface Token extends Span {
  readonly kind: string;
  readonly text: string;
}

/**
 * Cut the text into tokens, the last one being the end.
 *
 * A newline becomes `;` where it can end a statement: outside parentheses, after an operand.
 * All text before a token is ASCII, so UTF-16 offsets are code points.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let [before, depth, end] = ["", 0, 0];
  for (let start = 0; start < text.length; start = end) {
    let kind = KINDS[text.charCodeAt(start)];
    end = endOf(kind, text, start);
    if (kind === undefined || end === start) throw unexpectedCharacter(text, start);
    if (kind === "blank") continue;
    if (kind === "newline") {
      if (depth > 0 || !["number", "name", ")"].includes(before)) continue;
      kind = ";";
    } else if (kind === "(") {
      depth += 1;
    } else if (kind === ")") {
      depth -= 1;
    } else if (kind === "*" && end - start === 2) {
      kind = "**";
    }
    before = kind;
    tokens.push({ kind, text: text.slice(start, end), start, end });
  }
  tokens.push({ kind: "end", text: "", start: end, end });
  return tokens;
}

/** Find the end of a piece; that of a lone `.`, which is no number, is its start. */
function endOf(kind: string | undefined, text: string, start: number): number {
  let end = start + 1;
  if (kind === "number") {
    NUMBER.lastIndex = start;
    return NUMBER.test(text) ? NUMBER.lastIndex : start;
  }
  if (kind === "name") while (end < text.length && isInName(text.charCodeAt(end))) end += 1;
  return kind === "*" && text[end] === "*" ? end + 1 : end;
}

function isInName(code: number): boolean {
  return KINDS[code] === "name" || (KINDS[code] === "number" && code !== POINT);
}

/** What to write in place of a character that is not part of the language. */
const INSTEAD = new Map([
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

const ASCII = "use ASCII letters, digits, _ and + - * / ** ( ) = , ;";

function unexpectedCharacter(text: string, position: number): UnexpectedCharacter {
  const character = String.fromCodePoint(text.codePointAt(position)!);
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const shown = character > " " && character <= "~" ? `\`${character}\`` : `U+${code}`;
  const hint = INSTEAD.get(character) ?? ASCII;
  const message = `${shown} at offset ${position} is not part of the language; ${hint}`;
  return new UnexpectedCharacter(message, { start: position, end: position + 1 });
}
