/**
 * JSON value -> canonical text (RFC 8785): equal values have equal texts, in every language.
 *
 * No blanks, members sorted by UTF-16 code units, numbers as ECMAScript writes them; -0 is `0`.
 */

import { sha256 } from "./sha256.ts";

// What Node and browsers share of the web's standards; the build knows neither's types.
declare class TextEncoder {
  encode(text: string): Uint8Array;
}

const HALF_PAIR = /\p{Surrogate}/u;

/**
 * Give the SHA-256 of the canonical text, 64 hex digits.
 *
 * Whoever parses a document and computes the digest anew gets the same one, if the parser keeps
 * every name and double. V8 (in Node 24 to 26 and Chrome) may not: `JSON.parse` can take an escaped
 * name for another that it read before (nodejs/node#63785). Names in a program are never escaped;
 * labels of Values can be. There, compute the digest of the text that was sent.
 */
export function digest(value: unknown): string {
  return sha256(new TextEncoder().encode(canonicalText(value)));
}

/**
 * Write a JSON value of plain objects, arrays, strings, numbers, booleans and null.
 *
 * @throws {RangeError} a number is not finite, or a string holds an unpaired surrogate
 * @throws {TypeError} a function, a bigint, a symbol or undefined is in it
 */
export function canonicalText(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return number(value);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value === "object") return object(value as Readonly<Record<string, unknown>>);
  throw new TypeError(`a value of type ${typeof value} is no JSON value`);
}

function object(members: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(members).sort();
  const written = names.map((name) => `${quoted(name)}:${canonicalText(members[name])}`);
  return `{${written.join(",")}}`;
}

function number(value: number): string {
  if (Number.isFinite(value)) return JSON.stringify(value);
  throw new RangeError(`${value} has no canonical text; a JSON number is finite`);
}

function quoted(text: string): string {
  const half = HALF_PAIR.exec(text)?.[0];
  if (half === undefined) return JSON.stringify(text);
  const code = half.charCodeAt(0).toString(16).toUpperCase();
  throw new RangeError(`U+${code} is an unpaired surrogate, which UTF-8 cannot encode`);
}
