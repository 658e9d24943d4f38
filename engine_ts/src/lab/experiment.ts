/** Document -> experiment: its backward pass under other conditions, and what they change. */

import type { Document } from "../document.ts";
import { checkLimits, DEFAULT_LIMITS } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { documentOf } from "../value.ts";
import type { Subject, SubjectOptions } from "../value.ts";
import { checkConditions, checkSteps, variables } from "./conditions.ts";
import type { Accumulate, Conditions, Direction, Reset } from "./conditions.ts";
import { rereader, stored } from "./local_grads.ts";
import type { LocalGrad } from "./local_grads.ts";
import { describe } from "./lost.ts";
import type { Lost } from "./lost.ts";
import { Walk } from "./walk.ts";
import type { Row } from "./walk.ts";

/** What to do otherwise. */
export interface ExperimentOptions extends Pick<SubjectOptions, "values"> {
  /**
   * Whether a visited node sends a contribution to each operand, "push", as `backward` does, or
   * collects one from each operation that uses it, "pull", as that is by then.
   */
  readonly walk?: Direction;
  /** The nodes to visit, as ids and labels; or "backward", the right order. */
  readonly order?: "backward" | readonly (number | string)[];
  /** "add" a contribution to its operand's gradient, or "replace" that by it. */
  readonly accumulate?: Accumulate;
  /** The root's gradient at the beginning of each pass. */
  readonly seed?: number;
  /** How many backward passes to make. */
  readonly passes?: number;
  /**
   * Whose gradients are set to 0 between them: "none", the "inner" nodes', which are the
   * operations, so that leaves alone accumulate as PyTorch's do, or "all".
   */
  readonly reset?: Reset;
  /**
   * Values that variables get after the forward pass. An engine that stored its local gradients in
   * the forward pass does not notice, one that reads its operands' data when it needs them does:
   * both are walked.
   */
  readonly mutate?: Readonly<Record<string, number>>;
}

/** What one engine reports under the conditions. */
export interface WrongWalk {
  local_grads: "stored" | "reread";
  ledger: Row[];
  gradients: Record<string, number>;
  /** From the right gradients; null where it is no double. */
  differences: Record<string, number | null>;
  lost: Lost[];
}

/** An experiment in full; ids are those of the document. */
export interface Experiment {
  document: Document;
  order: number[];
  reverse_topological: boolean;
  broken_edge: number | null;
  unvisited: number[];
  walks: WrongWalk[];
}

/**
 * Repeat the backward pass of a document under other conditions (CONTRACT.md R36).
 *
 * @param subject a document, a text or a Value
 * @throws {GradientError} an option is wrong, or a number of the walk is not finite
 */
export function experiment(
  subject: Subject,
  options: ExperimentOptions = {},
  limits: Partial<Limits> = DEFAULT_LIMITS,
): Experiment {
  const document = documentOf(subject, { values: options.values ?? {} }, limits);
  const { walk = "push", order = "backward", accumulate = "add" } = options;
  const { seed = 1, passes = 1, reset = "none", mutate = {} } = options;
  const members = { walk, order, accumulate, seed, passes, reset, mutate };
  const conditions = checkConditions(document, members);
  checkSteps(document, conditions.passes, checkLimits(limits).steps);
  const unvisited = unvisitedNodes(document, conditions);
  const broken = brokenEdge(document, conditions.order, unvisited);
  const walks = [walked(document, conditions, "stored", stored)];
  if (conditions.mutate.size > 0) {
    walks.push(walked(document, conditions, "reread", rereader(document, conditions.mutate)));
  }
  return {
    document,
    order: [...conditions.order],
    reverse_topological: broken === null && unvisited.length === 0,
    broken_edge: broken,
    unvisited,
    walks,
  };
}

/**
 * Give the nodes that are not in the order, and whose visit would do something.
 *
 * What a pull would collect in a constant is in no gradient that is asked for.
 */
function unvisitedNodes({ nodes, root }: Document, { walk, order }: Conditions): number[] {
  const visited = new Set(order);
  return nodes
    .filter(({ id, kind, operation }) => {
      if (visited.has(id)) return false;
      return walk === "push" ? operation !== null : kind !== "constant" && id !== root;
    })
    .map(({ id }) => id);
}

/** Give the first edge whose operand is visited before its operation, or while that is not. */
function brokenEdge(
  { edges }: Document,
  order: readonly number[],
  unvisited: readonly number[],
): number | null {
  const never = order.length;
  const places = new Map(unvisited.map((node) => [node, never]));
  for (const [place, node] of order.entries()) places.set(node, place);
  let first = never;
  let broken: number | null = null;
  for (const { id, from, to } of edges) {
    const place = places.get(from) ?? never;
    if (place < first && place < (places.get(to) ?? -1)) [first, broken] = [place, id];
  }
  return broken;
}

function walked(
  document: Document,
  conditions: Conditions,
  name: "stored" | "reread",
  localGrad: LocalGrad,
): WrongWalk {
  const walk = new Walk(document, conditions, localGrad);
  const gradients = [...variables(document)].map(([label, node]): [string, number] => [
    label,
    walk.grads[node]! + 0,
  ]);
  const differences = gradients.map(([label, gradient]): [string, number | null] => [
    label,
    difference(gradient, document.gradients[label]!),
  ]);
  return {
    local_grads: name,
    ledger: walk.ledger,
    gradients: Object.fromEntries(gradients),
    differences: Object.fromEntries(differences),
    lost: walk.losses.map((loss) => describe(document, walk.ledger, loss)),
  };
}

function difference(gradient: number, right: number): number | null {
  const apart = gradient - right + 0;
  return Number.isFinite(apart) ? apart : null;
}
