/** Document -> experiment: its backward pass under other conditions, and what they change. */

import type { Document } from "../document.ts";
import { checkConditions, variables } from "./conditions.ts";
import type { Accumulate, Conditions } from "./conditions.ts";
import { rereader, stored } from "./local_grads.ts";
import type { LocalGrad } from "./local_grads.ts";
import { describe } from "./lost.ts";
import type { Lost } from "./lost.ts";
import { Walk } from "./walk.ts";
import type { Step } from "./walk.ts";

/** What to do otherwise. */
export interface ExperimentOptions {
  /** The nodes to visit, as ids and labels; or "backward", the right order. */
  readonly order?: "backward" | readonly (number | string)[];
  /** "add" a contribution to its operand's gradient, or "replace" that by it. */
  readonly accumulate?: Accumulate;
  /** How many backward passes to make; gradients are not set to 0 between them. */
  readonly passes?: number;
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
  ledger: Step[];
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
 * @throws {GradientError} an option is wrong, or a number of the walk is not finite
 */
export function experiment(document: Document, options: ExperimentOptions = {}): Experiment {
  const { order = "backward", accumulate = "add", passes = 1, mutate = {} } = options;
  const conditions = checkConditions(document, order, accumulate, passes, mutate);
  const broken = brokenEdge(document, conditions.order);
  const visited = new Set(conditions.order);
  const unvisited = document.nodes
    .filter(({ id, operation }) => operation !== null && !visited.has(id))
    .map(({ id }) => id);
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

/** Give the first edge whose operand is visited before its operation, or without it. */
function brokenEdge({ nodes, edges }: Document, order: readonly number[]): number | null {
  const never = order.length;
  const places = nodes.map(() => never);
  for (const [place, node] of order.entries()) places[node] = place;
  let first = never;
  let broken: number | null = null;
  for (const { id, from, to } of edges) {
    if (places[from]! < first && places[from]! < places[to]!) {
      first = places[from]!;
      broken = id;
    }
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
