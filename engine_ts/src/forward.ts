/** Steps + values -> data and local gradients, leaves to root. */

import { DomainError, NonFinite } from "./errors.ts";
import type { Graph } from "./graph.ts";
import type { Step } from "./order.ts";
import { OutsideDomain } from "./rows.ts";

/**
 * data, and the local gradients of the left and of the right operand, each indexed by node. What an
 * operation does not have is 0, and so is the local gradient of an exponent.
 */
export type Forward = readonly [data: Float64Array, lefts: Float64Array, rights: Float64Array];

/**
 * Compute each operation once, after its operands.
 *
 * What is not finite is found once all are computed, and looked for then: a sum is finite only
 * where all its terms are.
 */
export function forward(
  graph: Graph,
  order: readonly number[],
  steps: readonly Step[],
  values: ReadonlyMap<string, number>,
): Forward {
  const data = new Float64Array(graph.literals);
  for (const [name, node] of graph.variables) data[node] = values.get(name)!;
  const lefts = new Float64Array(data.length);
  const rights = new Float64Array(data.length);
  try {
    for (let place = 0; place < steps.length; place++) {
      const { node, rule, left, right } = steps[place]!;
      const computed = right === null ? rule(data[left]!) : rule(data[left]!, data[right]!);
      data[node] = computed[0];
      lefts[node] = computed[1]!;
      if (right !== null) rights[node] = computed[2] ?? 0;
    }
  } catch (reason) {
    refuseFirstFailure(graph, order, steps, data); // outside the domain, or from infinity or NaN
    throw reason;
  }
  if (!hasFiniteSum(data)) refuseFirstFailure(graph, order, steps, data);
  return [data, lefts, rights];
}

/** Add up a column: the sum is finite only where all its terms are. */
export function hasFiniteSum(column: Float64Array): boolean {
  let sum = 0;
  for (let place = 0; place < column.length; place++) sum += column[place]!;
  return Number.isFinite(sum);
}

/** Explain an error by its node: id, operation and the data of the operands. */
export function atNode(
  graph: Graph,
  order: readonly number[],
  node: number,
  data: ArrayLike<number>,
): { node: number; operation: string | null; operands: number[] } {
  return {
    node: order.indexOf(node),
    operation: graph.operations[node]?.symbol ?? null,
    operands: graph.operands[node]!.map((operand) => data[operand]! + 0),
  };
}

/** Compute the steps again, and throw the error of the first that has no finite result. */
function refuseFirstFailure(
  graph: Graph,
  order: readonly number[],
  steps: readonly Step[],
  data: Float64Array,
): void {
  for (const { node, rule } of steps) {
    const operands = graph.operands[node]!.map((operand) => data[operand]!);
    try {
      data[node] = rule(...operands)[0];
    } catch (reason) {
      if (!(reason instanceof OutsideDomain)) throw reason;
      throw domainError(graph, order, node, data, reason.message);
    }
    if (!Number.isFinite(data[node])) throw nonFinite(graph, order, node, data);
  }
}

function domainError(
  graph: Graph,
  order: readonly number[],
  node: number,
  data: Float64Array,
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
  data: Float64Array,
): NonFinite {
  const where = atNode(graph, order, node, data);
  const message =
    `the result of \`${where.operation}\` at node ${where.node} is too large for a double; ` +
    "use values nearer to 0";
  return new NonFinite(message, graph.spans[node], { stage: "data", ...where, slot: null });
}
