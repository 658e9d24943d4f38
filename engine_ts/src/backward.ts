/**
 * Graph + local gradients -> grads and the ledger, one row per edge.
 *
 * Send each node's gradient to its operands, once per edge. The walk goes root to leaves, so a
 * node's gradient is complete before it is read.
 */

import { NonFinite } from "./errors.ts";
import { atNode } from "./forward.ts";
import type { Forward } from "./forward.ts";
import type { Graph } from "./graph.ts";

/**
 * grads, indexed by node; then the ledger, a row per edge as `walk` meets them: contributions, and
 * the operand's runningGrads after each arrived. null where no gradient flows.
 */
export type Backward = readonly [
  grads: readonly number[],
  contributions: readonly (number | null)[],
  runningGrads: readonly (number | null)[],
];

/** Give [node, slot, operand] of every edge as the backward pass meets it. */
export function* walk(
  graph: Graph,
  order: readonly number[],
): Generator<[node: number, slot: number, operand: number]> {
  for (const node of order.toReversed()) {
    for (const [slot, operand] of graph.operands[node]!.entries()) yield [node, slot, operand];
  }
}

/** Start at the root with 1 and walk the order in reverse, operand slots left to right. */
export function backward(graph: Graph, order: readonly number[], computed: Forward): Backward {
  const [, localGrads] = computed;
  const grads: number[] = new Array(graph.operands.length).fill(0);
  const contributions: (number | null)[] = [];
  const runningGrads: (number | null)[] = [];
  grads[order.at(-1)!] = 1;
  for (const node of order.toReversed()) {
    const incoming = grads[node]!;
    for (const [slot, operand] of graph.operands[node]!.entries()) {
      const local = localGrads[node]![slot] ?? null;
      if (local === null) {
        contributions.push(null);
        runningGrads.push(null);
      } else {
        const contribution = incoming * local;
        grads[operand]! += contribution;
        contributions.push(contribution);
        runningGrads.push(grads[operand]!);
      }
    }
  }
  const walked: Backward = [grads, contributions, runningGrads];
  // What is added to infinity or NaN stays non-finite.
  if (!grads.every(Number.isFinite)) throw firstNonFinite(graph, order, computed, walked);
  return walked;
}

/** Say which of the three numbers of a row with a non-finite sum is to blame. */
export function stageOf(local: unknown, contribution: unknown): string {
  if (!Number.isFinite(local)) return "local_grad";
  return Number.isFinite(contribution) ? "grad" : "contribution";
}

/** Find the row where it began. */
function firstNonFinite(
  graph: Graph,
  order: readonly number[],
  [data, localGrads]: Forward,
  [, contributions, runningGrads]: Backward,
): NonFinite {
  const row = runningGrads.findIndex((grad) => grad !== null && !Number.isFinite(grad));
  const [node, slot] = [...walk(graph, order)][row]!;
  const stage = stageOf(localGrads[node]![slot], contributions[row]);
  const where = atNode(graph, order, node, data);
  const message = `the ${stage} of operand ${slot} of \`${where.operation}\` is too large for a double`;
  return new NonFinite(message, graph.spans[node], { stage, ...where, slot });
}
