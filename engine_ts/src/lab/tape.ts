/**
 * Document -> tape: its operations in order, for computing them again at other numbers.
 *
 * A tape (a Wengert list) has all that a pass over a program needs: operation, operands and data of
 * each node. It is computed with dual numbers, or as a graph by `forward` and `backward`.
 */

import { CUSTOM, customRow, operationOf } from "../operations.ts";
import type { Operation } from "../operations.ts";
import type { GradientDocument } from "../document.ts";
import type { Span } from "../errors.ts";
import { Graph } from "../graph.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { makeSteps } from "../order.ts";
import type { Step } from "../order.ts";
import type { Edge, Node } from "../template.ts";

/** A node: an operation on earlier nodes, or a leaf with its data. */
interface TapeEntry {
  readonly operation: Operation | null;
  readonly operands: number[];
  readonly data: number;
}

export type Tape = readonly TapeEntry[];

/** Return the operations of a document in topological order. */
export function tapeOf({ nodes, edges }: GradientDocument): Tape {
  const slots: Edge[][] = nodes.map(() => []);
  for (const edge of edges) slots[edge.to]!.push(edge);
  return nodes.map((node, id) => ({
    operation: rowOf(node, slots[id]!, nodes),
    operands: slots[id]!.map(({ from }) => from),
    data: node.data,
  }));
}

/** Return the row of an operation; that of a custom one is made from the document. */
function rowOf(node: Node, edges: readonly Edge[], nodes: readonly Node[]): Operation | null {
  const { operation, name, data } = node;
  if (operation !== CUSTOM) return operation === null ? null : operationOf(operation);
  const operands = edges.map(({ from }) => nodes[from]!.data);
  return customRow(
    name!,
    operands,
    data,
    edges.map((edge) => edge.local_grad),
  );
}

/** A graph whose nodes are the document's ids, with its order and steps. */
export interface Rebuilt {
  readonly graph: Graph;
  readonly order: readonly number[];
  readonly steps: readonly Step[];
}

/** Rebuild a document's graph from its nodes in topological order and their operands. */
export function rebuild(document: GradientDocument): Rebuilt {
  const { nodes, topological_order: order } = document;
  const graph = new Graph({ ...DEFAULT_LIMITS, nodes: nodes.length });
  for (const [id, { operation, operands, data }] of tapeOf(document).entries()) {
    const { kind, label, span: place } = nodes[id]!;
    const span: Span | null = place;
    if (operation !== null) {
      graph.labels[graph.addOperation(operation, operands, span)] = label;
    } else if (kind === "constant" || label === null) {
      graph.labels[graph.addConstant(data, span)] = label;
    } else {
      graph.addVariable(label, span);
    }
  }
  return { graph, order, steps: makeSteps(graph, order) };
}

/**
 * A dual number: the data of an operand or a result, and its derivative along a direction.
 *
 * The tangent is null if the direction does not reach the number, or if there is no direction.
 */
export interface Dual {
  readonly data: number;
  readonly tangent: number | null;
}

export function dual(data: number, tangent: number | null = null): Dual {
  return { data, tangent };
}

/**
 * Apply an operation; its tangent is a sum, slot by slot, of local_grad * tangent.
 *
 * @throws {OutsideDomain} the operation has no value at these operands
 */
export function apply(symbol: string, ...operands: (Dual | number)[]): Dual {
  const duals = operands.map((each) => (typeof each === "number" ? dual(each) : each));
  const [data, ...localGrads] = operationOf(symbol).rule(...duals.map((each) => each.data));
  let tangent: number | null = null;
  for (const [slot, each] of duals.entries()) {
    const local = localGrads[slot] ?? null;
    if (local !== null && each.tangent !== null) tangent = (tangent ?? 0) + local * each.tangent;
  }
  return { data, tangent };
}
