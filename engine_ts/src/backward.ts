/** Graph + walk + local gradients -> grads and the ledger, one row per edge. */

import { NonFinite } from "./errors.ts";
import { atNode } from "./forward.ts";
import type { Forward } from "./forward.ts";
import type { Graph } from "./graph.ts";
import type { Walk } from "./order.ts";

/**
 * grads, indexed by node; then, for each edge of the walk, the operand's runningGrads after its
 * contribution arrived. null where no gradient flows. A contribution itself is grads[node] * local,
 * as the gradient of the node is complete by then.
 */
export type Backward = readonly [
  grads: readonly number[],
  runningGrads: readonly (number | null)[],
];

/** Set the root's gradient to 1 and propagate gradients along the edges. */
export function backward(
  graph: Graph,
  order: readonly number[],
  edges: Walk,
  computed: Forward,
): Backward {
  const [, localGrads] = computed;
  const grads: number[] = new Array(graph.operands.length).fill(0);
  const runningGrads: (number | null)[] = [];
  grads[order.at(-1)!] = 1;
  for (let place = 0; place < edges.length; place++) {
    const [node, slot, operand] = edges[place]!;
    const local = localGrads[node]![slot] ?? null;
    if (local === null) {
      runningGrads.push(null);
    } else {
      grads[operand]! += grads[node]! * local;
      runningGrads.push(grads[operand]!);
    }
  }
  const walked: Backward = [grads, runningGrads];
  // What is added to infinity or NaN stays non-finite.
  if (!grads.every(Number.isFinite)) throw firstNonFinite(graph, order, edges, computed, walked);
  return walked;
}

/** Name the number that made the running gradient of a row non-finite. */
export function stageOf(local: unknown, contribution: unknown): string {
  if (!Number.isFinite(local)) return "local_grad";
  return Number.isFinite(contribution) ? "grad" : "contribution";
}

/** Build the error for the first row that is not finite. */
function firstNonFinite(
  graph: Graph,
  order: readonly number[],
  edges: Walk,
  [data, localGrads]: Forward,
  [grads, runningGrads]: Backward,
): NonFinite {
  const row = runningGrads.findIndex((grad) => grad !== null && !Number.isFinite(grad));
  const [node, slot] = edges[row]!;
  const local = localGrads[node]![slot]!;
  const stage = stageOf(local, grads[node]! * local);
  const where = atNode(graph, order, node, data);
  const message = `the ${stage} of operand ${slot} of \`${where.operation}\` is too large for a double`;
  return new NonFinite(message, graph.spans[node], { stage, ...where, slot });
}
