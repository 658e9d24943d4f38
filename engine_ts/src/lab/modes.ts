/** Document -> its gradients by forward mode, and how far each mode can be from the truth. */

import type { Document } from "../document.ts";
import type { Computed, Program } from "./program.ts";
import { localBounds, rounding, SAFE } from "./roundings.ts";

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

/**
 * Push the tangent 1 of a variable to the root: one forward pass (CONTRACT.md R38).
 *
 * Edges are sorted by operation and slot, so a tangent is complete before it is used.
 */
export function forwardMode(
  { nodes, edges, root }: Document,
  leaf: number,
  errors: readonly number[][],
): Tangent {
  const tangents = nodes.map(() => 0);
  const bounds = nodes.map(() => 0);
  const magnitudes = nodes.map(() => 0);
  const reached = nodes.map(() => false);
  tangents[leaf] = magnitudes[leaf] = 1;
  reached[leaf] = true;
  for (const { from: start, to, slot, local_grad: local } of edges) {
    if (local === null || !reached[start]) continue;
    reached[to] = true;
    const product = local * tangents[start]!;
    tangents[to]! += product;
    const carried = Math.abs(local) * bounds[start]! + scaled(errors[to]![slot]!, tangents[start]!);
    bounds[to]! += carried + rounding(product) + rounding(tangents[to]!);
    magnitudes[to]! += Math.abs(local) * magnitudes[start]!;
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
