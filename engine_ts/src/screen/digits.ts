/**
 * Document -> how each of its numbers is written: with the fewest digits that keep every equation
 * true.
 *
 * A number has the same decimals everywhere, so a contribution looks like the gradient that it
 * becomes. A number of at most four digits is written exactly.
 */

import type { GradientDocument } from "../document.ts";
import type { Edge } from "../template.ts";

/** Write a number, or a sign for a missing one. */
export type Write = (number: number | null) => string;

export const NO_NUMBER = "--";

/** An equation in the picture, `value(of) = is`; `shares` weigh the errors of its operands. */
interface Equation {
  readonly of: readonly number[];
  readonly is: number;
  readonly value: (of: readonly number[]) => number;
  readonly shares: readonly number[];
}

export interface Digits {
  readonly write: Write;
  readonly equations: readonly Equation[];
  /** Return the error of an equation as shown, in units of the last digit of its result. */
  readonly off: (equation: Equation) => number;
}

/** Most extra and most significant digits of an operand, for a result exact or within a unit. */
const EXACT = [2, 6] as const;
const WITHIN = [3, 7] as const;
/** Most error of an equation that gets no more digits, in units of the last digit. */
const NEAR = 0.6;
const TURNS = 40;

/** Return the power of ten of the first digit. */
function lead(size: number): number {
  return Math.floor(Math.log10(size) + 1e-12);
}

/** Return the decimals of a short number, such as a typed one; -1 if it has more than are shown. */
function endOf(size: number): number {
  if (size === 0) return 0;
  // Most results can be rejected without writing them.
  const scaled = size / 10 ** (lead(size) - 3);
  if (size < 1_000 && Math.abs(scaled - Math.round(scaled)) > 1e-7) return -1;
  const [digits, power] = size.toExponential(11).split("e") as [string, string];
  const kept = digits.replace(".", "").replace(/0+$/, "").length;
  const isWhole = kept <= 4 || (kept <= 7 && Number(power) >= 3);
  return isWhole ? Math.max(0, kept - 1 - Number(power)) : -1;
}

/** Return the initial decimals: two from 1 on, three from 0.1 on, two significant digits below. */
function startOf(size: number): number {
  const power = lead(size);
  if (power >= 6) return 2 - power;
  if (power >= 0) return 2;
  return power === -1 ? 3 : 1 - power;
}

/** Return the digits of all numbers; `others` are edges shown instead of the document's. */
export function digitsOf(document: GradientDocument, others: readonly Edge[] = []): Digits {
  const { nodes } = document;
  const edges = [...document.edges, ...others];
  /** By size, since a number and its opposite have the same digits. */
  const decimals = new Map<number, number>();
  const ends = new Map<number, number>();
  const least = new Map<number, number>();
  const add = (number: number | null) => {
    if (number === null || decimals.has(Math.abs(number))) return;
    const size = Math.abs(number);
    const end = endOf(size);
    const start = end >= 0 ? end : startOf(size);
    ends.set(size, end);
    decimals.set(size, start);
    least.set(size, end >= 0 ? end : Math.min(start, 1 - lead(size)));
  };
  for (const { data, grad } of nodes) [data, grad].forEach(add);
  for (const { incoming_grad, local_grad, contribution, running_grad } of edges)
    [incoming_grad, local_grad, contribution, running_grad].forEach(add);
  const isWhole = (size: number) => ends.get(size)! >= 0;
  /** Number -> its value as shown, until its decimals change. */
  const known = new Map<number, number>();
  const shown = (number: number) => {
    let rounded = known.get(number);
    if (rounded !== undefined) return rounded;
    const size = Math.abs(number);
    const unit = 10 ** decimals.get(size)!;
    rounded = isWhole(size) ? number : (Math.sign(number) * Math.round(size * unit)) / unit;
    known.set(number, rounded);
    return rounded;
  };
  const setDecimals = (size: number, to: number) => {
    decimals.set(size, to);
    known.delete(size);
    known.delete(-size);
  };
  /** Decimals of a result's unit; at least two if the result is exact. */
  const unitOf = (size: number) => Math.max(isWhole(size) ? 2 : -Infinity, decimals.get(size)!);
  const off = ({ of, value, is }: Equation) =>
    Math.abs(value(of.map(shown)) - shown(is)) * 10 ** unitOf(Math.abs(is));
  const equations = equationsOf(document, edges);
  const added = new Map<number, number>();
  /** Add a digit to the operand with the largest error, or remove one from a small result. */
  const improve = ({ of, is, shares }: Equation, [more, most]: readonly [number, number]) => {
    let [worst, error] = [-1, 0];
    for (const [at, number] of of.entries()) {
      const size = Math.abs(number);
      const isFull = (added.get(size) ?? 0) >= more || decimals.get(size)! + lead(size) + 1 >= most;
      const part = shares[at]! * 10 ** -decimals.get(size)!;
      if (!isWhole(size) && !isFull && part > error) [worst, error] = [size, part];
    }
    const size = Math.abs(is);
    const canLose = !isWhole(size) && decimals.get(size)! > least.get(size)! && size < 0.01;
    if (canLose) setDecimals(size, decimals.get(size)! - 1);
    else if (worst >= 0) {
      setDecimals(worst, decimals.get(worst)! + 1);
      added.set(worst, (added.get(worst) ?? 0) + 1);
    }
    return canLose ? size : worst;
  };
  /** Size -> its equations, which are checked again when its digits change. */
  let uses: Map<number, Equation[]> | null = null;
  const usesOf = (size: number) => (uses ??= usesIn(equations)).get(size)!;
  let open: Iterable<Equation> = equations;
  for (let turn = 0; turn < TURNS; turn++) {
    const next = new Set<Equation>();
    for (const equation of open) {
      const now = off(equation);
      if (now <= NEAR + 1e-7) continue;
      const changed = improve(equation, now > 1.0000001 ? WITHIN : EXACT);
      if (changed >= 0) for (const each of usesOf(changed)) next.add(each);
    }
    if (next.size === 0) break;
    open = next;
  }
  const texts = new Map<number, string>();
  const write = (number: number | null) => {
    if (number === null) return NO_NUMBER;
    let text = texts.get(number);
    if (text === undefined) {
      const size = Math.abs(number);
      const end = ends.get(size) ?? endOf(size);
      const digits = decimals.get(size) ?? (end >= 0 ? end : startOf(size));
      texts.set(number, (text = written(number, digits, end >= 0)));
    }
    return text;
  };
  return { write, equations, off };
}

/** Return the equations of each number, by size. */
function usesIn(equations: readonly Equation[]): Map<number, Equation[]> {
  const found = new Map<number, Equation[]>();
  for (const equation of equations)
    for (const number of [...equation.of, equation.is]) {
      const same = found.get(Math.abs(number));
      if (same === undefined) found.set(Math.abs(number), [equation]);
      else same.push(equation);
    }
  return found;
}

/** Return the product of each arrow, the sum of each gradient, and each sum and product of data. */
function equationsOf(document: GradientDocument, edges: readonly Edge[]): Equation[] {
  const { nodes } = document;
  const found: Equation[] = [];
  for (const { incoming_grad: x, local_grad: y, contribution: is } of edges)
    if (x !== null && y !== null && is !== null) found.push(productOf(x, y, is));
  const parts = nodes.map((): number[] => []);
  for (const { from, contribution } of document.edges)
    if (contribution !== null) parts[from]!.push(contribution);
  for (const { id, grad } of nodes)
    if (parts[id]!.length > 1 && grad !== null) found.push(sumOf(parts[id]!, grad));
  const operands = nodes.map((): number[] => []);
  for (const { to, from } of document.edges) operands[to]!.push(nodes[from]!.data);
  for (const { id, operation, data } of nodes) {
    const [x, y] = operands[id]!;
    if (x === undefined || y === undefined) continue;
    if (operation === "*") found.push(productOf(x, y, data));
    else if (operation === "+") found.push(sumOf([x, y], data));
    else if (operation === "-") found.push(sumOf([x, -y], data));
  }
  return found;
}

function productOf(x: number, y: number, is: number): Equation {
  const shares = [Math.abs(y), Math.abs(x)];
  return { of: [x, y], is, shares, value: (of) => of[0]! * of[1]! };
}

function sumOf(of: readonly number[], is: number): Equation {
  const value = (parts: readonly number[]) => parts.reduce((sum, each) => sum + each, 0);
  return { of, is, value, shares: of.map(() => 1) };
}

/** Write a number with its decimals; very small and very large ones have an exponent. */
function written(number: number, decimals: number, isWhole: boolean): string {
  if (number === 0) return "0";
  const size = Math.abs(number);
  const sign = number < 0 ? "−" : "";
  const shown = Number(size.toPrecision(12));
  if (size < 1e-4 || size >= (isWhole ? 1e7 : 1e6)) {
    const cut = Math.max(0, Math.min(11, decimals + lead(size)));
    return sign + withExponent(isWhole ? shown.toExponential() : shown.toExponential(cut));
  }
  return sign + (isWhole ? String(shown) : size.toFixed(Math.max(0, Math.min(12, decimals))));
}

function withExponent(text: string): string {
  return text.replace("+", "").replace("-", "−");
}

/** Write a number into a fixed room during a drag; drop digits if it would be too wide. */
export function fitted(
  number: number,
  text: string,
  room: number,
  width: (text: string) => number,
): string {
  const fits = (each: string) => width(each) <= room + 1e-6;
  if (fits(text)) return text;
  const power = lead(Math.abs(number));
  if (power < 6 && power >= -3)
    for (let d = Math.min(4, Math.max(0, 4 - power)); d >= Math.max(0, -power); d--)
      if (fits(written(number, d, false))) return written(number, d, false);
  const sign = number < 0 ? "−" : "";
  for (let d = 2; d >= 0; d--) {
    const short = sign + withExponent(Math.abs(number).toExponential(d));
    if (fits(short)) return short;
  }
  return Math.abs(number) < 0.05 ? "≈0" : text;
}
