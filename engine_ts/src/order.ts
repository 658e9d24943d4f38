/** Graph -> topological order: every operand before the operations that use it. */

/**
 * List what the root depends on, depth first, operands left to right, each node once.
 *
 * The order equals the recursive lesson's `build_topo`, on a stack of its own: a chain of any
 * length is only a longer list. A node is taken from the stack twice, first to put its operands
 * above it, then, when they are done, to be listed.
 */
export function topologicalOrder<Node>(
  root: Node,
  operandsOf: (node: Node) => readonly Node[],
): Node[] {
  const order: Node[] = [];
  const seen = new Set<Node>();
  const stack: [node: Node, operandsDone: boolean][] = [[root, false]];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [node, operandsDone] = top;
    if (operandsDone) {
      order.push(node);
    } else if (!seen.has(node)) {
      seen.add(node);
      stack.push([node, true]);
      for (const operand of operandsOf(node).toReversed()) stack.push([operand, false]);
    }
  }
  return order;
}
