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
import type { NonFinite } from "./errors.ts";
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
import { CALLS, NO_GRADIENT, operationOf } from "./operations.ts";
import { checkParameters } from "./request.ts";
import type { Request } from "./request.ts";
import { Cells, OutsideDomain } from "./rows.ts";
import type { LocalGrads, Methods, Operation } from "./rows.ts";

/** The calls of the operations' table as methods: `x.tanh()`. */
export interface Value extends Methods<typeof CALLS, Value> {}

/** A scalar that remembers how it was computed. */
export class Value {
  data: number;
  grad = 0;
  label: string;
  // Fields, as in Python: rows of operands and of local gradients would be two more objects. A leaf
  // has null in all of them.
  _operation: Operation | null = null;
  _left: Value | null = null;
  _left_grad: number | null = null;
  _right: Value | null = null;
  /** Null where there is one operand, too, and for an exponent, which gets no gradient. */
  _right_grad: number | null = null;
  /** The last walk that came here. A set, as in Python, takes as long as all else of both passes. */
  _walk = 0;

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
    return binary(ADD, this, other);
  }

  sub(other: Value | number): Value {
    return binary(SUB, this, other);
  }

  mul(other: Value | number): Value {
    return binary(MUL, this, other);
  }

  div(other: Value | number): Value {
    return binary(DIV, this, other);
  }

  /** Raise to a constant power. */
  pow(exponent: number): Value {
    if ((exponent as unknown) instanceof Value) throw exponentNotLiteral();
    return binary(POW, this, exponent);
  }

  neg(): Value {
    return unary(NEG, this);
  }

  /** Add d this / d node to the grad of every node that this depends on. */
  backward(): void {
    this.grad = 1;
    const order = orderOf(this);
    for (const node of order) checkGrad(node);
    for (let place = order.length - 1; place >= 0; place--) passOn(order[place]!);
  }

  // What readers of micrograd look at: its names and meanings.

  get _op(): string {
    return this._operation === null ? "" : this._operation.symbol;
  }

  /** The operands, left to right. */
  get _children(): readonly Value[] {
    return operandsOf(this._left, this._right);
  }

  /** A local gradient for each operand, null for an exponent. */
  get _local_grads(): LocalGrads {
    return [this._left_grad, this._right_grad].slice(0, this._children.length);
  }

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

const ADD = operationOf("+");
const SUB = operationOf("-");
const MUL = operationOf("*");
const DIV = operationOf("/");
const POW = operationOf(NO_GRADIENT.symbol);
const NEG = operationOf("neg");

/** The one row that all operations write to; what they put there is taken at once. */
const CELLS = new Cells([0, 0, 0]);

for (const name of Object.keys(CALLS)) {
  const operation = operationOf(name);
  const taken = operation.arity - 1;
  Object.defineProperty(Value.prototype, name, {
    value(this: Value, other: Value | number): Value {
      if (arguments.length !== taken) throw wrongCount(name, taken, arguments.length);
      return taken === 0 ? unary(operation, this) : binary(operation, this, other);
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
      nodes.set(value, graph.addVariable(value.label, null));
      leaves.set(value.label, checkedData(value.data, value.label));
    }
  }
  return { graph, leaves };
}

let walks = 0;

/**
 * Put the Values in order as `topologicalOrder` does, without numbering them first.
 *
 * An operation waits on the stack, followed by null, below its operands until they are listed.
 */
function orderOf(root: Value): Value[] {
  const walk = ++walks;
  const order: Value[] = [];
  const stack: (Value | null)[] = [root];
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

/** Add a node's contributions to the grads of its operands, slots left to right. */
function passOn(node: Value): void {
  const { grad, _left: left, _right: right, _right_grad: rightGrad } = node;
  if (left === null) return;
  left.grad += grad * node._left_grad!;
  if (!Number.isFinite(left.grad)) throw nonFiniteGrad(node, 0);
  if (right === null || rightGrad === null) return;
  right.grad += grad * rightGrad;
  if (!Number.isFinite(right.grad)) throw nonFiniteGrad(node, 1);
}

function nonFiniteGrad(node: Value, slot: number): NonFinite {
  const localGrad = node._local_grads[slot]!;
  return nonFinite(stageOf(localGrad, node.grad * localGrad), node._op, node._children, slot);
}

/** Compute an operation now and remember its operands and local gradients. */
function binary(operation: Operation, left: Value, other: Value | number): Value {
  return made(operation, left, other instanceof Value ? other : new Value(other));
}

/** Do the same for one operand. */
function unary(operation: Operation, x: Value): Value {
  return made(operation, x, null);
}

/** Make what an operation gives. */
function made(operation: Operation, left: Value, right: Value | null): Value {
  if (!Number.isFinite(left.data)) checkOperand(operation.symbol, operandsOf(left, right), 0);
  CELLS.data[1] = left.data;
  if (right !== null) {
    if (!Number.isFinite(right.data)) checkOperand(operation.symbol, operandsOf(left, right), 1);
    CELLS.data[2] = right.data;
  }
  try {
    operation.write(CELLS, 0, 1, 2);
  } catch (reason) {
    if (!(reason instanceof OutsideDomain)) throw reason;
    throw domainError(reason.message, operation.symbol, operandsOf(left, right));
  }
  const data = CELLS.at(0);
  if (!Number.isFinite(data)) throw nonFinite("data", operation.symbol, operandsOf(left, right));
  const value = new Value(data);
  value._operation = operation;
  value._left = left;
  value._left_grad = CELLS.lefts[0]!;
  value._right = right;
  value._right_grad = right === null || operation === POW ? null : CELLS.rights[0]!;
  return value;
}

function operandsOf(left: Value | null, right: Value | null): readonly Value[] {
  return [left, right].filter((operand) => operand !== null);
}
