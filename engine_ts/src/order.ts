/** Graph -> topological order, and the walk: its edges as the backward pass meets them. */

/** Every edge, as the backward pass meets it. */
export type Walk = readonly (readonly [node: number, slot: number, operand: number])[];

/**
 * List what the root depends on, operands first and left to right, each node once.
 *
 * The order is that of the lessons' recursive `build_topo`, but with an explicit stack, so depth
 * is bounded by memory alone. An operation waits on the stack, as ~node, below its operands until
 * they are listed: for `a * b` the stack goes  *  |  ~* b a  |  ~* b  |  ~*.
 */
export function topologicalOrder(root: number, operands: readonly (readonly number[])[]): number[] {
  const order: number[] = [];
  const seen: boolean[] = new Array(operands.length).fill(false);
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node < 0) {
      order.push(~node);
    } else if (!seen[node]) {
      seen[node] = true;
      if (operands[node]!.length > 0) stack.push(~node, ...operands[node]!.toReversed());
      else order.push(node);
    }
  }
  return order;
}

/**
 * List the edges from the root to the leaves, an operation's slots left to right.
 *
 * Every edge into a node comes before the edges out of it, so a gradient that is added up along the
 * walk is complete before it is passed on.
 */
export function walk(order: readonly number[], operands: readonly (readonly number[])[]): Walk {
  return order
    .toReversed()
    .flatMap((node) => operands[node]!.map((operand, slot) => [node, slot, operand] as const));
}
