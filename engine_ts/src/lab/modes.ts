/** Document -> its gradients by forward mode, and how far each mode can be from the truth. */

import type { Document } from "../document.ts";
import type { Computed, Program } from "./program.ts";
import { localBounds, rounding, SAFE } from "./roundings.ts";

/** Where a tangent goes, what it is multiplied by, and how far that is off; by their ids. */
type Edges = readonly {
  readonly from: number;
  readonly to: number;
  readonly local: number;
  readonly size: number;
  readonly error: number;
}[];

/** The root's derivative in the direction of a variable. */
export interface Tangent {
  readonly value: number;
  /** How far it can be from the true derivative. */
  readonly bound: number;
  /** The sum over all paths of |product|: the scale on which cancellation is judged. */
  readonly magnitude: number;
}

/** Bound the errors of all local gradients, by node and slot. */
export function boundsOfLocalGrads(program: Program, computed: Computed | null): number[][] {
  if (computed === null) return program.map((step) => step.operands.map(() => Infinity));
  const { nodes } = computed;
  return program.map(({ operation, operands }, node) =>
    operation === null
      ? []
      : localBounds(
          operation,
          nodes[node]!,
          operands.map((operand) => nodes[operand]!),
        ),
  );
}

/** Take from the document what every pass of forward mode needs, once for all of them. */
export function differentiableEdges({ edges }: Document, errors: readonly number[][]): Edges {
  return edges.flatMap(({ from, to, slot, local_grad: local }) =>
    local === null ? [] : [{ from, to, local, size: Math.abs(local), error: errors[to]![slot]! }],
  );
}

/**
 * Push the tangent 1 of a variable to the root: one forward pass (CONTRACT.md R38).
 *
 * Edges are sorted by operation and slot, so a tangent is complete before it is used.
 */
export function forwardMode({ nodes, root }: Document, leaf: number, edges: Edges): Tangent {
  const tangents: number[] = new Array(nodes.length).fill(0);
  const bounds = [...tangents];
  const magnitudes = [...tangents];
  const reached: boolean[] = new Array(nodes.length).fill(false);
  tangents[leaf] = magnitudes[leaf] = 1;
  reached[leaf] = true;
  for (const { from: start, to, local, size, error } of edges) {
    if (!reached[start]) continue;
    reached[to] = true;
    const tangent = tangents[start]!;
    const product = local * tangent;
    tangents[to]! += product;
    const carried = size * bounds[start]! + scaled(error, tangent);
    bounds[to]! += carried + rounding(product) + rounding(tangents[to]!);
    magnitudes[to]! += size * magnitudes[start]!;
  }
  return { value: tangents[root]!, bound: SAFE * bounds[root]!, magnitude: magnitudes[root]! };
}

/** Bound how far the gradient of each node can be from the true derivative. */
export function reverseBounds({ nodes, edges }: Document, errors: readonly number[][]): number[] {
  const bounds = nodes.map(() => 0);
  for (const edge of edges.toReversed()) {
    const { from: start, to, slot, local_grad: local } = edge;
    if (local === null) continue;
    const error = scaled(errors[to]![slot]!, edge.incoming_grad);
    const carried = Math.abs(local) * bounds[to]! + error;
    bounds[start]! += carried + rounding(edge.contribution ?? 0) + rounding(edge.running_grad ?? 0);
  }
  return bounds.map((bound) => SAFE * bound);
}

function scaled(error: number, factor: number): number {
  return error !== 0 && factor !== 0 ? error * Math.abs(factor) : 0;
}
