/** Graph -> topological order: every operand before the operations that use it. */

/**
 * List what the root depends on, depth first, operands left to right, each node once.
 *
 * The order equals the recursive lesson's `build_topo`, on a stack of its own: a chain of any
 * length is only a longer list. An operation waits on the stack, as ~node, below its operands
 * until they are listed: for `a * b` the stack goes  *  |  ~* b a  |  ~* b  |  ~*.
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
