/** Line of the protocol -> checked message: a `start`, `run` or `stop` of `protocol.schema.json`. */

import { LAB } from "../lab/commands.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { described, isDouble, quoted } from "../request.ts";

/** Arrays and objects inside one another, the message included; `protocol.schema.json` says so. */
const MAX_NESTING = 100;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A line that is not a message of the protocol; the error says why. */
export class Refused extends Error {}

/** The depth of nested arrays and objects, and the place of each member's name, with its quotes. */
interface Scan {
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
  const { nesting, names } = scan(text);
  if (nesting > MAX_NESTING) {
    // Parsers differ in how deep they can read.
    throw new Refused(`arrays and objects nest deeper than ${MAX_NESTING}`);
  }
  try {
    const escaped = names.some(([start, end]) => text.slice(start, end).includes("\\"));
    return escaped ? parseWithNumbers(text, names) : JSON.parse(text);
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

/** Scan a text that may not be JSON. */
function scan(text: string): Scan {
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
 * `{"a":0,"\u0062":0}` as a backslash (https://github.com/nodejs/node/issues/63785). So V8 never
 * sees an escaped name.
 */
function parseWithNumbers(text: string, places: Scan["names"]): unknown {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  let [numbered, position] = ["", 0];
  for (const [start, end] of places) {
    const name: string = JSON.parse(text.slice(start, end + 1));
    if (!numbers.has(name)) numbers.set(name, names.push(name) - 1);
    numbered += `${text.slice(position, start)}"~${numbers.get(name)}"`;
    position = end + 1;
  }
  return withNames(JSON.parse(numbered + text.slice(position)), names);
}

function withNames(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withNames(item, names));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([number, member]) => {
    return [names[Number(number.slice(1))]!, withNames(member, names)];
  });
  return Object.fromEntries(members);
}

// JSON value -> message

/** Up to here every language represents integers exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER;

type Members = readonly [required: string[], optional: string[]];

const ON_PROGRAMS: Readonly<Record<string, Members>> = Object.fromEntries(
  [
    "introspect",
    "introspect_value",
    "parse",
    "rewrite",
    "canonicalize",
    "picture",
    "sweep",
    "accuracy",
    ...LAB.keys(),
  ].map((command): [string, Members] => [
    command,
    [["kind", "sequence", "command", "request"], ["limits"]],
  ]),
);
export const COMMANDS: readonly string[] = [...Object.keys(ON_PROGRAMS), "evaluate"];

/** Required and optional members, by kind; for `run`, by command. */
const MEMBERS: Readonly<Record<string, Members>> = {
  start: [["kind", "protocol"], []],
  stop: [["kind"], []],
  ...ON_PROGRAMS,
  evaluate: [["kind", "sequence", "command", "request"], []],
};

const BITS = /^[0-9a-f]{16}$/;

/** JSON that was read and must be checked before it is used. */
type Json = any;

/** A checked message. The members after `kind` belong to `run`. */
export interface Message {
  readonly kind: string;
  readonly sequence: number | null;
  readonly command: string;
  readonly request: Json;
  readonly limits: Limits;
}

const EMPTY = { sequence: null, command: "", request: null, limits: DEFAULT_LIMITS };

/**
 * Check a message against the schema.
 *
 * @throws {Refused} the value is not a message
 */
export function checkMessage(value: Json): Message {
  if (!isObject(value)) throw refused("a message", "an object", value);
  const { kind } = value;
  if (kind === "run") return checkRun(value);
  if (kind !== "start" && kind !== "stop") {
    throw refused("kind", '"start", "run" or "stop"', kind);
  }
  checkMembers(value, kind);
  if (kind === "start" && typeof value["protocol"] !== "string") {
    throw refused("protocol", "a string", value["protocol"]);
  }
  return { ...EMPTY, kind };
}

/** Return the sequence number of a value that may not be a message. */
export function sequenceOf(value: Json): number | null {
  return isObject(value) ? whole(value["sequence"]) : null;
}

function checkRun(value: Record<string, Json>): Message {
  const { command, request, limits = {} } = value;
  const sequence = whole(value["sequence"]);
  if (sequence === null) {
    throw refused("sequence", `a whole number from 0 to ${LARGEST}`, value["sequence"]);
  }
  if (typeof command !== "string") throw refused("command", "a string", command);
  // The members of an unknown command are not checked.
  if (!COMMANDS.includes(command)) return { ...EMPTY, kind: "run", sequence, command };
  checkMembers(value, command);
  if (!isObject(request)) throw refused("request", "an object", request);
  if (command === "evaluate") checkEvaluation(request);
  return { kind: "run", sequence, command, request, limits: checkBounds(limits) };
}

function checkMembers(value: Record<string, Json>, name: string): void {
  const [required, optional] = MEMBERS[name]!;
  for (const member of required) {
    if (!Object.hasOwn(value, member)) {
      throw new Refused(`\`${name}\` needs the member \`${member}\``);
    }
  }
  refuseUnknownMembers(value, `\`${name}\``, [...required, ...optional]);
}

function refuseUnknownMembers(
  value: Record<string, Json>,
  name: string,
  known: readonly string[],
): void {
  const unknown = Object.keys(value).filter((member) => !known.includes(member));
  const first = unknown.sort()[0];
  if (first !== undefined) throw new Refused(`${name} has no member ${quoted(first)}`);
}

function checkBounds(limits: Json): Limits {
  if (!isObject(limits)) throw refused("limits", "an object", limits);
  refuseUnknownMembers(limits, "`limits`", Object.keys(DEFAULT_LIMITS));
  const bounds: Record<string, number> = { ...DEFAULT_LIMITS };
  for (const name of Object.keys(DEFAULT_LIMITS)) {
    if (!Object.hasOwn(limits, name)) continue;
    const bound = whole(limits[name]);
    if (bound === null) {
      throw refused(`limits.${name}`, `a whole number from 0 to ${LARGEST}`, limits[name]);
    }
    bounds[name] = bound;
  }
  return bounds as unknown as Limits;
}

function checkEvaluation(request: Record<string, Json>): void {
  for (const member of ["operation", "operands"]) {
    if (!Object.hasOwn(request, member)) {
      throw new Refused(`the request of \`evaluate\` needs the member \`${member}\``);
    }
  }
  refuseUnknownMembers(request, "the request of `evaluate`", ["operation", "operands"]);
  const { operation, operands } = request;
  if (typeof operation !== "string") throw refused("operation", "a string", operation);
  if (!Array.isArray(operands) || !operands.every(isRow)) {
    throw new Refused("operands must be an array of arrays of 16 hex digits, 0-9 and a-f, each");
  }
}

function isRow(row: Json): boolean {
  return Array.isArray(row) && row.every((bits) => typeof bits === "string" && BITS.test(bits));
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function whole(value: Json): number | null {
  return isDouble(value) && value >= 0 && value <= LARGEST && value % 1 === 0 ? value + 0 : null;
}

function refused(member: string, expected: string, value: Json): Refused {
  return new Refused(`${member} must be ${expected}, not ${described(value)}`);
}
