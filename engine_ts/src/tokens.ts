/** Text -> tokens. */

import { cureOfCharacter } from "./cures.ts";
import { UnexpectedCharacter } from "./errors.ts";
import type { Span } from "./errors.ts";

const TOKEN = new RegExp(
  [
    "([ \\t\\r]+)", // blank
    "((?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)", // number
    "([A-Za-z_][A-Za-z0-9_]*)", // name
    "(\\*\\*|[-+*/()=,;])", // symbol
    "(\\n)", // newline
  ].join("|"),
  "y",
);

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
  let position = 0;
  let depth = 0;
  while (position < text.length) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(text);
    if (match === null) throw unexpectedCharacter(text, position);
    const found = match[0];
    const [, blank, number, name, symbol] = match;
    const start = position;
    const end = (position += found.length);
    if (symbol !== undefined) {
      depth += symbol === "(" ? 1 : symbol === ")" ? -1 : 0;
      tokens.push({ kind: symbol, text: found, start, end });
    } else if (number !== undefined || name !== undefined) {
      tokens.push({ kind: name === undefined ? "number" : "name", text: found, start, end });
    } else if (blank === undefined && depth <= 0 && endsOperand(tokens.at(-1))) {
      tokens.push({ kind: ";", text: found, start, end });
    }
  }
  tokens.push({ kind: "end", text: "", start: position, end: position });
  return tokens;
}

function endsOperand(token: Token | undefined): boolean {
  return token !== undefined && ["number", "name", ")"].includes(token.kind);
}

function unexpectedCharacter(text: string, position: number): UnexpectedCharacter {
  const character = String.fromCodePoint(text.codePointAt(position)!);
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const shown = character > " " && character <= "~" ? `\`${character}\`` : `U+${code}`;
  const cure = cureOfCharacter(character);
  const message = `${shown} at offset ${position} is not part of the language; ${cure}`;
  return new UnexpectedCharacter(message, { start: position, end: position + 1 });
}
