/** JSON value -> checked message: a `start`, `run` or `stop` of `protocol.schema.json`. */

import { LAB } from "../lab/commands.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { described, isDouble, quoted } from "../request.ts";
import { Refused } from "./line.ts";

/** Up to here every language has the integers exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER;

type Members = readonly [required: string[], optional: string[]];

const ON_PROGRAMS: Readonly<Record<string, Members>> = Object.fromEntries(
  [
    "introspect",
    "introspect_value",
    "parse",
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

/** What was read of JSON, to be checked before it is used. */
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
 * Accept what the schema accepts.
 *
 * @throws {Refused} the value is no message
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

/** Give the sequence of a value that may be no message. */
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
  // What an unknown command carries is not known here.
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

function refused(what: string, expected: string, value: Json): Refused {
  return new Refused(`${what} must be ${expected}, not ${described(value)}`);
}
