/** Unchecked members of a request -> their values, or an error that says what is accepted. */

import { canonicalText } from "../canonical.ts";
import type { GradientDocument, Outline } from "../document.ts";
import { InvalidRequest, InvalidValue } from "../errors.ts";
import { described, isDouble, pointerStep, quoted } from "../request.ts";
import type { Node } from "../template.ts";

/** Return the member if it is one of the words. */
export function checkChoice<Choice extends string>(
  member: string,
  value: unknown,
  choices: readonly Choice[],
): Choice {
  for (const known of choices) {
    if (value === known) return known;
  }
  return refuse(member, choices.map((known) => `"${known}"`).join(" or "), value);
}

/** Return the member if it is true or false. */
export function checkFlag(member: string, value: unknown): boolean {
  return typeof value === "boolean" ? value : refuse(member, "true or false", value);
}

/** Return the member as a double if it is finite and accepted. */
export function checkNumber(
  member: string,
  value: unknown,
  isValid: (number: number) => boolean,
  expected: string,
): number {
  return isDouble(value) && isValid(value) ? value : refuse(member, expected, value);
}

/** Return the member as a double if it is from 0 to 1. */
export function checkTolerance(tolerance: unknown): number {
  const isPart = (number: number) => number >= 0 && number <= 1;
  return checkNumber("tolerance", tolerance, isPart, "a number from 0 to 1");
}

/** Return the member if it is a whole number within the bounds. */
export function checkWhole(
  member: string,
  value: unknown,
  least: number,
  most: number,
  kind = "a whole number",
): number {
  if (isDouble(value) && value >= least && value <= most && value % 1 === 0) return value;
  return refuse(member, `${kind} from ${least} to ${most}`, value);
}

/** Return the id of the node that the member names by id or label. */
export function checkNode(
  member: string,
  value: unknown,
  ids: ReadonlyMap<string, readonly number[]>,
  root: number,
): number {
  if (typeof value === "string") {
    const found = ids.get(value) ?? [];
    if (found.length === 1) return found[0]!;
    const count = found.length === 0 ? "no node has" : `${found.length} nodes have`;
    const message = `${count} the label ${quoted(value)}; name the node by its id, from 0 to ${root}`;
    throw new InvalidRequest(message, null, { pointer: `/${member}` });
  }
  return checkWhole(member, value, 0, root, "a label, or an id");
}

/** Return finite numbers for variables of the program, by id. */
export function checkNumbers(
  document: GradientDocument,
  member: string,
  numbers: unknown,
): Map<number, number> {
  if (typeof numbers !== "object" || numbers === null || Array.isArray(numbers)) {
    refuse(member, "an object of numbers", numbers);
  }
  const ids = variables(document);
  const doubles = new Map<number, number>();
  const values = new Map<string, unknown>(Object.entries(numbers));
  for (const name of [...values.keys()].sort()) {
    const value = values.get(name);
    const where = { name, pointer: `/${member}` + pointerStep(name) };
    const node = ids.get(name);
    if (node === undefined) {
      const message = `${quoted(name)} under ${named(member)} is not a variable of the program`;
      throw new InvalidValue(message, null, where);
    }
    if (!isDouble(value)) {
      const message = `${named(member)} must give \`${name}\` a finite number, not ${described(value)}`;
      throw new InvalidValue(message, null, where);
    }
    doubles.set(node, value);
  }
  return doubles;
}

/** Return the ids of the variables, by name, in the order of the document's gradients. */
export function variables({
  nodes,
}: Pick<GradientDocument | Outline, "nodes">): Map<string, number> {
  const ids = new Map<string, number>();
  for (const { id, kind, label } of nodes) {
    if ((kind === "input" || kind === "parameter") && label !== null) ids.set(label, id);
  }
  return ids;
}

/** Return the ids of the nodes with each label. */
export function idsByLabel({ nodes }: Outline | GradientDocument): Map<string, number[]> {
  const ids = new Map<string, number[]>();
  for (const { id, label } of nodes) {
    if (label === null) continue;
    const same = ids.get(label);
    if (same === undefined) ids.set(label, [id]);
    else same.push(id);
  }
  return ids;
}

/** Name a node in a sentence: by its label, or by id and operation or number. */
export function nameOf({ id, label, operation, name = operation! }: Node): string {
  if (label !== null) return `\`${label}\``;
  return operation === null ? `node ${id}` : `node ${id} (\`${name}\`)`;
}

/** Write a member such as `nodes/0/label` for a sentence: `nodes[0].label`. */
function named(member: string): string {
  return member.replace(/\/(\d+)/g, "[$1]").replaceAll("/", ".");
}

/**
 * Refuse a member and say what it must be.
 *
 * @throws {InvalidRequest} always
 */
export function refuse(member: string, expected: string, value: unknown): never {
  const actual = isDouble(value) ? canonicalText(value) : described(value);
  const message = `${named(member)} must be ${expected}, not ${actual}`;
  throw new InvalidRequest(message, null, { pointer: `/${member}` });
}
