/** Unchecked members + document -> conditions: how an experiment differs from `backward`. */

import { canonicalText } from "../canonical.ts";
import type { Document } from "../document.ts";
import { InvalidRequest, InvalidValue, LimitExceeded } from "../errors.ts";
import { described, isDouble, pointerStep, quoted } from "../request.ts";
import type { Outline } from "../outline.ts";
import type { Node } from "../template.ts";

export type Direction = "push" | "pull";
const DIRECTIONS: readonly Direction[] = ["push", "pull"];
export type Accumulate = "add" | "replace";
const ACCUMULATE: readonly Accumulate[] = ["add", "replace"];
export type Reset = "none" | "inner" | "all";
const RESETS: readonly Reset[] = ["none", "inner", "all"];

const MOST_PASSES = 10;

/** Checked members of an experiment. */
export interface Conditions {
  /** Whether a visited node sends to its operands or collects from the operations that use it. */
  readonly walk: Direction;
  /** The nodes to visit, by id; each at most once. */
  readonly order: readonly number[];
  /** Whether a contribution is added to its operand's gradient or put in its place. */
  readonly accumulate: Accumulate;
  /** The root's gradient at the beginning of a pass. */
  readonly seed: number;
  /** Backward passes. */
  readonly passes: number;
  /** Whose gradients are set to 0 between them: no node's, those of operations, or all. */
  readonly reset: Reset;
  /** Other data for variables, by id, from after the forward pass on. */
  readonly mutate: ReadonlyMap<number, number>;
}

/** Check each member in turn; the first fault is the error (CONTRACT.md R36). */
export function checkConditions(
  document: Document,
  members: Readonly<Record<keyof Conditions, unknown>>,
): Conditions {
  return {
    walk: checkChoice("walk", members.walk, DIRECTIONS),
    order: checkOrder(document, members.order),
    accumulate: checkChoice("accumulate", members.accumulate, ACCUMULATE),
    seed: checkNumber("seed", members.seed, Number.isFinite, "a finite number"),
    passes: checkWhole("passes", members.passes, 1, MOST_PASSES),
    reset: checkChoice("reset", members.reset, RESETS),
    mutate: checkNumbers(document, "mutate", members.mutate),
  };
}

/**
 * Refuse passes with too many edges in all.
 *
 * @throws {LimitExceeded} the passes have more than the limit
 */
export function checkSteps({ edges }: Document, passes: number, limit: number): void {
  const actual = passes * edges.length;
  if (actual > limit) {
    const message = `${passes} passes over this graph take ${actual} steps; at most ${limit} are made`;
    throw new LimitExceeded(message, null, { name: "steps", limit, actual });
  }
}

function checkOrder(document: Document, order: unknown): readonly number[] {
  if (order === "backward") return document.backward_order;
  if (!Array.isArray(order)) refuse("order", 'an array of ids and labels, or "backward"', order);
  const ids = idsByLabel(document);
  const visited = new Set<number>();
  for (const [index, item] of order.entries()) {
    const node = checkNode(`order/${index}`, item, ids, document.root);
    if (visited.has(node)) {
      const message = `order visits ${nameOf(document.nodes[node]!)} twice; visit it once`;
      throw new InvalidRequest(message, null, { pointer: `/order/${index}` });
    }
    visited.add(node);
  }
  return [...visited];
}

/** Give the nodes that have each label. */
export function idsByLabel({ nodes }: Outline | Document): Map<string, number[]> {
  const ids = new Map<string, number[]>();
  for (const { id, label } of nodes) {
    if (label === null) continue;
    const same = ids.get(label);
    if (same === undefined) ids.set(label, [id]);
    else same.push(id);
  }
  return ids;
}

/** Accept a node's id or its label; give the id. */
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

/** Accept one of some words. */
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

/** Accept a finite number that is right. */
export function checkNumber(
  member: string,
  value: unknown,
  isRight: (number: number) => boolean,
  what: string,
): number {
  return isDouble(value) && isRight(value) ? value : refuse(member, what, value);
}

/** Accept a whole number within bounds. */
export function checkWhole(
  member: string,
  value: unknown,
  least: number,
  most: number,
  what = "a whole number",
): number {
  if (isDouble(value) && value >= least && value <= most && value % 1 === 0) return value;
  return refuse(member, `${what} from ${least} to ${most}`, value);
}

/** Accept finite numbers for variables of the program; give them by id. */
export function checkNumbers(
  document: Document,
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
      const message = `${quoted(name)} under ${named(member)} is no variable of the program`;
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

/** Accept a number from 0 to 1. */
export function checkTolerance(tolerance: unknown): number {
  const isPart = (number: number) => number >= 0 && number <= 1;
  return checkNumber("tolerance", tolerance, isPart, "a number from 0 to 1");
}

/** Give the ids of the variables, by name, in the order of the document's gradients. */
export function variables({ nodes }: Pick<Document | Outline, "nodes">): Map<string, number> {
  const ids = new Map<string, number>();
  for (const { id, kind, label } of nodes) {
    if ((kind === "input" || kind === "parameter") && label !== null) ids.set(label, id);
  }
  return ids;
}

/** Name a node in a sentence: by its label, or by id and operation or number. */
export function nameOf({ id, label, operation, name = operation! }: Node): string {
  if (label !== null) return `\`${label}\``;
  return operation === null ? `node ${id}` : `node ${id} (\`${name}\`)`;
}

/** Write a member, `nodes/0/label`, as a sentence does: `nodes[0].label`. */
function named(member: string): string {
  return member.replace(/\/(\d+)/g, "[$1]").replaceAll("/", ".");
}

/**
 * Say what a member must be.
 *
 * @throws {InvalidRequest} always
 */
export function refuse(member: string, expected: string, value: unknown): never {
  const actual = isDouble(value) ? canonicalText(value) : described(value);
  const message = `${named(member)} must be ${expected}, not ${actual}`;
  throw new InvalidRequest(message, null, { pointer: `/${member}` });
}
