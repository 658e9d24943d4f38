/** Graph + values -> data and local gradients, leaves to root. */

import { DomainError, NonFinite } from "./errors.ts";
import type { Graph } from "./graph.ts";
import { OutsideDomain } from "./rows.ts";
import type { Computed, LocalGrads } from "./rows.ts";

/** data and local_grads, indexed by node; a leaf has no local gradients. */
export type Forward = readonly [data: readonly number[], localGrads: readonly LocalGrads[]];

/** Compute each node once, after its operands. */
export function forward(
  graph: Graph,
  order: readonly number[],
  values: ReadonlyMap<string, number>,
): Forward {
  const data = [...graph.literals];
  for (const [name, node] of graph.variables) data[node] = values.get(name)!;
  const localGrads: LocalGrads[] = new Array(data.length).fill([]);
  const { operations, operands } = graph;
  for (const node of order) {
    const operation = operations[node] ?? null;
    if (operation === null) continue;
    const slots = operands[node]!;
    let computed: Computed;
    try {
      // Writing out the two arities takes a fraction of what a spread call does.
      if (operation.arity === 1) computed = operation.rule(data[slots[0]!]!);
      else computed = operation.rule(data[slots[0]!]!, data[slots[1]!]!);
    } catch (reason) {
      if (!(reason instanceof OutsideDomain)) throw reason;
      throw domainError(graph, order, node, data, reason.message);
    }
    if (!Number.isFinite(computed[0])) throw nonFinite(graph, order, node, data);
    data[node] = computed[0];
    localGrads[node] = computed[1];
  }
  return [data, localGrads];
}

/** Explain an error by its node: id, operation and the data of the operands. */
export function atNode(
  graph: Graph,
  order: readonly number[],
  node: number,
  data: readonly number[],
): { node: number; operation: string | null; operands: number[] } {
  return {
    node: order.indexOf(node),
    operation: graph.operations[node]?.symbol ?? null,
    operands: graph.operands[node]!.map((operand) => data[operand]! + 0),
  };
}

function domainError(
  graph: Graph,
  order: readonly number[],
  node: number,
  data: readonly number[],
  reason: string,
): DomainError {
  const where = atNode(graph, order, node, data);
  const message = `${reason}, at node ${where.node} (\`${where.operation}\`)`;
  return new DomainError(message, graph.spans[node], where);
}

function nonFinite(
  graph: Graph,
  order: readonly number[],
  node: number,
  data: readonly number[],
): NonFinite {
  const where = atNode(graph, order, node, data);
  const message =
    `the result of \`${where.operation}\` at node ${where.node} is too large for a double; ` +
    "use values nearer to 0";
  return new NonFinite(message, graph.spans[node], { stage: "data", ...where, slot: null });
}
