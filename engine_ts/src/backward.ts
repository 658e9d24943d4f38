/** Steps + local gradients -> grads and the ledger, one row per edge. */

import { NonFinite } from "./errors.ts";
import { atNode, faultOfNumber, hasFiniteSum } from "./forward.ts";
import type { Forward } from "./forward.ts";
import type { Graph } from "./graph.ts";
import { fedByVariables } from "./order.ts";
import type { Step } from "./order.ts";

/**
 * grads, and the runningGrads of the left and of the right operand after the contribution of this
 * operation arrived, each indexed by node. A contribution itself is grads[node] * local, as the
 * gradient of the node is complete by then. An operand without a gradient has none. Numbers may be
 * infinite or NaN where no variable feeds a node; the document has null for them (CONTRACT.md R5).
 */
export type Backward = readonly [
  grads: readonly number[],
  runningLefts: readonly number[],
  runningRights: readonly number[],
];

/** Set the root's gradient to 1 and propagate gradients along the edges. */
export function backward(
  graph: Graph,
  order: readonly number[],
  steps: readonly Step[],
  computed: Forward,
): Backward {
  const [, lefts, rights] = computed;
  const grads = new Array<number>(lefts.length).fill(0);
  const runningLefts = new Array<number>(lefts.length);
  const runningRights = new Array<number>(lefts.length);
  grads[order.at(-1)!] = 1;
  for (let place = steps.length - 1; place >= 0; place--) {
    const { node, left, right, flowsRight } = steps[place]!;
    const grad = grads[node]!;
    grads[left]! += grad * lefts[node]!;
    runningLefts[node] = grads[left]!;
    if (flowsRight) {
      grads[right!]! += grad * rights[node]!;
      runningRights[node] = grads[right!]!;
    }
  }
  const walked: Backward = [grads, runningLefts, runningRights];
  // Infinity and NaN stay non-finite when added to, so a finite sum means finite terms.
  if (!hasFiniteSum(grads)) refuseNonFinite(graph, order, steps, computed, walked);
  return walked;
}

/** Name the number that made the running gradient of a row non-finite. */
export function stageOf(local: unknown, contribution: unknown): string {
  if (!Number.isFinite(local)) return "local_grad";
  return Number.isFinite(contribution) ? "grad" : "contribution";
}

/** Throw the error for the first row that is not finite and leads to a variable. */
function refuseNonFinite(
  graph: Graph,
  order: readonly number[],
  steps: readonly Step[],
  [data, ...localGrads]: Forward,
  [grads, ...runningGrads]: Backward,
): void {
  const fed = fedByVariables(graph.variables.values(), graph.operands);
  for (const { node, left, right, flowsRight } of steps.toReversed()) {
    const receivers = flowsRight ? [left, right!] : [left];
    const slot = receivers.findIndex(
      (operand, each) => fed[operand] && !Number.isFinite(runningGrads[each]![node]),
    );
    if (slot < 0) continue;
    const local = localGrads[slot]![node]!;
    const stage = stageOf(local, grads[node]! * local);
    const where = atNode(graph, order, node, data);
    const fault = faultOfNumber(stage, where.operation!, where.operands);
    const message = `the ${stage} of operand ${slot} of \`${where.operation}\` ${fault}`;
    throw new NonFinite(message, graph.spans[node], { stage, ...where, slot });
  }
}
