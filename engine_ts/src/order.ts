/** Graph -> topological order -> the steps that forward and backward take. */

import type { Graph } from "./graph.ts";
import { NO_GRADIENT } from "./operations.ts";
import type { Write } from "./operations.ts";

/** An operation on the nodes left and, if it has two operands, right. */
export interface Step {
  readonly node: number;
  readonly write: Write;
  readonly left: number;
  readonly right: number | null;
  /** Whether a gradient flows into right. */
  readonly flowsRight: boolean;
}

/**
 * List the nodes that the root depends on, operands first and left to right, each node once.
 *
 * The order is that of the lessons' recursive `build_topo`, but with an explicit stack, so depth
 * is bounded by memory alone. An operation waits on the stack, as ~node, below its operands until
 * they are listed: for `a * b` the stack goes  *  |  ~* b a  |  ~* b  |  ~*.
 */
export function topologicalOrder(root: number, operands: readonly (readonly number[])[]): number[] {
  const order: number[] = [];
  const seen = new Uint8Array(operands.length);
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (node < 0) {
      order.push(~node);
    } else if (seen[node] === 0) {
      seen[node] = 1;
      const below = operands[node]!;
      if (below.length > 0) stack.push(~node);
      else order.push(node);
      for (let slot = below.length - 1; slot >= 0; slot--) stack.push(below[slot]!);
    }
  }
  return order;
}

/** For each node, whether it or a leaf below it is a variable (CONTRACT.md R5). */
export function fedByVariables(
  variables: Iterable<number>,
  operands: readonly (readonly number[])[],
): boolean[] {
  const fed = operands.map(() => false);
  for (const node of variables) fed[node] = true;
  for (const [node, below] of operands.entries()) {
    if (below.some((operand) => fed[operand])) fed[node] = true; // operands stand before
  }
  return fed;
}

/**
 * List the operations in topological order.
 *
 * Forward takes the steps as they are. Backward takes them in reverse, each operation's left
 * operand first: every edge into a node then comes before the edges out of it, so a node's gradient
 * is complete before it is passed on.
 */
export function makeSteps(graph: Graph, order: readonly number[]): Step[] {
  const { operations, operands } = graph;
  const steps: Step[] = [];
  for (const node of order) {
    const operation = operations[node] ?? null;
    if (operation === null) continue;
    const left = operands[node]![0]!;
    const right = operands[node]![1] ?? null;
    const flowsRight = right !== null && operation.symbol !== NO_GRADIENT.symbol; // its slot is 1
    steps.push({ node, write: operation.write, left, right, flowsRight });
  }
  return steps;
}
