/**
 * Document -> how each of its numbers is written: with the fewest digits that keep every equation
 * true.
 *
 * A number has the same decimals everywhere, so a contribution looks like the gradient that it
 * becomes. A number of at most four digits is written exactly.
 */

import type { GradientDocument } from "../document.ts";
import type { Edge } from "../template.ts";

/** Format a number, or return `NO_NUMBER` for null. */
export type Write = (number: number | null) => string;

export const NO_NUMBER = "--";

/** An equation in the picture: `result` is the product or the sum of `operands`. */
interface Equation {
  readonly operands: readonly number[];
  readonly result: number;
  readonly isProduct: boolean;
  /** The places of `operands` and of `result` in the table of magnitudes. */
  readonly places: readonly number[];
  readonly place: number;
}

export interface Digits {
  readonly write: Write;
  readonly equations: readonly Equation[];
  /** Return the error of an equation as shown, in units of the last digit of its result. */
  readonly off: (equation: Equation) => number;
}

/** The maximum extra and significant digits of an operand, for an error of 0 or within a unit. */
const EXACT = [2, 6] as const;
const WITHIN = [3, 7] as const;
/** The largest error that needs no more digits, in units of the last digit. */
const NEAR = 0.6;
const TURNS = 40;

/** Return the power of ten of the first digit. */
function lead(size: number): number {
  return Math.floor(Math.log10(size) + 1e-12);
}

/** Return the decimals of a short number, such as a typed one; -1 if it has too many digits. */
function endOf(size: number, power: number): number {
  if (size === 0) return 0;
  // Most results can be rejected without writing them.
  const scaled = size / 10 ** (power - 3);
  if (size < 1_000 && Math.abs(scaled - Math.round(scaled)) > 1e-7) return -1;
  const [digits, exponent] = size.toExponential(11).split("e") as [string, string];
  const kept = digits.replace(".", "").replace(/0+$/, "").length;
  const isWhole = kept <= 4 || (kept <= 7 && Number(exponent) >= 3);
  return isWhole ? Math.max(0, kept - 1 - Number(exponent)) : -1;
}

/** Return the initial decimals: two from 1 on, three from 0.1 on, two significant digits below. */
function startOf(power: number): number {
  if (power >= 6) return 2 - power;
  if (power >= 0) return 2;
  return power === -1 ? 3 : 1 - power;
}

/** The magnitudes of all numbers: a number and its opposite share a place, so also their digits. */
class SizeTable {
  readonly #places = new Map<number, number>();
  readonly #sizes: number[] = [];
  readonly powers: number[] = [];
  readonly isWhole: boolean[] = [];
  readonly decimals: number[] = [];
  readonly least: number[] = [];
  /** The number of decimals added. */
  readonly added: number[] = [];
  /** Each magnitude, rounded to its decimals. */
  readonly shown: number[] = [];

  /** Return the place of a number's magnitude. */
  at(number: number): number {
    const size = Math.abs(number);
    let place = this.#places.get(size);
    if (place === undefined) {
      this.#places.set(size, (place = this.#sizes.push(size) - 1));
      const power = lead(size);
      const end = endOf(size, power);
      const start = end >= 0 ? end : startOf(power);
      this.powers.push(power);
      this.isWhole.push(end >= 0);
      this.least.push(end >= 0 ? end : Math.min(start, 1 - power));
      this.added.push(0);
      this.setDecimals(place, start);
    }
    return place;
  }

  setDecimals(place: number, decimals: number): void {
    const size = this.#sizes[place]!;
    const unit = 10 ** decimals;
    this.decimals[place] = decimals;
    this.shown[place] = this.isWhole[place]! ? size : Math.round(size * unit) / unit;
  }
}

/** Choose the digits of all numbers; `others` are edges shown instead of the document's. */
export function digitsOf(document: GradientDocument, others: readonly Edge[] = []): Digits {
  const sizes = new SizeTable();
  const { decimals, isWhole, least, added, powers, shown } = sizes;
  const equations = equationsOf(document, others, (number) => sizes.at(number));
  const off = ({ operands, isProduct, result, places, place }: Equation) => {
    let value = isProduct ? 1 : 0;
    for (let at = 0; at < operands.length; at++) {
      const operand = Math.sign(operands[at]!) * shown[places[at]!]!;
      value = isProduct ? value * operand : value + operand;
    }
    // A unit of the result's last digit; at least the second decimal if the result is exact.
    const unit = 10 ** (isWhole[place]! ? Math.max(2, decimals[place]!) : decimals[place]!);
    return Math.abs(value - Math.sign(result) * shown[place]!) * unit;
  };
  /**
   * Add a digit to the operand with the largest error, or remove one from a small result. Return
   * the place of the number whose digits have changed, or -1.
   */
  const improve = (equation: Equation, [more, most]: readonly [number, number]) => {
    const { operands, isProduct, result, places, place } = equation;
    let [worst, error] = [-1, 0];
    for (const [at, operand] of places.entries()) {
      const isFull = added[operand]! >= more || decimals[operand]! + powers[operand]! + 1 >= most;
      const share = isProduct ? Math.abs(operands[1 - at]!) : 1;
      const part = share * 10 ** -decimals[operand]!;
      if (!isWhole[operand]! && !isFull && part > error) [worst, error] = [operand, part];
    }
    if (!isWhole[place]! && decimals[place]! > least[place]! && Math.abs(result) < 0.01) {
      sizes.setDecimals(place, decimals[place]! - 1);
      return place;
    }
    if (worst >= 0) {
      sizes.setDecimals(worst, decimals[worst]! + 1);
      added[worst]!++;
    }
    return worst;
  };
  /** By place, the equations that are checked again when its digits change. */
  let uses: Equation[][] | null = null;
  let open: Iterable<Equation> = equations;
  for (let turn = 0; turn < TURNS; turn++) {
    const next = new Set<Equation>();
    for (const equation of open) {
      const now = off(equation);
      if (now <= NEAR + 1e-7) continue;
      const changed = improve(equation, now > 1.0000001 ? WITHIN : EXACT);
      if (changed < 0) continue;
      uses ??= usesIn(equations, shown.length);
      for (const each of uses[changed]!) next.add(each);
    }
    if (next.size === 0) break;
    open = next;
  }
  const texts = new Map<number, string>();
  const write = (number: number | null) => {
    if (number === null) return NO_NUMBER;
    let text = texts.get(number);
    if (text === undefined) {
      const place = sizes.at(number);
      texts.set(number, (text = written(number, decimals[place]!, isWhole[place]!)));
    }
    return text;
  };
  return { write, equations, off };
}

/** Return the equations of each magnitude. */
function usesIn(equations: readonly Equation[], count: number): Equation[][] {
  const found = Array.from({ length: count }, (): Equation[] => []);
  for (const equation of equations)
    for (const place of [...equation.places, equation.place]) found[place]!.push(equation);
  return found;
}

/** Return the product of each arrow, the sum of each gradient, and each sum and product of data. */
function equationsOf(
  { nodes, edges }: GradientDocument,
  others: readonly Edge[],
  placeOf: (number: number) => number,
): Equation[] {
  const found: Equation[] = [];
  const add = (isProduct: boolean, operands: readonly number[], result: number) => {
    const places = operands.map(placeOf);
    found.push({ operands, result, isProduct, places, place: placeOf(result) });
  };
  for (const { incoming_grad: x, local_grad: y, contribution } of [...edges, ...others])
    if (x !== null && y !== null && contribution !== null) add(true, [x, y], contribution);
  const parts = nodes.map((): number[] => []);
  for (const { from, contribution } of edges)
    if (contribution !== null) parts[from]!.push(contribution);
  for (const { id, grad } of nodes)
    if (parts[id]!.length > 1 && grad !== null) add(false, parts[id]!, grad);
  const operands = nodes.map((): number[] => []);
  for (const { to, from } of edges) operands[to]!.push(nodes[from]!.data);
  for (const { id, operation, data } of nodes) {
    const [x, y] = operands[id]!;
    if (x === undefined || y === undefined) continue;
    if (operation === "*") add(true, [x, y], data);
    else if (operation === "+") add(false, [x, y], data);
    else if (operation === "-") add(false, [x, -y], data);
  }
  return found;
}

/** Format a number with `decimals` decimals, or with an exponent if it is very small or large. */
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

/** Return `text`, or during a drag the number with fewer digits if `text` is wider than `room`. */
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
