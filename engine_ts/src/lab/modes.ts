/**
 * Document -> its gradients by forward mode, and how far each mode can be from the truth.
 *
 * An error made at a node reaches the root multiplied by at most the node's magnitude, the sum over
 * all paths from the root to it of |product|. So one pass from the root serves the bounds of all
 * variables, and forward mode itself carries tangents alone.
 */

import type { Document } from "../document.ts";
import type { Computed, Program } from "./program.ts";
import { localBounds, rounding, SAFE, TINY, U } from "./roundings.ts";

/**
 * An operation, its operands and their local gradients. Where it has no such operand, this is the
 * node after the last one, whose tangent stays 0.
 */
interface Push {
  readonly node: number;
  readonly left: number;
  readonly local: number;
  readonly right: number;
  readonly other: number;
}

/** What every pass needs, made once for all of them. */
export interface ForwardMode {
  readonly root: number;
  readonly pushes: readonly Push[];
  /** For each node: what uses its tangent t puts the root off by at most relative |t| + absolute. */
  readonly relative: Float64Array;
  readonly absolute: Float64Array;
}

/** The root's derivative in the direction of a variable. */
export interface Tangent {
  readonly value: number;
  /** How far it can be from the true derivative. */
  readonly bound: number;
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

/** Sum |product| over all paths from the root to each node: the scale of cancellation. */
export function magnitudes({ nodes, edges, root }: Document): number[] {
  const sums = nodes.map(() => 0);
  sums[root] = 1;
  for (const { from, to, local_grad: local } of edges.toReversed()) {
    if (local !== null && local !== 0) sums[from]! += Math.abs(local) * sums[to]!;
  }
  return sums;
}

/**
 * Take from the document what the passes need.
 *
 * @param errors of the local gradients, by node and slot
 * @param scales the magnitudes of the nodes
 */
export function prepareForward(
  document: Document,
  errors: readonly number[][],
  scales: readonly number[],
): ForwardMode {
  const absent = document.nodes.length;
  const pushes = new Map<number, Push>();
  for (const { from: start, to, local_grad: local } of document.edges) {
    if (local === null) continue;
    const first = pushes.get(to);
    pushes.set(
      to,
      first === undefined
        ? { node: to, left: start, local, right: absent, other: 0 }
        : { ...first, right: start, other: local },
    );
  }
  return {
    root: document.root,
    pushes: [...pushes.values()],
    ...roundings(document, errors, scales),
  };
}

function roundings(
  { nodes, edges }: Document,
  errors: readonly number[][],
  scales: readonly number[],
): Pick<ForwardMode, "relative" | "absolute"> {
  const relative = new Float64Array(nodes.length + 1);
  const absolute = new Float64Array(nodes.length + 1);
  for (const { id, operation } of nodes) relative[id] = operation === null ? 0 : scales[id]! * U;
  for (const { from: start, to, slot, local_grad: local } of edges) {
    if (local === null) continue;
    // The unit of a subnormal number is TINY. A product with an exact 0 is exact.
    const error = errors[to]![slot]! + (local === 0 ? 0 : Math.abs(local) * U + TINY);
    if (error === 0) continue;
    relative[start]! += scaled(error, scales[to]!) + TINY;
    absolute[start]! += 2 * TINY * scales[to]! + TINY;
  }
  return { relative, absolute };
}

/** Push the tangent 1 of a variable to the root: one forward pass (CONTRACT.md R38). */
export function forwardMode(prepared: ForwardMode, leaf: number): Tangent {
  const { root, pushes, relative, absolute } = prepared;
  const tangents = new Float64Array(relative.length);
  tangents[leaf] = 1;
  for (const { node, left, local, right, other } of pushes) {
    tangents[node] = local * tangents[left]! + other * tangents[right]!;
  }
  let bound = 0;
  for (const [node, tangent] of tangents.entries()) {
    if (tangent !== 0) bound += relative[node]! * Math.abs(tangent) + absolute[node]!;
  }
  return { value: tangents[root]!, bound: SAFE * bound };
}

/** Bound how far the gradient of each node can be from the true derivative. */
export function reverseBounds({ nodes, edges }: Document, errors: readonly number[][]): number[] {
  const bounds = nodes.map(() => 0);
  for (const edge of edges.toReversed()) {
    const { from: start, to, slot, local_grad: local } = edge;
    if (local === null) continue;
    const error = scaled(errors[to]![slot]!, edge.incoming_grad);
    const carried = scaled(bounds[to]!, local) + error;
    bounds[start]! += carried + rounding(edge.contribution ?? 0) + rounding(edge.running_grad ?? 0);
  }
  return bounds.map((bound) => SAFE * bound);
}

function scaled(error: number, factor: number): number {
  return error !== 0 && factor !== 0 ? error * Math.abs(factor) : 0;
}
