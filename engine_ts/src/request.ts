/** Unchecked members -> request: a string, finite values, distinct parameters, a known view. */

import { InvalidRequest, InvalidValue, LimitExceeded } from "./errors.ts";
import type { Limits } from "./limits.ts";

export type View = "folded" | "primitive";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** The maximum number of code points of an invalid string that a message quotes. */
const SHOWN = 20;

/** A checked request. */
export interface GradientRequest {
  readonly expression: string;
  /** A map, because a plain object does not take `__proto__` as a name. */
  readonly values: ReadonlyMap<string, number>;
  readonly parameters: readonly string[];
  readonly view: View;
}

/** Check each member in turn; the first invalid one is the error (CONTRACT.md R31). */
export function checkRequest(
  expression: unknown,
  values: unknown,
  parameters: unknown,
  view: unknown,
  limits: Limits,
): GradientRequest {
  return {
    expression: checkExpression(expression, limits),
    values: checkValues(values, limits),
    parameters: checkParameters(parameters, limits),
    view: checkView(view),
  };
}

/** Accept a string within the limit of characters. */
export function checkExpression(expression: unknown, limits: Limits): string {
  if (typeof expression !== "string") {
    const message = `expression must be a string, not ${described(expression)}`;
    throw new InvalidRequest(message, null, { pointer: "/expression" });
  }
  const limit = limits.characters;
  // UTF-16 units are at least as many as code points, so only a long text needs counting.
  const actual = expression.length > limit ? [...expression].length : expression.length;
  if (actual > limit) {
    const message = `the expression has ${actual} characters; at most ${limit} are accepted`;
    const span = { start: limit, end: actual };
    throw new LimitExceeded(message, span, { name: "characters", limit, actual });
  }
  return expression;
}

/** Accept an object from names to finite numbers. */
export function checkValues(values: unknown, limits: Limits): Map<string, number> {
  if (typeof values !== "object" || values === null || Array.isArray(values)) {
    const message = `values must be an object of numbers, not ${described(values)}`;
    throw new InvalidRequest(message, null, { pointer: "/values" });
  }
  const given = values as Record<string, unknown>;
  const names = Object.keys(given);
  refuseTooMany("values", names.length, limits);
  const doubles = new Map<string, number>();
  const faulty: string[] = [];
  for (const name of names) {
    const value = given[name];
    if (isDouble(value) && isName(name)) doubles.set(name, value);
    else faulty.push(name);
  }
  const first = faulty.sort()[0];
  if (first !== undefined) throw valueError(first, given[first]);
  return doubles;
}

/** Accept distinct names within the limit of variables; `member` is where they are. */
export function checkParameters(
  parameters: unknown,
  limits: Limits,
  member = "parameters",
): string[] {
  if (!Array.isArray(parameters)) {
    const message = `${member} must be an array of names, not ${described(parameters)}`;
    throw new InvalidRequest(message, null, { pointer: `/${member}` });
  }
  refuseTooMany(member, parameters.length, limits);
  const seen = new Set<string>();
  for (const [index, name] of parameters.entries()) {
    const pointer = `/${member}/${index}`;
    if (!isName(name)) {
      const message = `${member}[${index}] must be a name, not ${described(name)}`;
      throw new InvalidRequest(message, null, { pointer });
    }
    if (seen.has(name)) {
      const message = `\`${name}\` is listed twice under ${member}; list it once`;
      throw new InvalidRequest(message, null, { pointer });
    }
    seen.add(name);
  }
  return [...seen];
}

/** Accept one of the two views. */
export function checkView(view: unknown): View {
  if (view === "folded" || view === "primitive") return view;
  const message = `view must be "folded" or "primitive", not ${described(view)}`;
  throw new InvalidRequest(message, null, { pointer: "/view" });
}

/** Accept at most `limits.variables` entries. */
export function refuseTooMany(member: string, actual: number, limits: Limits): void {
  const limit = limits.variables;
  if (actual > limit) {
    const message = `${member} has ${actual} entries; at most ${limit} are accepted`;
    throw new LimitExceeded(message, null, { name: "variables", limit, actual });
  }
}

/** Return whether a value is a finite number. */
export function isDouble(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Return whether a name is a valid variable name. */
export function isName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name);
}

/** Return the error for an invalid value, or for a value with an invalid name. */
export function valueError(name: string, value: unknown): InvalidValue {
  let message = `${quoted(name)} is not a name: a letter or _, then letters, digits, _`;
  if (isName(name)) {
    message = `the value of \`${name}\` must be a finite number, not ${described(value)}`;
  }
  return new InvalidValue(message, null, { name, pointer: "/values" + pointerStep(name) });
}

/** Write a member's name as a step of a JSON Pointer (RFC 6901). */
export function pointerStep(member: string): string {
  return "/" + member.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Describe a JSON value for a message; a string is quoted, a long one truncated. */
export function described(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return `the string ${quoted(value)}`;
  if (typeof value === "number") {
    return Number.isFinite(value) ? "a number" : "infinity, NaN or a number beyond the doubles";
  }
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a value of type ${typeof value}`;
}

/** Write a string as JSON does, a long one truncated. */
export function quoted(text: string): string {
  const shown = [...text.slice(0, 2 * SHOWN + 2)];
  const long = shown.length > SHOWN;
  return JSON.stringify(long ? `${shown.slice(0, SHOWN).join("")}...` : text);
}
