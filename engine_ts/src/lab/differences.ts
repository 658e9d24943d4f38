/**
 * Program + variable -> its central difference: a derivative that knows no chain rule.
 *
 * (f(x + h) - f(x - h)) / 2h is the derivative up to
 *
 * - truncation: c h**2 for h and a quarter of that for h / 2, so that the second quotient is three
 *   times nearer to the truth than to the first one. Their whole distance is taken.
 * - rounding: what both results can be off by, over 2h. Twice that is taken.
 *
 * Several steps h are tried, and the smallest bound wins. Three kinds of quotients are not believed,
 * because their steps are too large for the first argument: one that contradicts that of a smaller
 * step, one where the slopes to the left and to the right do not come nearer to each other with
 * h / 2, as they do where a function is smooth, and one that steps over the bends of a function.
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
/** A second derivative halves the distance of the two slopes with h, a kink does not. */
const SMOOTH = 0.75;
/** An operation that bends, such as sin or tanh, is not followed where its operand moves by more. */
const FOLLOWED = 1;

/** For one variable, at most. */
export const EVALUATIONS = 4 * (STEPS.length + 1) + 1;

export type Silence = "not_differentiable_here" | "kink_nearby" | "no_value_nearby" | "too_coarse";

/** A central difference, its step and its error bound. */
export interface Quotient {
  readonly value: number;
  readonly bound: number;
  readonly step: number;
}

/** What the program computes at x, x + h, x - h, x + h / 2 and x - h / 2. */
type Around = Five<Computed>;
type Five<T> = readonly [here: T, above: T, below: T, halfAbove: T, halfBelow: T];

/**
 * Give the most precise quotient, or why there is none.
 *
 * @param program what to compute
 * @param leaf the variable
 * @param here what it computes as it is
 * @param magnitude of the derivative, about
 */
export function centralDifference(
  program: Program,
  leaf: number,
  here: Computed | null,
  magnitude: number,
): Quotient | Silence {
  const believed: Quotient[] = [];
  let silence: Silence = "no_value_nearby";
  const x = program[leaf]!.data;
  for (const step of steps(x, here, magnitude).sort((one, other) => one - other)) {
    const half = halfOf(x, step);
    const around = [here, ...[step, -step, half, -half].map((h) => evaluate(program, leaf, x + h))];
    if (around.some((computed) => computed === null)) continue;
    const quotient = quotientOf(around as unknown as Around, step, half);
    if (typeof quotient === "string") {
      silence = silence === "no_value_nearby" ? quotient : silence;
    } else if (!believed.some((finer) => contradict(quotient, finer))) {
      believed.push(quotient);
    }
  }
  if (believed.length === 0) return silence;
  return believed.reduce((best, quotient) => (quotient.bound < best.bound ? quotient : best));
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
  const roots = around.map(rootOf) as unknown as Five<Rounded>;
  const [here, above, below, halfAbove, halfBelow] = roots;
  const sides = around.map((computed) => computed.sides.join());
  if (sides.slice(1).some((side) => side !== sides[1])) return kink(around);
  if (around[0].phases.some((_, slot) => !follows(around, slot))) return "too_coarse";
  const noise = (SAFE * (halfAbove.bound + halfBelow.bound + 2 * here.bound)) / (2 * half);
  const bend = Math.abs(above.data - here.data - (here.data - below.data)) / (2 * step);
  const halfBend = Math.abs(halfAbove.data - here.data - (here.data - halfBelow.data)) / (2 * half);
  const coarse = (above.data - below.data) / (2 * step);
  const fine = (halfAbove.data - halfBelow.data) / (2 * half);
  const bound = Math.abs(coarse - fine) + noise + SAFE * rounding(fine);
  if (!Number.isFinite(bound) || halfBend > SMOOTH * bend + noise) return "too_coarse";
  return { value: fine, bound, step: half };
}

/** Tell a kink at the very place from one that the step reaches. */
function kink([here, , , above, below]: Around): Silence {
  const jumps = here.sides.some(
    (side, place) => side === 0 && above.sides[place] !== below.sides[place],
  );
  return jumps ? "not_differentiable_here" : "kink_nearby";
}

/** True where the operand of an operation that bends moves by little, its errors included. */
function follows(around: Around, slot: number): boolean {
  const phases = around.map((computed) => computed.phases[slot]!);
  const highest = Math.max(...phases.map(({ data, bound }) => data + bound));
  const lowest = Math.min(...phases.map(({ data, bound }) => data - bound));
  return highest - lowest <= FOLLOWED;
}

function contradict(one: Quotient, other: Quotient): boolean {
  return Math.abs(one.value - other.value) > one.bound + other.bound;
}
