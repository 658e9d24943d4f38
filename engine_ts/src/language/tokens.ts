/** Text -> tokens. */

import { UnexpectedCharacter } from "../errors.ts";
import type { Span } from "../errors.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Kind of a piece, and the whole of it if it may be longer, by the code of its first character. */
const KINDS: string[] = [];
const PIECES: (RegExp | undefined)[] = [];
for (const [kind, characters, piece] of [
  ["blank", " \t\r"],
  ["blank", "#", /#[\t\r -~]*/y], // a comment separates tokens like a blank
  ["number", "0123456789.", /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y],
  ["name", LETTERS + LETTERS.toUpperCase() + "_", /[A-Za-z0-9_]+/y],
  ["newline", "\n"],
  ["*", "*", /\*\*?/y],
  ...[..."-+/()=,;"].map((symbol) => [symbol, symbol] as const),
] as const) {
  for (const character of characters) {
    KINDS[character.charCodeAt(0)] = kind;
    PIECES[character.charCodeAt(0)] = piece;
  }
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
    end = endOf(text, start);
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
function endOf(text: string, start: number): number {
  const piece = PIECES[text.charCodeAt(start)];
  if (piece === undefined) return start + 1;
  piece.lastIndex = start;
  return piece.test(text) ? piece.lastIndex : start;
}

const ASCII = "use ASCII letters, digits, _ and + - * / ** ( ) = , ;";

function unexpectedCharacter(text: string, position: number): UnexpectedCharacter {
  const character = String.fromCodePoint(text.codePointAt(position)!);
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const shown = character > " " && character <= "~" ? `\`${character}\`` : `U+${code}`;
  const message = `${shown} at offset ${position} is not part of the language; ${ASCII}`;
  return new UnexpectedCharacter(message, { start: position, end: position + 1 });
}
