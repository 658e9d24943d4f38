/** Text -> tokens. */

import { UnexpectedCharacter } from "../errors.ts";
import type { Span } from "../errors.ts";

const NUMBER = /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const COMMENT = /#[\t\r -~]*/y;
const POINT = ".".charCodeAt(0);

/** Kind of a piece, by the code of its first character. */
const KINDS: string[] = [];
for (const [kind, characters] of [
  ["blank", " \t\r#"], // a comment separates tokens like a blank
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

/** Find the end of a piece; for a lone `.`, which is not a number, that is its start. */
function endOf(kind: string | undefined, text: string, start: number): number {
  let end = start + 1;
  if (kind === "number") {
    NUMBER.lastIndex = start;
    return NUMBER.test(text) ? NUMBER.lastIndex : start;
  }
  if (text[start] === "#") {
    COMMENT.lastIndex = start;
    return COMMENT.test(text) ? COMMENT.lastIndex : end;
  }
  if (kind === "name") while (end < text.length && isInName(text.charCodeAt(end))) end += 1;
  return kind === "*" && text[end] === "*" ? end + 1 : end;
}

function isInName(code: number): boolean {
  return KINDS[code] === "name" || (KINDS[code] === "number" && code !== POINT);
}

const ASCII = "use ASCII letters, digits, _ and + - * / ** ( ) = , ;";

function unexpectedCharacter(text: string, position: number): UnexpectedCharacter {
  const character = String.fromCodePoint(text.codePointAt(position)!);
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const shown = character > " " && character <= "~" ? `\`${character}\`` : `U+${code}`;
  const message = `${shown} at offset ${position} is not part of the language; ${ASCII}`;
  return new UnexpectedCharacter(message, { start: position, end: position + 1 });
}
