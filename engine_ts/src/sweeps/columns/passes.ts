/**
 * Graph + order + columns of values -> results and gradients at many points, as columns.
 *
 * Forward and backward do for each operation at once what `forward` and `backward` do at one point,
 * in the same order, so that every element has the same bits. An element that an operation makes
 * infinite or NaN marks its point as suspect: the point is then computed by itself, which tells what
 * is wrong.
 */

import type { Graph } from "../../graph.ts";
import { columnRule } from "./rules.ts";
import type { Column, ColumnRule } from "./rules.ts";

/** An operation of the graph with its columns. */
interface ColumnStep {
  readonly rule: ColumnRule;
  readonly out: Column;
  readonly grad: Column;
  readonly operands: readonly Column[];
  readonly localGrads: readonly Column[];
  /** Of the operands. Into an exponent flows 0, which no one reads. */
  readonly grads: readonly Column[];
}

/** The columns of a program, which one block of points after the other is computed in. */
export interface Workspace {
  readonly size: number;
  readonly variables: readonly number[];
  /** By node. */
  readonly data: ReadonlyMap<number, Column>;
  readonly grads: ReadonlyMap<number, Column>;
  readonly steps: readonly ColumnStep[];
  /** 1 at points that are suspect. */
  readonly suspect: Uint8Array;
}

/** Make room for so many points, and write the constants. */
export function makeWorkspace(graph: Graph, order: readonly number[], size: number): Workspace {
  const columns = () => new Map(order.map((node) => [node, new Float64Array(size)]));
  const [data, grads] = [columns(), columns()];
  const steps: ColumnStep[] = [];
  for (const node of order) {
    const operation = graph.operations[node] ?? null;
    data.get(node)!.fill(graph.literals[node]!);
    if (operation === null) continue;
    const operands = graph.operands[node]!;
    steps.push({
      rule: columnRule(operation),
      out: data.get(node)!,
      grad: grads.get(node)!,
      operands: operands.map((operand) => data.get(operand)!),
      localGrads: operands.map(() => new Float64Array(size)),
      grads: operands.map((operand) => grads.get(operand)!),
    });
  }
  const variables = [...graph.variables.values()];
  return { size, variables, data, grads, steps, suspect: new Uint8Array(size) };
}

/**
 * Compute data and gradients of all nodes from the data of the variables, and mark what is suspect.
 *
 * What is added to infinity or NaN stays so down to the leaves, where it is looked for: in the
 * variables, for elsewhere it is no error (CONTRACT.md R5).
 */
export function differentiateColumns({ variables, grads, steps, suspect }: Workspace): void {
  suspect.fill(0);
  for (const { rule, out, operands, localGrads } of steps) {
    rule(out, localGrads, operands[0]!, operands[1] ?? operands[0]!);
    mark(suspect, out);
  }
  for (const column of grads.values()) column.fill(0);
  [...grads.values()].at(-1)!.fill(1);
  for (const step of steps.toReversed()) {
    for (const [slot, column] of step.grads.entries()) {
      addProducts(column, step.grad, step.localGrads[slot]!);
    }
  }
  for (const node of variables) mark(suspect, grads.get(node)!);
}

/** Write the numbers at the points from `first` on of an axis that changes every `stride` points. */
export function fillColumn(
  out: Column,
  numbers: ArrayLike<number>,
  stride: number,
  first: number,
): void {
  const { length } = numbers;
  let place = ((first - (first % stride)) / stride) % length;
  let left = stride - (first % stride);
  for (let i = 0; i < out.length; i++) {
    out[i] = numbers[place]!;
    left -= 1;
    if (left > 0) continue;
    left = stride;
    place = place + 1 < length ? place + 1 : 0;
  }
}

function addProducts(sums: Column, left: Column, right: Column): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += left[i]! * right[i]!;
}

function mark(suspect: Uint8Array, column: Column): void {
  for (let i = 0; i < column.length; i++) if (column[i]! - column[i]! !== 0) suspect[i] = 1;
}
