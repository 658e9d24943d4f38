/** Unchecked values of a sweep -> axes: columns and grids, and the values at each point of them. */

import { canonicalText } from "../canonical.ts";
import { NEVER } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import { InvalidRequest, InvalidValue } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { exactly, roundToDouble, shifted } from "../numerics/exact.ts";
import {
  described,
  isDouble,
  isName,
  pointerStep,
  quoted,
  refuseTooMany,
  valueError,
} from "../request.ts";

/** Integers up to this one are exact in every language. */
export const LARGEST = Number.MAX_SAFE_INTEGER;

/** The maximum number of items of a column or a grid between two checks of the deadline. */
export const NUMBERS_PER_CHECK = 4_096;

const GRID: readonly string[] = ["from", "to", "count"];

/** Variables that change together, by name: the columns, or one grid. */
type Axis = ReadonlyMap<string, readonly number[] | Float64Array>;

/** `count` points from one number to another, both included. */
type Grid = readonly [start: number, end: number, size: number];

/** Checked values of a sweep: numbers, which are the same at every point, columns and grids. */
export interface Axes {
  readonly numbers: ReadonlyMap<string, number>;
  /** All of one length, with one row per point. */
  readonly columns: Axis;
  /** In the order of their names. */
  readonly grids: ReadonlyMap<string, Grid>;
}

/** Return the names of all variables with a value. */
export function namesOf({ numbers, columns, grids }: Axes): Set<string> {
  return new Set([...numbers.keys(), ...columns.keys(), ...grids.keys()]);
}

/** Return the number of points, at most LARGEST, which no sweep reaches. */
export function sizeOf({ columns, grids }: Axes): number {
  const [column] = columns.values();
  let size = column?.length ?? 1;
  for (const [, , each] of grids.values()) size = Math.min(size * each, LARGEST);
  return size;
}

/** Return the axes with their points: the columns first, then grid by grid. */
export function listsOf({ columns, grids }: Axes, deadline: Deadline = NEVER): Axis[] {
  const lists = [...grids].map(([name, ends]) => new Map([[name, grid(...ends, deadline)]]));
  return columns.size > 0 ? [columns, ...lists] : lists;
}

/** Check an object of numbers, columns and grids by name (CONTRACT.md R39). */
export function checkAxes(values: unknown, limits: Limits, deadline: Deadline = NEVER): Axes {
  if (!isObject(values)) {
    const message = `values must be an object of numbers, columns and grids, not ${described(values)}`;
    throw new InvalidRequest(message, null, { pointer: "/values" });
  }
  const names = Object.keys(values).sort();
  refuseTooMany("values", names.length, limits);
  const numbers = new Map<string, number>();
  const columns = new Map<string, readonly number[] | Float64Array>();
  const grids = new Map<string, Grid>();
  for (const name of names) {
    const value = values[name];
    if (!isName(name)) throw valueError(name, value);
    if (value instanceof Float64Array) columns.set(name, checkDoubles(name, value, deadline));
    else if (isObject(value)) grids.set(name, checkGrid(name, value));
    else if (Array.isArray(value)) columns.set(name, checkColumn(name, value, deadline));
    else {
      const rule = `\`${name}\` must be a finite number, a column or a grid`;
      numbers.set(name, checkNumber(rule, value, name));
    }
  }
  refuseOtherLengths(columns);
  return { numbers, columns, grids };
}

/** Check a column of at least one finite number. */
function checkColumn(
  name: string,
  column: ArrayLike<unknown>,
  deadline: Deadline,
): readonly number[] {
  if (column.length === 0) {
    throw errorOf(`the column of \`${name}\` is empty; it needs one number or more`, name);
  }
  return Array.from(column, (number, index) => {
    if (index % NUMBERS_PER_CHECK === 0 && column.length > NUMBERS_PER_CHECK) deadline.check();
    if (isDouble(number)) return number + 0;
    const rule = `the column of \`${name}\` must hold a finite number at index ${index}`;
    throw errorOf(`${rule}, not ${described(number)}`, name, String(index));
  });
}

/** Check the items of a column; a valid array is not copied. */
function checkDoubles(
  name: string,
  doubles: Float64Array,
  deadline: Deadline,
): readonly number[] | Float64Array {
  let sum = 0;
  for (let i = 0; i < doubles.length; i++) sum += doubles[i]! - doubles[i]!; // NaN where not finite
  return doubles.length > 0 && sum === 0 ? doubles : checkColumn(name, doubles, deadline);
}

/** Check a grid: two finite numbers and a count, nothing else. */
function checkGrid(name: string, members: Readonly<Record<string, unknown>>): Grid {
  let shape = `the grid of \`${name}\` must have from, to and count`;
  const other = Object.keys(members)
    .filter((member) => !GRID.includes(member))
    .sort()[0];
  if (other !== undefined) shape += `, and no ${quoted(other)}`;

  function number(member: string, kind: string): number {
    if (!(member in members)) throw errorOf(`${shape}; \`${member}\` is missing`, name, member);
    const rule = `\`${member}\` of the grid of \`${name}\` must be ${kind}`;
    return checkNumber(rule, members[member], name, member);
  }

  const [first, last] = [number("from", "a finite number"), number("to", "a finite number")];
  const kind = `a whole number from 1 to ${LARGEST}`;
  const whole = number("count", kind);
  if (!(1 <= whole && whole <= LARGEST && whole % 1 === 0)) {
    const message = `\`count\` of the grid of \`${name}\` must be ${kind}, not ${canonicalText(whole)}`;
    throw errorOf(message, name, "count");
  }
  if (other !== undefined) throw errorOf(shape, name, other);
  return [first, last, whole];
}

/** Refuse columns of different lengths; the first by name sets the length. */
function refuseOtherLengths(columns: Axis): void {
  const [first] = columns;
  if (first === undefined) return;
  const [label, { length: right }] = first;
  for (const [name, { length }] of columns) {
    if (length === right) continue;
    const shown = `the column of \`${name}\` has a length of ${length}, that of \`${label}\` one of`;
    throw errorOf(`${shown} ${right}; each row is one point`, name);
  }
}

function checkNumber(rule: string, value: unknown, name: string, ...steps: string[]): number {
  if (isDouble(value)) return value;
  throw errorOf(`${rule}, not ${described(value)}`, name, ...steps);
}

function errorOf(message: string, name: string, ...steps: string[]): InvalidValue {
  const pointer = ["values", name, ...steps].map(pointerStep).join("");
  return new InvalidValue(message, null, { name, pointer });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * (name, numbers, stride): at `index` it has number `index / stride`, from 0 again after the last
 * one.
 */
type Column = readonly [name: string, numbers: ArrayLike<number>, stride: number];

/** All points of the axes, each by its index from 0. */
export class Points {
  readonly count: number;
  /** Values that are the same at every point, by name. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly columns: readonly Column[];

  /** Make the points of the grids. */
  constructor(axes: Axes, deadline: Deadline = NEVER) {
    this.numbers = axes.numbers;
    this.count = sizeOf(axes);
    let stride = this.count;
    this.columns = listsOf(axes, deadline).flatMap((axis) => {
      stride /= [...axis.values()][0]!.length;
      return [...axis].map(([name, numbers]) => [name, numbers, stride] as const);
    });
  }

  /** Return the values at a point. */
  at(index: number): ReadonlyMap<string, number> {
    const values = new Map(this.numbers);
    for (const [name, numbers, stride] of this.columns) {
      values.set(name, numbers[((index - (index % stride)) / stride) % numbers.length]!);
    }
    return values;
  }
}

/**
 * Bits after the point of a quotient by less than 2**53. A midpoint of two doubles has at most 106,
 * so any other quotient is further from it than 2**-159, and rounds to the same double when it is
 * truncated.
 */
const BITS = 160n;

/**
 * Compute `count` points from start to end, evenly spaced; one point is the start.
 *
 * Point i is start + (end - start) * i / (count - 1), rounded once (CONTRACT.md R39). So the ends
 * are exact, a grid read backwards is the same, and from 0 to 1 in tenths has 0.3, where adding or
 * multiplying steps has 0.30000000000000004.
 */
export function grid(
  start: number,
  end: number,
  count: number,
  deadline: Deadline = NEVER,
): number[] {
  if (count === 1) return [start + 0];
  const [[from, one], [to, other]] = [exactly(start), exactly(end)];
  const e = one < other ? one : other; // both are multiples of the unit 2**e
  const [first, last] = [shifted(from, one - e), shifted(to, other - e)];
  const steps = BigInt(count - 1);
  return Array.from({ length: count }, (_, index) => {
    if (index % NUMBERS_PER_CHECK === 0 && count > NUMBERS_PER_CHECK) deadline.check();
    const i = BigInt(index);
    return rounded(first * (steps - i) + last * i, steps, e);
  });
}

/** Round n / d * 2**e once. */
function rounded(n: bigint, d: bigint, e: bigint): number {
  return roundToDouble((n << BITS) / d, e - BITS) + 0;
}
