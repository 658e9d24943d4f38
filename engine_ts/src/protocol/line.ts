/** Line of the protocol -> JSON value, the same as the twin reads. */

/** Arrays and objects inside one another, the message included; `protocol.schema.json` says so. */
export const MAX_NESTING = 100;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A line that is no message of the protocol; the message says why. */
export class Refused extends Error {}

/** How deep arrays and objects nest, and where each member's name begins and ends, quotes included. */
interface Outline {
  readonly nesting: number;
  readonly names: readonly (readonly [start: number, end: number])[];
}

/**
 * Read one JSON value in UTF-8.
 *
 * @throws {Refused} the line is not UTF-8, not JSON, or too deep
 */
export function readLine(line: Uint8Array): unknown {
  const text = decoded(line);
  const { nesting, names } = outlineOf(text);
  if (nesting > MAX_NESTING) {
    // Parsers differ in how deep they can read.
    throw new Refused(`arrays and objects nest deeper than ${MAX_NESTING}`);
  }
  try {
    const escaped = names.some(([start, end]) => text.slice(start, end).includes("\\"));
    return escaped ? parseNumbered(text, names) : JSON.parse(text);
  } catch {
    throw new Refused("the line is not JSON");
  }
}

function decoded(line: Uint8Array): string {
  try {
    return UTF8.decode(line);
  } catch {
    throw new Refused("the line is not UTF-8");
  }
}

/** Look over a text that may be no JSON. */
function outlineOf(text: string): Outline {
  const names: [number, number][] = [];
  let [depth, nesting, start, end] = [0, 0, -1, -1];
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (character === '"') {
      start = index;
      end = index = endOfString(text, start);
    } else if (character === ":") {
      if (start >= 0) names.push([start, end]);
      start = -1;
    } else if (character === "[" || character === "{") {
      nesting = nesting > ++depth ? nesting : depth;
    } else if (character === "]" || character === "}") {
      depth--;
    }
  }
  return { nesting, names };
}

/** Find a string's closing quote, or else the end of the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index;
}

/**
 * Parse JSON with a number in place of each name, and put the names back.
 *
 * V8 guesses a name from objects that it parsed before, and compares its guess with the name as it
 * is written, escapes and all: after `{"a":0,"\\":0}` it reads the name `"\u0062"` in
 * `{"a":0,"\u0062":0}` as a backslash (https://github.com/nodejs/node/issues/63785). So V8 gets to
 * see no escaped name.
 */
function parseNumbered(text: string, places: Outline["names"]): unknown {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  let [numbered, position] = ["", 0];
  for (const [start, end] of places) {
    const name: string = JSON.parse(text.slice(start, end + 1));
    if (!numbers.has(name)) numbers.set(name, names.push(name) - 1);
    numbered += `${text.slice(position, start)}"~${numbers.get(name)}"`;
    position = end + 1;
  }
  return named(JSON.parse(numbered + text.slice(position)), names);
}

function named(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => named(item, names));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([number, member]) => {
    return [names[Number(number.slice(1))]!, named(member, names)];
  });
  return Object.fromEntries(members);
}
