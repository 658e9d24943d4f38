/** Root of a graph of Values -> topological order, columns, document. */

import type { GradientDocument } from "./document.ts";
import { DuplicateName } from "./errors.ts";
import { Graph } from "./graph.ts";
import { differentiate, prepareGraph } from "./introspect.ts";
import type { Options, Prepared } from "./introspect.ts";
import { checkLimits, DEFAULT_LIMITS } from "./limits.ts";
import type { Limits } from "./limits.ts";
import { checkedData } from "./operands.ts";
import type { Operation } from "./operations.ts";
import { checkParameters } from "./request.ts";
import type { GradientRequest } from "./request.ts";

/** The parts of a Value that make its graph. */
interface ValueNode<Node> {
  readonly data: number;
  readonly label: string;
  readonly _operation: Operation | null;
  readonly _left: Node | null;
  readonly _right: Node | null;
  readonly _children: readonly Node[];
  /**
   * The last walk that visited this node. A set, as in Python, would double the time of both
   * passes.
   */
  _walk: number;
}

let walks = 0;

/**
 * List the Values below `root` in the order of `order.ts`, which needs numbered nodes.
 *
 * An operation waits on the stack, followed by null, below its operands until they are listed.
 */
export function topologicalOrder<Node extends ValueNode<Node>>(root: Node): Node[] {
  const walk = ++walks;
  const order: Node[] = [];
  const stack: (Node | null)[] = [root];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (value === null) {
      order.push(stack.pop()!);
    } else if (value._walk !== walk) {
      value._walk = walk;
      if (value._left === null) order.push(value);
      else if (value._right === null) stack.push(value, null, value._left);
      else stack.push(value, null, value._right, value._left);
    }
  }
  return order;
}

/** The options of a graph of Values, which has no view. */
export type ValueOptions = Pick<Options, "parameters" | "limits" | "deadline">;

/** Compute the document of a graph of Values, as `introspectValue` describes. */
export function differentiateValues<Node extends ValueNode<Node>>(
  root: Node,
  options: ValueOptions = {},
): GradientDocument {
  const { prepared, request } = prepareValue(root, options.parameters, options.limits);
  return { ...differentiate(prepared, request, options.deadline), expression: null };
}

/** Prepare a graph of Values for its passes; the request's `expression` is empty. */
export function prepareValue<Node extends ValueNode<Node>>(
  root: Node,
  named: readonly string[] = [], // null is not an omitted array
  given: Partial<Limits> = {},
): { readonly prepared: Prepared; readonly request: GradientRequest } {
  const limits = checkLimits(given);
  const parameters = checkParameters(named, limits);
  const { graph, leaves } = valueGraph(root, limits);
  const prepared = prepareGraph(graph, [...graph.operations.keys()]);
  return { prepared, request: { expression: "", values: leaves, parameters, view: "folded" } };
}

/**
 * Return the graph as columns in topological order, and the data of labelled leaves by label.
 *
 * @throws {DuplicateName} two leaves have one label
 * @throws {GradientError} the graph exceeds a limit, or data is not finite
 */
export function valueGraph<Node extends ValueNode<Node>>(
  root: Node,
  limits: Limits = DEFAULT_LIMITS,
): { graph: Graph; leaves: Map<string, number> } {
  const graph = new Graph(limits);
  const nodes = new Map<Node, number>();
  const leaves = new Map<string, number>();
  for (const value of topologicalOrder(root)) {
    if (value._operation !== null) {
      const operands = value._children.map((child) => nodes.get(child)!);
      const node = graph.addOperation(value._operation, operands, null);
      nodes.set(value, node);
      graph.labels[node] = value.label || null;
    } else if (!value.label) {
      nodes.set(value, graph.addConstant(checkedData(value.data, ""), null));
    } else if (leaves.has(value.label)) {
      const message = `two leaves are labelled \`${value.label}\`; give each its own label`;
      throw new DuplicateName(message, null, { name: value.label });
    } else {
      leaves.set(value.label, checkedData(value.data, value.label));
      nodes.set(value, graph.addVariable(value.label, null));
    }
  }
  return { graph, leaves };
}
