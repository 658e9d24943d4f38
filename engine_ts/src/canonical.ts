/**
 * JSON value -> canonical text (RFC 8785): equal values have equal texts, in every language.
 *
 * No blanks, members sorted by UTF-16 code units, numbers as ECMAScript writes them; -0 is `0`.
 */

// What Node and browsers share of the web's standards; the build knows neither's types.
declare class TextEncoder {
  encode(text: string): Uint8Array;
}

const HALF_PAIR = /\p{Surrogate}/u;

/**
 * Return the SHA-256 of the canonical text, 64 hex digits.
 *
 * Parsing a document and computing its digest again gives the same one, if the parser keeps every
 * name and double. V8 (in Node 24 to 26 and Chrome) may not: `JSON.parse` can take an escaped name
 * for another that it read before (nodejs/node#63785). Names in a program are never escaped; labels
 * of Values can be. There, compute the digest of the text that was sent.
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
  throw new TypeError(`a value of type ${typeof value} is not a JSON value`);
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

// The platforms have SHA-256, too, but browsers only on https pages and on localhost, and as a
// promise.

const BLOCK = 64;

/** Fractions of the square roots of the first 8 primes, cube roots of the first 64 (4.2.2, 5.3.3). */
const ROOTS = Int32Array.from([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
const CUBE_ROOTS = Int32Array.from([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

/** Return the SHA-256 of bytes as 64 hex digits, by FIPS 180-4. */
export function sha256(bytes: Uint8Array): string {
  const blocks = padded(bytes);
  const hash = ROOTS.slice();
  const words = new Int32Array(BLOCK);
  for (let start = 0; start < blocks.byteLength; start += BLOCK) {
    schedule(words, blocks, start);
    compress(hash, words);
  }
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Append a one bit, zeros, and the length in bits, up to a whole number of blocks (5.1.1). */
function padded(bytes: Uint8Array): DataView {
  const blocks = Math.floor((bytes.length + 8) / BLOCK) + 1;
  const copy = new Uint8Array(blocks * BLOCK);
  copy.set(bytes);
  copy[bytes.length] = 0x80;
  const view = new DataView(copy.buffer);
  view.setBigUint64(copy.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

/** Spread the 16 words of a block over 64 (6.2.2, step 1). */
function schedule(words: Int32Array, blocks: DataView, start: number): void {
  for (let t = 0; t < 16; t++) words[t] = blocks.getInt32(start + 4 * t);
  for (let t = 16; t < BLOCK; t++) {
    const far = words[t - 15]!;
    const near = words[t - 2]!;
    const mixedFar = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    const mixedNear = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    words[t] = words[t - 16]! + mixedFar + words[t - 7]! + mixedNear;
  }
}

/** Mix a block into the hash (6.2.2, steps 2 to 4), with the names of the standard. */
function compress(hash: Int32Array, words: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as Eight;
  for (let t = 0; t < BLOCK; t++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const mixedE = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const mixedA = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const first = (h + mixedE + choice + CUBE_ROOTS[t]! + words[t]!) | 0;
    // One by one, which takes two thirds of the time of an exchange by arrays.
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + mixedA + majority) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => (hash[place]! += word));
}

type Eight = [number, number, number, number, number, number, number, number];

/** Rotate to the right. */
function turned(word: number, places: number): number {
  return (word >>> places) | (word << (32 - places));
}
