/** Data and grad of Values, which a caller may set -> doubles, or an error naming the operand. */

import { stageOf } from "./backward.ts";
import { DomainError, ExponentNotLiteral, InvalidValue, NonFinite } from "./errors.ts";
import { faultOfNumber } from "./forward.ts";
import type { LocalGrads, Operation } from "./operations.ts";
import { described, isDouble } from "./request.ts";

/** The numbers and the label of a Value. */
interface Operand {
  readonly data: number;
  readonly grad: number;
  readonly label: string;
}

/** A Value that is the result of an operation. */
interface OperationNode extends Operand {
  readonly _operation: Operation | null;
  readonly _children: readonly Operand[];
  readonly _local_grads: LocalGrads;
}

/** Return the data of a new Value; refuse anything but a finite number. */
export function checkedData(data: number, label: string, quantity = "the data"): number {
  if (isDouble(data)) return data;
  const message = `${quantity} of a Value must be a finite number, not ${described(data)}`;
  throw new InvalidValue(message, null, { name: label, pointer: "" });
}

/** Return the error for an operand whose data was set to infinity or NaN. */
export function infiniteData(
  symbol: string,
  children: readonly Operand[],
  slot: number,
): NonFinite {
  const quantity = `the data of operand ${slot}${named(children[slot]!.label)} of \`${symbol}\``;
  const message = `${quantity} is not finite; if training set it, use a smaller learning rate`;
  return new NonFinite(message, null, { stage: "data", ...at(symbol, children), slot });
}

/** Refuse a grad that is not a finite number. */
export function checkGrad({ grad, label }: Operand): void {
  if (isDouble(grad)) return;
  const [quantity, hint] = [`the grad${named(label)} before backward()`, "set it to 0"];
  if (typeof grad !== "number") {
    const message = `${quantity} must be a finite number, not ${described(grad)}; ${hint}`;
    throw new InvalidValue(message, null, { name: label, pointer: "" });
  }
  const where = { stage: "grad", node: null, operation: null, operands: [], slot: null };
  throw new NonFinite(`${quantity} is not finite; ${hint}`, null, where);
}

function at(symbol: string, children: readonly Operand[]) {
  const operands = children.map(({ data }) => (isDouble(data) ? data + 0 : null));
  return { node: null, operation: symbol, operands };
}

function named(label: string): string {
  return label ? ` (\`${label}\`)` : "";
}

/** Return the error for data, or a number of an operand's row, that is not finite. */
export function nonFinite(
  stage: string,
  symbol: string,
  children: readonly Operand[],
  slot: number | null = null,
): NonFinite {
  const operand = slot === null ? "" : `operand ${slot}${named(children[slot]!.label)} of `;
  const quantity = `the ${stage} of ${operand}\`${symbol}\``;
  const place = at(symbol, children);
  const message = `${quantity} ${faultOfNumber(stage, symbol, place.operands)}`;
  return new NonFinite(message, null, { stage, ...place, slot });
}

/** Return the error for a non-finite gradient that `node` sends to its operand at `slot`. */
export function nonFiniteGrad(node: OperationNode, slot: number): NonFinite {
  const localGrad = node._local_grads[slot]!;
  const stage = stageOf(localGrad, node.grad * localGrad);
  return nonFinite(stage, node._operation!.symbol, node._children, slot);
}

/** Return the error for operands at which the operation has no value. */
export function domainError(
  reason: string,
  symbol: string,
  children: readonly Operand[],
): DomainError {
  return new DomainError(reason, null, at(symbol, children));
}

/** Return the error for a Value as exponent. */
export function exponentNotLiteral(): ExponentNotLiteral {
  const message =
    "the exponent must be a plain number: power differentiates only its base, so a Value as " +
    "exponent would silently get the gradient 0";
  return new ExponentNotLiteral(message);
}

/** Return the error for arguments from which no Value can be made. */
export function noValue(): TypeError {
  const message =
    "a Value is made as new Value(data, label), as new Value(data, children, localGrads, name) " +
    "with a local gradient for each of one or two Values, or as new Value(data, children, " +
    "operation), with an operation of the table, such as + or tanh, and as many operands as it " +
    "takes; a name of your own is not one of these";
  return new TypeError(message);
}

/** Return the error for a call with the wrong number of operands; Python checks that itself. */
export function wrongCount(name: string, taken: number, given: number): TypeError {
  const form = taken === 0 ? `a.${name}()` : `a.${name}(b)`;
  return new TypeError(
    `\`${form}\` takes ${taken} more operand${taken === 1 ? "" : "s"}, not ${given}`,
  );
}

/** Return the error for replacing the backward step of a Value. */
export function fixedStep(): TypeError {
  const message =
    "the backward step of a Value cannot be replaced: its gradients come from its local " +
    "gradients, as those of its document do; write new Value(data, children, localGrads) for an " +
    "operation of your own";
  return new TypeError(message);
}
