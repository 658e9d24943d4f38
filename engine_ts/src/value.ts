/**
 * Value: the lessons' object, on the same operations table.
 *
 *     const a = new Value(2, "a");
 *     const b = new Value(-3, "b");
 *     const c = a.mul(b).add(a);
 *     c.backward();
 *     a.grad; // -2: 1 by the sum and -3 by the product
 *
 * As in the lessons, gradients accumulate: set `grad` to 0 before the next `backward()`. A second
 * pass without that adds stale inner gradients, too, so it does more than double the leaves'
 * gradients.
 */

import { stageOf } from "./backward.ts";
import type { Document } from "./document.ts";
import { DuplicateName } from "./errors.ts";
import { Graph } from "./graph.ts";
import { differentiate, prepareGraph } from "./introspect.ts";
import { checkLimits, DEFAULT_LIMITS } from "./limits.ts";
import type { Limits } from "./limits.ts";
import {
  checkedData,
  checkGrad,
  checkOperand,
  domainError,
  exponentNotLiteral,
  nonFinite,
} from "./operands.ts";
import { CALLS, operationOf } from "./operations.ts";
import { topologicalOrder } from "./order.ts";
import { checkParameters } from "./request.ts";
import type { Request } from "./request.ts";
import { OutsideDomain } from "./rows.ts";
import type { Computed, LocalGrads, Methods } from "./rows.ts";

/** The calls of the operations' table as methods: `x.tanh()`. */
export interface Value extends Methods<typeof CALLS, Value> {}

/** A scalar that remembers how it was computed. */
export class Value {
  data: number;
  grad = 0;
  label: string;
  _children: readonly Value[] = [];
  _local_grads: LocalGrads = [];
  _op = "";

  /** Make a leaf. A leaf with a label is a variable, one without is a constant. */
  constructor(data: number, label = "") {
    this.data = checkedData(data, label);
    this.label = label;
  }

  /** Show data and gradient, and the label where there is one. */
  toString(): string {
    const label = this.label ? `, label=${JSON.stringify(this.label)}` : "";
    return `Value(data=${this.data}, grad=${this.grad}${label})`;
  }

  add(other: Value | number): Value {
    return apply("+", this, other);
  }

  sub(other: Value | number): Value {
    return apply("-", this, other);
  }

  mul(other: Value | number): Value {
    return apply("*", this, other);
  }

  div(other: Value | number): Value {
    return apply("/", this, other);
  }

  /** Raise to a constant power. */
  pow(exponent: number): Value {
    if ((exponent as unknown) instanceof Value) throw exponentNotLiteral();
    return apply("**", this, exponent);
  }

  neg(): Value {
    return apply("neg", this);
  }

  /** Add d this / d node to the grad of every node that this depends on. */
  backward(): void {
    this.grad = 1;
    const order = orderOf(this);
    for (const node of order) checkGrad(node);
    for (const node of order.reverse()) {
      for (const [slot, child] of node._children.entries()) {
        const localGrad = node._local_grads[slot] ?? null;
        if (localGrad === null) continue; // an exponent gets no gradient
        const contribution = node.grad * localGrad;
        child.grad += contribution;
        if (!Number.isFinite(child.grad)) {
          const stage = stageOf(localGrad, contribution);
          throw nonFinite(stage, node._op, node._children, slot);
        }
      }
    }
  }
}

for (const name of Object.keys(CALLS)) {
  Object.defineProperty(Value.prototype, name, {
    value(this: Value, ...others: (Value | number)[]): Value {
      return apply(name, this, ...others);
    },
  });
}

/**
 * Return the document of a graph of Values, with expression and spans null.
 *
 * Data and gradients are computed anew from the leaves' data; the Values stay as they are.
 *
 * @throws {GradientError} the graph has no answer, or two leaves have one label
 */
export function introspectValue(
  root: Value,
  options: { readonly parameters?: readonly string[]; readonly limits?: Partial<Limits> } = {},
): Document {
  const limits = checkLimits(options.limits);
  const parameters = checkParameters(options.parameters ?? [], limits);
  const { graph, leaves } = valueGraph(root, limits);
  const request: Request = { expression: "", values: leaves, parameters, view: "folded" };
  const prepared = prepareGraph(graph, [...graph.operations.keys()]);
  return { ...differentiate(prepared, request), expression: null };
}

/** Write a graph of Values as columns in topological order; give the labelled leaves' data. */
export function valueGraph(
  root: Value,
  limits: Limits = DEFAULT_LIMITS,
): { graph: Graph; leaves: Map<string, number> } {
  const graph = new Graph(limits);
  const nodes = new Map<Value, number>();
  const leaves = new Map<string, number>();
  for (const value of orderOf(root)) {
    if (value._op) {
      const operands = value._children.map((child) => nodes.get(child)!);
      const node = graph.addOperation(operationOf(value._op), operands, null);
      nodes.set(value, node);
      graph.labels[node] = value.label || null;
    } else if (!value.label) {
      nodes.set(value, graph.addConstant(checkedData(value.data, ""), null));
    } else if (leaves.has(value.label)) {
      const message = `two leaves are labelled \`${value.label}\`; give each its own label`;
      throw new DuplicateName(message, null, { name: value.label });
    } else {
      nodes.set(value, graph.addVariable(value.label, null));
      leaves.set(value.label, checkedData(value.data, value.label));
    }
  }
  return { graph, leaves };
}

/** Number the Values as they are found, and put the numbers in order. */
function orderOf(root: Value): Value[] {
  const found = [root];
  const numbers = new Map([[root, 0]]);
  for (const value of found) {
    // `found` grows while it is read.
    for (const child of value._children) {
      if (numbers.has(child)) continue;
      numbers.set(child, found.length);
      found.push(child);
    }
  }
  const operands = found.map((value) => value._children.map((child) => numbers.get(child)!));
  return topologicalOrder(0, operands).map((number) => found[number]!);
}

/** Compute an operation now and remember its operands and local gradients. */
function apply(symbol: string, ...operands: (Value | number)[]): Value {
  const children = operands.map((operand) =>
    operand instanceof Value ? operand : new Value(operand),
  );
  const [data, localGrads] = evaluate(symbol, children);
  if (!Number.isFinite(data)) throw nonFinite("data", symbol, children);
  const value = new Value(data);
  value._children = children;
  value._local_grads = localGrads;
  value._op = symbol;
  return value;
}

function evaluate(symbol: string, children: readonly Value[]): Computed {
  children.forEach((_, slot) => checkOperand(symbol, children, slot));
  try {
    return operationOf(symbol).rule(...children.map((child) => child.data));
  } catch (reason) {
    if (!(reason instanceof OutsideDomain)) throw reason;
    throw domainError(reason.message, symbol, children);
  }
}
