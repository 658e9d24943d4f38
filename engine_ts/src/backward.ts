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

/** What the walk did: grads indexed by node, the rest a row per edge, as `walk` meets them. */
export interface Ledger {
  readonly grads: readonly number[];
  readonly contributions: readonly (number | null)[];
  /** The operand's gradient after the contribution arrived; null where none flows. */
  readonly runningGrads: readonly (number | null)[];
}

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
export function backward(graph: Graph, order: readonly number[], computed: Forward): Ledger {
  const grads: number[] = new Array(graph.operands.length).fill(0);
  const contributions: (number | null)[] = [];
  const runningGrads: (number | null)[] = [];
  grads[order.at(-1)!] = 1;
  for (const node of order.toReversed()) {
    const incoming = grads[node]!;
    const operands = graph.operands[node]!;
    const localGrads = computed.localGrads[node]!;
    for (let slot = 0; slot < operands.length; slot++) {
      const local = localGrads[slot] ?? null;
      if (local === null) {
        contributions.push(null);
        runningGrads.push(null);
        continue;
      }
      const operand = operands[slot]!;
      const contribution = incoming * local;
      grads[operand]! += contribution;
      contributions.push(contribution);
      runningGrads.push(grads[operand]!);
    }
  }
  const ledger = { grads, contributions, runningGrads };
  // What is added to infinity or NaN stays non-finite.
  if (!grads.every(Number.isFinite)) throw firstNonFinite(graph, order, computed, ledger);
  return ledger;
}

/** Find the row where it began, and which of its three numbers is to blame. */
function firstNonFinite(
  graph: Graph,
  order: readonly number[],
  computed: Forward,
  ledger: Ledger,
): NonFinite {
  const row = ledger.runningGrads.findIndex((grad) => grad !== null && !Number.isFinite(grad));
  const [node, slot] = [...walk(graph, order)][row]!;
  let stage = "grad";
  if (!Number.isFinite(computed.localGrads[node]![slot])) stage = "local_grad";
  else if (!Number.isFinite(ledger.contributions[row])) stage = "contribution";
  const where = atNode(graph, order, node, computed.data);
  const message = `the ${stage} of operand ${slot} of \`${String(where["operation"])}\` is too large for a double`;
  return new NonFinite(message, graph.spans[node], { stage, ...where, slot });
}
