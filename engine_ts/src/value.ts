/**
 * Value: the lessons' object, on the same operations table.
 *
 *     const a = new Value(2, "a");
 *     const b = new Value(-3, "b");
 *     const c = a.mul(b).add(a);
 *     c.backward();
 *     a.grad; // -2: 1 through the sum and -3 through the product
 *
 * For a custom operation, the caller computes data and local gradients:
 *
 *     new Value(Math.asinh(a.data), [a], [1 / Math.hypot(1, a.data)], "asinh");
 *
 * As in the lessons, gradients accumulate: set `grad` to 0 before the next `backward()`. A second
 * pass without that adds stale inner gradients, too, so it does more than double the leaves'
 * gradients.
 */

import {
  CALLS,
  Cells,
  CUSTOM,
  customRow,
  NO_GRADIENT,
  operationOf,
  OPERATIONS,
  OutsideDomain,
} from "./operations.ts";
import type { LocalGrads, Methods, Operation } from "./operations.ts";
import {
  checkedData,
  checkGrad,
  domainError,
  exponentNotLiteral,
  fixedStep,
  infiniteData,
  nonFinite,
  nonFiniteGrad,
  noValue,
  wrongCount,
} from "./operands.ts";
import { topologicalOrder } from "./value_graph.ts";

/** The calls of the operations' table as methods: `x.tanh()`. */
export interface Value extends Methods<typeof CALLS, Value> {}

/**
 * A scalar that remembers how it was computed.
 *
 * A result has the class of its operands; that class's constructor is not called.
 */
export class Value {
  _data: number;
  grad = 0;
  label: string;
  // Fields, as in Python: rows of operands and of local gradients would be two more objects. A leaf
  // has null in all of them.
  _operation: Operation | null = null;
  _left: Value | null = null;
  _left_grad: number | null = null;
  _right: Value | null = null;
  /** Null if there is one operand, too, and for an exponent, which gets no gradient. */
  _right_grad: number | null = null;
  /** The last walk that visited this node, see `topologicalOrder`. */
  _walk = 0;

  /**
   * Make a leaf, or the result of an operation.
   *
   * A leaf with a label is a variable, one without is a constant. One or two children with a local
   * gradient each make an operation of the caller's own, under any name that is not in the table. An
   * operation of the table, as in `new Value(data, [a, b], "+")`, has its own local gradients. The
   * data is stored as given.
   *
   * @throws {GradientError} the data or a local gradient is not a finite number
   * @throws {TypeError} the arguments have none of these forms
   */
  constructor(data: number, label?: string);
  constructor(
    data: number,
    children: readonly Value[],
    localGrads: readonly number[],
    name?: string,
    label?: string,
  );
  constructor(data: number, children: readonly Value[], operation?: string, label?: string);
  constructor(
    data: number,
    children: string | readonly Value[] = "",
    localGrads?: string | readonly number[],
    name?: string,
    label = "",
  ) {
    if (typeof children === "string" && localGrads === undefined) {
      this._data = checkedData(data, children);
      this.label = children;
    } else {
      // micrograd's third argument is the operation, its fourth the label.
      const isNamed = typeof localGrads === "string";
      this.label = isNamed ? (name ?? "") : label;
      if (typeof this.label !== "string") throw noValue();
      this._data = checkedData(data, this.label);
      if (isNamed) rememberAsGiven(this, children, [], localGrads);
      else rememberAsGiven(this, children, localGrads ?? [], name ?? "");
    }
  }

  /** The number. It may be set to any number; operations refuse infinity and NaN. */
  get data(): number {
    return this._data;
  }

  set data(number: number) {
    this._data = typeof number === "number" ? number : checkedData(number, this.label);
  }

  /** Show data and gradient, and the label if there is one. */
  toString(): string {
    const label = this.label ? `, label=${JSON.stringify(this.label)}` : "";
    return `Value(data=${this.data}, grad=${this.grad}${label})`;
  }

  /** Return the text for a template. Throws TypeError if an operator asks for a number. */
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
    const order = topologicalOrder<Value>(this);
    this.grad = 1;
    for (const node of order) checkGrad(node);
    for (let place = order.length - 1; place >= 0; place--) sendGradients(order[place]!);
  }

  // The names that readers of micrograd know.

  get _op(): string {
    if (this._operation === null) return "";
    const { symbol, name } = this._operation;
    return symbol === CUSTOM ? name : symbol;
  }

  /** The operands, left to right. */
  get _children(): readonly Value[] {
    return operandsOf(this._left, this._right);
  }

  /** A local gradient for each operand, null for an exponent. */
  get _local_grads(): LocalGrads {
    return [this._left_grad, this._right_grad].slice(0, this._children.length);
  }

  /** The operands, including an exponent; one that is used twice occurs once. */
  get _prev(): Set<Value> {
    return new Set(this._children);
  }

  /** Add this node's contributions to its operands' grads. */
  get _backward(): () => void {
    return () => {
      for (const node of [this, ...this._children]) checkGrad(node);
      sendGradients(this);
    };
  }

  set _backward(_step: never) {
    throw fixedStep();
  }
}

// An operation is computed at once, and remembered with its operands and local gradients.

const ADD = operationOf("+");
const SUB = operationOf("-");
const MUL = operationOf("*");
const DIV = operationOf("/");
const POW = operationOf(NO_GRADIENT.symbol);
const NEG = operationOf("neg");

/** The row that all operations write to; each reads it at once. */
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

function unary(operation: Operation, x: Value): Value {
  return made(operation, x, null);
}

function binary(operation: Operation, left: Value, other: Value | number): Value {
  if (other instanceof Value) return made(operation, left, other);
  const leaf = new Value(other);
  if (left.constructor !== Value) adopt(leaf, left, null);
  return made(operation, left, leaf);
}

function made(operation: Operation, left: Value, right: Value | null): Value {
  const x = left._data;
  const y = right === null ? 0 : right._data;
  if (!Number.isFinite(x)) throw infiniteData(operation.symbol, operandsOf(left, right), 0);
  if (!Number.isFinite(y)) throw infiniteData(operation.symbol, operandsOf(left, right), 1);
  CELLS.data[1] = x;
  CELLS.data[2] = y;
  try {
    operation.write(CELLS, 0, 1, 2);
  } catch (reason) {
    if (!(reason instanceof OutsideDomain)) throw reason;
    throw domainError(reason.message, operation.symbol, operandsOf(left, right));
  }
  const data = CELLS.at(0);
  if (!Number.isFinite(data)) throw nonFinite("data", operation.symbol, operandsOf(left, right));
  const value = new Value(data);
  if (left.constructor !== Value || (right !== null && right.constructor !== Value))
    adopt(value, left, right);
  value._operation = operation;
  value._left = left;
  value._left_grad = CELLS.lefts[0]!;
  value._right = right;
  value._right_grad = right === null || operation === POW ? null : CELLS.rights[0]!;
  return value;
}

/** Give a Value the class of its operands: the second's if that is derived from the first's. */
function adopt(value: Value, left: Value, right: Value | null): void {
  const kind = right instanceof left.constructor ? right! : left;
  Object.setPrototypeOf(value, Object.getPrototypeOf(kind) as object);
}

function operandsOf(left: Value | null, right: Value | null): readonly Value[] {
  return [left, right].filter((operand) => operand !== null);
}

const MAX_OPERANDS = 2;

/** Turn a leaf into the result of an operation, either of the table or the caller's own. */
function rememberAsGiven(
  value: Value,
  children: unknown,
  localGrads: unknown,
  name: unknown,
): void {
  const lists = Array.isArray(children) && Array.isArray(localGrads);
  if (!lists || typeof name !== "string") throw noValue();
  if (children.length === 0 && localGrads.length === 0 && name === "") return;
  const row = OPERATIONS.get(name);
  const expected = row === undefined ? localGrads.length : localGrads.length > 0 ? 0 : row.arity;
  const known = children.every((child) => child instanceof Value);
  const count = children.length;
  if (!known || count < 1 || count > MAX_OPERANDS || count !== expected) throw noValue();
  const [left, right = null] = children as [Value, Value?];
  if (row === undefined) {
    const operands = children.map((child) => child.data);
    const slot = operands.findIndex((each) => !Number.isFinite(each));
    if (slot >= 0) throw infiniteData(CUSTOM, children, slot);
    const doubles = localGrads.map((each) => checkedData(each, value.label, "a local gradient"));
    value._operation = customRow(name || CUSTOM, operands, value.data, doubles);
    [value._left_grad, value._right_grad] = [doubles[0]!, doubles[1] ?? null];
  } else if (row === POW && (right!._operation !== null || right!.label !== "")) {
    throw exponentNotLiteral();
  } else {
    const { _left_grad, _right_grad } = made(row, left, right);
    value._operation = row;
    [value._left_grad, value._right_grad] = [_left_grad, _right_grad];
  }
  [value._left, value._right] = [left, right];
}

// Gradients go from the root to the leaves.

/** Add a node's contributions to the grads of its operands, slots left to right. */
function sendGradients(node: Value): void {
  const { grad, _left: left, _right: right, _right_grad: rightGrad } = node;
  if (left === null) return;
  left.grad += grad * node._left_grad!;
  if (!Number.isFinite(left.grad)) throw nonFiniteGrad(node, 0);
  if (right === null || rightGrad === null) return;
  right.grad += grad * rightGrad;
  if (!Number.isFinite(right.grad)) throw nonFiniteGrad(node, 1);
}
