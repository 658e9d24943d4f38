/** Document -> a program that can be computed at other values, with bounds of the errors. */

import type { Document } from "../document.ts";
import { operationOf } from "../operations.ts";
import { OutsideDomain } from "../rows.ts";
import type { Operation } from "../rows.ts";
import { compute } from "./roundings.ts";
import type { Rounded } from "./roundings.ts";

/** A node: an operation on earlier nodes, or a leaf with its data. */
export interface Step {
  readonly operation: Operation | null;
  readonly operands: number[];
  readonly data: number;
}

export type Program = readonly Step[];

/** All nodes; `sides` is the side of its kink that each operation with one is on: -1, 0 or 1. */
export interface Computed {
  readonly nodes: readonly Rounded[];
  readonly sides: readonly number[];
}

/** The result. */
export function rootOf({ nodes }: Computed): Rounded {
  return nodes.at(-1)!;
}

/** Take the operations of a document, in topological order. */
export function programOf({ nodes, edges }: Document): Program {
  const steps: Step[] = nodes.map(({ operation, data }) => ({
    operation: operation === null ? null : operationOf(operation),
    operands: [],
    data,
  }));
  for (const { from, to } of edges) steps[to]!.operands.push(from);
  return steps;
}

/** Compute all nodes with other data for one leaf; null where a number is no double. */
export function evaluate(program: Program, leaf: number, data: number): Computed | null {
  const nodes: Rounded[] = [];
  const sides: number[] = [];
  for (const [node, step] of program.entries()) {
    if (step.operation === null) {
      nodes.push({ data: node === leaf ? data : step.data, bound: 0 });
      continue;
    }
    const operands = step.operands.map((operand) => nodes[operand]!);
    const out = computeInside(step.operation, operands);
    if (out === null) return null;
    nodes.push(out);
    if (step.operation.kink !== null) {
      const side = step.operation.kink(...operands.map((operand) => operand.data));
      sides.push(side > 0 ? 1 : side < 0 ? -1 : 0);
    }
  }
  return { nodes, sides };
}

function computeInside(operation: Operation, operands: readonly Rounded[]): Rounded | null {
  try {
    const out = compute(operation, operands);
    return Number.isFinite(out.data) && Number.isFinite(out.bound) ? out : null;
  } catch (reason) {
    if (reason instanceof OutsideDomain) return null;
    throw reason;
  }
}
