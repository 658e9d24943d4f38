/** Steps + values -> data and local gradients, leaves to root. */

import { Cells, OutsideDomain } from "./operations.ts";
import type { Where } from "./operations.ts";
import { NEVER, NODES_PER_CHECK } from "./deadline.ts";
import type { Deadline } from "./deadline.ts";
import { NonFinite } from "./errors.ts";
import type { Graph } from "./graph.ts";
import type { Step } from "./order.ts";

/**
 * data, and the local gradients of the left and of the right operand, each indexed by node. A
 * missing operand has 0, and so does an exponent; a leaf has no local gradients.
 */
export type Forward = readonly [
  data: readonly number[],
  lefts: readonly number[],
  rights: readonly number[],
];

/**
 * Compute each operation once, after its operands.
 *
 * One sum checks all results at the end, since a finite sum has finite terms; the first failure is
 * looked for only if the sum is not finite.
 */
export function forward(
  graph: Graph,
  order: readonly number[],
  steps: readonly Step[],
  values: ReadonlyMap<string, number>,
  deadline: Deadline = NEVER,
): Forward {
  const data = graph.literals.slice();
  for (const [name, node] of graph.variables) data[node] = values.get(name)!;
  const cells = new Cells(data);
  try {
    for (let place = 0; place < steps.length; place++) {
      if (place % NODES_PER_CHECK === 0 && steps.length > NODES_PER_CHECK) deadline.check();
      const { node, write, left, right } = steps[place]!;
      write(cells, node, left, right ?? left);
    }
  } catch (reason) {
    refuseFirstFailure(graph, order, steps, data, deadline); // outside the domain, or from infinity or NaN
    throw reason;
  }
  if (!hasFiniteSum(data)) refuseFirstFailure(graph, order, steps, data, deadline);
  return [data, cells.lefts, cells.rights];
}

/** Add up a column: the sum is finite only if all its terms are. */
export function hasFiniteSum(column: readonly number[]): boolean {
  let sum = 0;
  for (let place = 0; place < column.length; place++) sum += column[place]!;
  return Number.isFinite(sum);
}

/** Describe the node of an error: id, operation and the data of the operands. */
export function atNode(
  graph: Graph,
  order: readonly number[],
  node: number,
  data: readonly number[],
): Where {
  return {
    node: order.indexOf(node),
    operation: graph.operations[node]?.symbol ?? null,
    operands: graph.operands[node]!.map((operand) => data[operand]! + 0),
  };
}

/** Compute the steps again and throw the error of the first non-finite result. */
function refuseFirstFailure(
  graph: Graph,
  order: readonly number[],
  steps: readonly Step[],
  data: number[],
  deadline: Deadline,
): void {
  for (const { node } of deadline.over(steps, NODES_PER_CHECK)) {
    const operands = graph.operands[node]!.map((operand) => data[operand]!);
    try {
      data[node] = graph.operations[node]!.rule(...operands)[0];
    } catch (reason) {
      if (!(reason instanceof OutsideDomain)) throw reason;
      throw reason.error(graph.spans[node]!, atNode(graph, order, node, data));
    }
    if (!Number.isFinite(data[node])) throw nonFinite(graph, order, node, data);
  }
}

function nonFinite(
  graph: Graph,
  order: readonly number[],
  node: number,
  data: number[],
): NonFinite {
  const where = atNode(graph, order, node, data);
  const { operation, operands } = where;
  const fault = faultOfNumber("data", operation!, operands);
  const message =
    `the result of \`${operation}\` at node ${where.node} ${fault}` + withoutOverflow(graph, node);
  return new NonFinite(message, graph.spans[node], { stage: "data", ...where, slot: null });
}

/** Name the function that computes the result without this exponential, if there is one. */
function withoutOverflow(graph: Graph, node: number): string {
  const user = (symbol: string, of: number): number =>
    graph.operations.findIndex(
      (row, each) => row?.symbol === symbol && graph.operands[each]!.includes(of),
    );

  if (graph.operations[node]?.symbol !== "exp") return "";
  let total = user("+", node);
  if (!graph.operands[total]?.some((each) => graph.literals[each] === 1)) total = -1;
  if (user("log1p", node) >= 0 || user("log", total) >= 0) {
    return ", or `softplus(x)` for `log(1 + exp(x))`";
  }
  return user("/", total) >= 0 ? ", or `sigmoid(x)` for `1 / (1 + exp(-x))`" : "";
}

/** Explain why a number is not finite, and what to do. `operands` are those of the operation. */
export function faultOfNumber(
  stage: string,
  symbol: string,
  operands: readonly (number | null)[],
): string {
  const steep = operands.at(symbol === "/" ? -1 : 0)!;
  const tooLarge = "is too large for a double; use values";
  if (steep === null || Math.abs(steep) >= 1 || !["data", "local_grad"].includes(stage))
    return `${tooLarge} nearer to 0`;
  if (steep !== 0) return `${tooLarge} further from 0`;
  const form = symbol === "**" ? "`x ** c` with c < 1" : `\`${symbol}\``;
  return `is infinite: ${form} has no finite slope at 0; use a value above 0`;
}
