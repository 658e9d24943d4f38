/**
 * Program + variable -> its central difference: a derivative that knows no chain rule.
 *
 * (f(x + h) - f(x - h)) / 2h is the derivative up to
 *
 * - truncation: c h**2 for h and a quarter of that for h / 2, so that the second quotient is three
 *   times nearer to the truth than to the first one. Their whole distance is taken.
 * - rounding: what both results can be off by, over 2h. Twice that is taken.
 *
 * Several steps h are tried. Where h is too large for the first argument, a quotient may differ from
 * the derivative by more than its bound: see variation.ts. One that contradicts that of a smaller step
 * is not believed.
 */

import { evaluate, rootOf } from "./program.ts";
import type { Computed, Program } from "./program.ts";
import { rounding, SAFE } from "./roundings.ts";
import type { Rounded } from "./roundings.ts";

/** Parts of x, or of 1 where x is 0. */
const STEPS = [1 / 2 ** 10, 1 / 2 ** 18, 1 / 2 ** 26];
/** Where rounding drowns those, a step at which it is this much smaller than the difference. */
const LOUD = 2 ** 24;
const LONGEST = 1 / 2 ** 6;

/** For one variable, at most. */
export const EVALUATIONS = 4 * (STEPS.length + 1) + 1;

export type Silence = "not_differentiable_here" | "kink_nearby" | "no_value_nearby" | "too_coarse";

/** A central difference, its step and its error bound, of which rounding alone is `noise`. */
export interface Quotient {
  readonly value: number;
  readonly bound: number;
  readonly noise: number;
  readonly step: number;
}

/** What the program computes at x, x + h, x - h, x + h / 2 and x - h / 2. */
type Around = Five<Computed>;
type Five<T> = readonly [here: T, above: T, below: T, halfAbove: T, halfBelow: T];

/**
 * Give quotients, the most precise one first, or why there is none.
 *
 * @param program what to compute
 * @param leaf the variable
 * @param here what it computes as it is
 * @param magnitude of the derivative, about
 */
export function centralDifferences(
  program: Program,
  leaf: number,
  here: Computed | null,
  magnitude: number,
): readonly Quotient[] | Silence {
  const quotients: Quotient[] = [];
  let silence: Silence = "no_value_nearby";
  const x = program[leaf]!.data;
  for (const step of steps(x, here, magnitude).sort((one, other) => one - other)) {
    const half = halfOf(x, step);
    const around = [here, ...[step, -step, half, -half].map((h) => evaluate(program, leaf, x + h))];
    if (around.some((computed) => computed === null)) continue;
    const quotient = quotientOf(around as unknown as Around, step, half);
    if (typeof quotient === "string") {
      silence = silence === "no_value_nearby" ? quotient : silence;
    } else if (!quotients.some((finer) => contradict(quotient, finer))) {
      quotients.push(quotient);
    }
  }
  if (quotients.length === 0) return silence;
  return quotients.sort((one, other) => one.bound - other.bound);
}

/** Give steps h for which x + h and x - h are doubles. */
function steps(x: number, here: Computed | null, magnitude: number): number[] {
  const scale = Math.abs(x) || 1;
  const wished = STEPS.map((part) => part * scale);
  if (here !== null && magnitude > 0) {
    wished.push(Math.min((LOUD * rootOf(here).bound) / magnitude, LONGEST * scale));
  }
  return wished
    .map((wish) => x + wish - x)
    .filter((step) => Number.isFinite(Math.abs(x) + step) && halfOf(x, step) > 0);
}

function halfOf(x: number, step: number): number {
  return x + step / 2 - x;
}

function quotientOf(around: Around, step: number, half: number): Quotient | Silence {
  const sides = around.map((computed) => computed.sides.join());
  if (sides.slice(1).some((side) => side !== sides[1])) return kink(around);
  const roots = around.map(rootOf) as unknown as Five<Rounded>;
  const [here, above, below, halfAbove, halfBelow] = roots;
  const coarse = (above.data - below.data) / (2 * step);
  const fine = (halfAbove.data - halfBelow.data) / (2 * half);
  const rounded = (SAFE * (halfAbove.bound + halfBelow.bound + 2 * here.bound)) / (2 * half);
  const noise = rounded + SAFE * rounding(fine);
  const bound = Math.abs(coarse - fine) + noise;
  return Number.isFinite(bound) ? { value: fine, bound, noise, step: half } : "too_coarse";
}

/** Tell a kink at the very place from one that the step reaches. */
function kink([here, , , above, below]: Around): Silence {
  const jumps = here.sides.some(
    (side, place) => side === 0 && above.sides[place] !== below.sides[place],
  );
  return jumps ? "not_differentiable_here" : "kink_nearby";
}

function contradict(one: Quotient, other: Quotient): boolean {
  return Math.abs(one.value - other.value) > one.bound + other.bound;
}
