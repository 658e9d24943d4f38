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
  fixedStep,
  noLeaf,
  nonFinite,
  wrongCount,
} from "./operands.ts";
import { CALLS, operationOf } from "./operations.ts";
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

  /**
   * Make a leaf. A leaf with a label is a variable, one without is a constant.
   *
   * @throws {GradientError} the data is no finite number
   * @throws {TypeError} the label is no text, such as the children that micrograd's Value takes
   */
  constructor(data: number, label = "", ...inner: never[]) {
    if (inner.length > 0 || typeof label !== "string") throw noLeaf();
    this.data = checkedData(data, label);
    this.label = label;
  }

  /** Show data and gradient, and the label where there is one. */
  toString(): string {
    const label = this.label ? `, label=${JSON.stringify(this.label)}` : "";
    return `Value(data=${this.data}, grad=${this.grad}${label})`;
  }

  /** Give the text that a template asks for. Throws TypeError: an operator asks for a number. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === "string") return this.toString();
    throw new TypeError(
      "JavaScript's operators cannot compute with a Value; write `a.add(3)` for `a + 3` and " +
        "`a.mul(3)` for `a * 3`",
    );
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
    for (const node of order.reverse()) passOn(node);
  }

  // What readers of micrograd look at: its names and meanings.

  /** The operands, an exponent among them; one that is used twice is there once. */
  get _prev(): Set<Value> {
    return new Set(this._children);
  }

  /** Add to the operands' grads what this node alone sends them. */
  get _backward(): () => void {
    return () => {
      for (const node of [this, ...this._children]) checkGrad(node);
      passOn(this);
    };
  }

  set _backward(_step: never) {
    throw fixedStep();
  }
}

for (const name of Object.keys(CALLS)) {
  Object.defineProperty(Value.prototype, name, {
    value(this: Value, ...others: (Value | number)[]): Value {
      const taken = operationOf(name).arity - 1;
      if (others.length !== taken) throw wrongCount(name, taken, others.length);
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

/**
 * Put the Values in order as `topologicalOrder` does, without numbering them first.
 *
 * An operation waits on the stack, followed by null, below its operands until they are listed.
 */
function orderOf(root: Value): Value[] {
  const order: Value[] = [];
  const seen = new Set<Value>();
  const stack: (Value | null)[] = [root];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (value === null) {
      order.push(stack.pop()!);
    } else if (!seen.has(value)) {
      seen.add(value);
      if (value._children.length > 0) stack.push(value, null, ...value._children.toReversed());
      else order.push(value);
    }
  }
  return order;
}

/** Add a node's contributions to the grads of its operands, slots left to right. */
function passOn({ grad, _children, _local_grads, _op }: Value): void {
  for (const [slot, localGrad] of _local_grads.entries()) {
    if (localGrad === null) continue; // an exponent gets no gradient
    const contribution = grad * localGrad;
    const child = _children[slot]!;
    child.grad += contribution;
    if (!Number.isFinite(child.grad)) {
      throw nonFinite(stageOf(localGrad, contribution), _op, _children, slot);
    }
  }
}

/** Compute an operation now and remember its operands and local gradients. */
function apply(symbol: string, ...operands: (Value | number)[]): Value {
  const children = operands.map((operand) =>
    operand instanceof Value ? operand : new Value(operand),
  );
  const [data, ...localGrads] = evaluate(symbol, children);
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
