/** Document -> the layer of each node: variables first, every operation right of its operands. */

import type { Document } from "../document.ts";

/**
 * Give each node's layer, counted from the left; the root is alone in the last one.
 *
 * An operation stands as far left as its operands allow. A constant stands just before the first
 * operation that uses it, for its wire would otherwise run through the whole picture.
 */
export function rank({ nodes, edges }: Document): number[] {
  const layers: number[] = nodes.map(() => 0);
  for (const edge of edges) {
    // Sorted by `to`, so an operand's layer is final.
    layers[edge.to] = Math.max(layers[edge.to]!, layers[edge.from]! + 1);
  }
  const before: number[] = nodes.map(() => layers.at(-1)!);
  for (const edge of edges) {
    before[edge.from] = Math.min(before[edge.from]!, layers[edge.to]! - 1);
  }
  for (const node of nodes) {
    if (node.kind === "constant") layers[node.id] = before[node.id]!;
  }
  return layers;
}
