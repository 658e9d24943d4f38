/** Graph + values -> data and local gradients, leaves to root. */

import { DomainError, NonFinite } from "./errors.ts";
import type { ErrorData } from "./errors.ts";
import type { Graph } from "./graph.ts";
import { OutsideDomain } from "./operations.ts";
import type { LocalGrads } from "./operations.ts";

/** Columns indexed by node. */
export interface Forward {
  readonly data: readonly number[];
  /** One for each operand slot; empty for a leaf. */
  readonly localGrads: readonly LocalGrads[];
}

/** Compute each node once, after its operands. */
export function forward(
  graph: Graph,
  order: readonly number[],
  values: ReadonlyMap<string, number>,
): Forward {
  const data = leafData(graph, order, values);
  const localGrads: LocalGrads[] = new Array(data.length).fill([]);
  for (const node of order) {
    const operation = graph.operations[node] ?? null;
    if (operation === null) continue;
    let out: number;
    try {
      const operands = graph.operands[node]!.map((operand) => data[operand]!);
      [out, localGrads[node]] = operation.rule(...operands);
    } catch (reason) {
      if (!(reason instanceof OutsideDomain)) throw reason;
      throw new DomainError(
        `${reason.message}, at node ${order.indexOf(node)} (\`${operation.symbol}\`)`,
        graph.spans[node],
        atNode(graph, order, node, data),
      );
    }
    if (!Number.isFinite(out)) {
      const where = atNode(graph, order, node, data);
      throw new NonFinite(
        `the result of \`${operation.symbol}\` is too large for a double`,
        graph.spans[node],
        { stage: "data", ...where, slot: null },
      );
    }
    data[node] = out;
  }
  return { data, localGrads };
}

/** Explain an error by its node: id, operation and the data of the operands. */
export function atNode(
  graph: Graph,
  order: readonly number[],
  node: number,
  data: readonly number[],
): ErrorData {
  return {
    node: order.indexOf(node),
    operation: graph.operations[node]?.symbol ?? null,
    operands: graph.operands[node]!.map((operand) => data[operand]! + 0),
  };
}

/** Start the data column: constants as written, variables from the request, 0 elsewhere. */
function leafData(
  graph: Graph,
  order: readonly number[],
  values: ReadonlyMap<string, number>,
): number[] {
  const data: number[] = new Array(graph.operations.length).fill(0);
  for (const node of order) {
    const literal = graph.literals[node] ?? null;
    if (literal !== null) data[node] = literal;
    else if (graph.operations[node] === null) data[node] = values.get(graph.labels[node]!)!;
  }
  return data;
}
