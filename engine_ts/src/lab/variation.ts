/**
 * Program + variable + step -> how much the derivative can vary within the step.
 *
 * By the mean value theorem a central difference is the derivative at some place between x - h and
 * x + h. Forward mode on intervals instead of numbers encloses the derivatives at all of these places
 * (Moore, Interval Analysis, 1966), so a quotient is off by no more than the width of that interval.
 */

import { operationOf } from "../operations.ts";
import { OutsideDomain } from "../rows.ts";
import type { Operation } from "../rows.ts";
import type { Program } from "./program.ts";
import { TINY, U } from "./roundings.ts";

/** All numbers from low to high. */
class Interval {
  readonly low: number;
  readonly high: number;

  constructor(low: number, high: number) {
    this.low = low;
    this.high = high;
  }

  /** One of them: a formula asks a constant exponent for it. */
  get data(): number {
    return this.low;
  }
}

/**
 * Bound the distance of any two derivatives between x - step and x + step.
 *
 * Infinite where that leaves a domain or the doubles.
 */
export function variation(program: Program, leaf: number, step: number): number {
  const values: Interval[] = [];
  const tangents = new Map([[leaf, new Interval(1, 1)]]);
  try {
    for (const [node, { operation, operands, data }] of program.entries()) {
      if (node === leaf) {
        values.push(new Interval(data - step, data + step));
      } else if (operation !== null && operands.some((operand) => tangents.has(operand))) {
        const numbers = operands.map((operand) => values[operand]!);
        const moving = operands.map((operand) => tangents.get(operand) ?? null);
        values.push(enclosed(operation, numbers));
        tangents.set(node, tangentOf(operation, values[node]!, numbers, moving));
      } else {
        values.push(new Interval(data, data));
      }
    }
  } catch (reason) {
    if (reason instanceof OutsideDomain) return Infinity;
    throw reason;
  }
  const derivative = tangents.get(program.length - 1)!;
  return derivative.high - derivative.low;
}

/** Sum local gradient times tangent over the operands that the variable moves. */
function tangentOf(
  operation: Operation,
  out: Interval,
  operands: readonly Interval[],
  tangents: readonly (Interval | null)[],
): Interval {
  const carried = localGrads(operation, out, operands).flatMap((local, slot) => {
    const tangent = tangents[slot]!;
    return tangent === null || local === null ? [] : [apply("*", local, tangent)];
  });
  return carried.reduce((one, other) => apply("+", one, other));
}

/** Enclose the local gradients; on both sides of a kink all slopes between the two count. */
function localGrads(
  operation: Operation,
  out: Interval,
  operands: readonly Interval[],
): readonly (Interval | number | null)[] {
  if (operation.kink === null) return operation.formulas(apply, out, ...operands);
  const slopes = places(operands).map((place) => operation.rule(...place).slice(1) as number[]);
  return operands.map((_, slot) => hull(slopes.map((each) => each[slot]!)));
}

function apply(symbol: string, ...operands: (Interval | number)[]): Interval {
  const intervals = operands.map((each) =>
    typeof each === "number" ? new Interval(each, each) : each,
  );
  return enclosed(operationOf(symbol), intervals);
}

/**
 * Enclose an operation's results.
 *
 * @throws {OutsideDomain} some of them do not exist, or are no doubles
 */
function enclosed(operation: Operation, operands: readonly Interval[]): Interval {
  if (operation.turns) return turning(operation, operands[0]!);
  return widened(hull(places(operands).map((place) => operation.rule(...place)[0])));
}

/**
 * Give where an operation is extreme: it rises or falls all the way on either side of 0.
 *
 * An operand in both slots is the same number in both.
 */
function places([first, second]: readonly Interval[]): number[][] {
  if (second === undefined) return ends(first!).map((end) => [end]);
  if (second === first) return ends(first).map((end) => [end, end]);
  return ends(first!).flatMap((left) => ends(second).map((right) => [left, right]));
}

function ends({ low, high }: Interval): number[] {
  if (low < 0 && 0 < high) return [low, 0, high];
  return low < high ? [low, high] : [low];
}

/** Enclose what turns elsewhere, too, between -1 and 1, and is nowhere steeper than 1. */
function turning(operation: Operation, { low, high }: Interval): Interval {
  const middle = low / 2 + high / 2;
  const radius = Math.max(high - middle, middle - low) * (1 + 4 * U);
  const [data] = operation.rule(middle);
  return widened(new Interval(Math.max(data - radius, -1), Math.min(data + radius, 1)));
}

function hull(numbers: readonly number[]): Interval {
  return new Interval(Math.min(...numbers), Math.max(...numbers));
}

/** Make up for what rounding took. */
function widened({ low, high }: Interval): Interval {
  const wide = new Interval(
    low - 2 * U * Math.abs(low) - TINY,
    high + 2 * U * Math.abs(high) + TINY,
  );
  if (!Number.isFinite(wide.low) || !Number.isFinite(wide.high)) {
    throw new OutsideDomain("beyond the doubles");
  }
  return wide;
}
