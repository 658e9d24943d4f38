/** Ranges of sliders, and the result over such a range, split where it is not continuous. */

import { signal } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { forward } from "../../../engine_ts/src/forward.ts";
import { attempt, ownValue } from "./helpers.ts";
import type { EditableProgram } from "./program.ts";

export interface Range {
  readonly from: number;
  readonly to: number;
}

const USUAL: Range = { from: -10, to: 10 };

/** The ranges that a person has set, by name. */
export const ranges = signal<Readonly<Record<string, Range>>>({});
/** The variable whose curve is open. */
export const openCurve = signal<string | null>(null);
export const nudgeSize = signal(0.01);
/** Whether the open curve is told what a central difference is off by. */
export const showsDifferences = signal(false);

/** The range of a slider: what was set, or the usual one; it always has the value in it. */
export function rangeOf(name: string, value: number): Range {
  const { from, to } = ownValue(ranges.value, name) ?? USUAL;
  return { from: Math.min(from, value), to: Math.max(to, value) };
}

/** Set a range, and say whether it is one. */
export function setRange(name: string, range: Range): boolean {
  if (range.from >= range.to) return false;
  ranges.value = { ...ranges.value, [name]: range };
  return true;
}

/** Points of a curve at most, and pixels from one to the next: enough for a bend to look like one. */
const [POINTS, SPACING] = [48, 2.4];
/** Evaluations of nodes for a curve: a large graph has fewer points, so that a drag stays smooth. */
const BUDGET = 6_000;

/** The result as a function of one variable; null where there is none. */
export function resultOver({ prepared, values }: EditableProgram, name: string): Evaluate {
  const { graph, order, steps } = prepared;
  const all = new Map(Object.entries(values));
  const root = order.at(-1)!;
  return (value) => {
    const computed = attempt(() => forward(graph, order, steps, all.set(name, value)));
    return computed instanceof GradientError ? null : computed[0][root]!;
  };
}

/** A stretch of a curve without a gap. */
export type Stretch = readonly Sample[];

interface CurveSamples {
  /** The curve breaks where there is no value, at poles and at jumps. */
  readonly stretches: readonly Stretch[];
  /** The results at evenly spaced places: how high the curve is, but for poles. */
  readonly heights: readonly number[];
}

/** Ask for the curve of a variable, which is drawn so many pixels wide. */
export function curveOf(
  program: EditableProgram,
  name: string,
  range: Range,
  width: number,
): CurveSamples {
  const { from, to } = range;
  const evaluate = resultOver(program, name);
  const most = Math.min(POINTS, Math.ceil(width / SPACING));
  const steps = Math.max(12, Math.min(most, Math.floor(BUDGET / program.prepared.order.length)));
  const places = Array.from({ length: steps + 1 }, (_, at) => from + ((to - from) * at) / steps);
  // Where programs most often have no value, and no other point need fall there.
  if (from < 0 && 0 < to) places.push(0);
  const samples = places
    .sort((one, other) => one - other)
    .map((x): readonly [number, number | null] => [x, evaluate(x)]);
  return {
    stretches: splitAtGaps(samples, evaluate).flatMap((stretch) => splitAtJumps(stretch, evaluate)),
    heights: samples.map(([, y]) => y).filter((y) => y !== null),
  };
}

/** Split where there is no value; a stretch goes on up to the edge of what has one. */
function splitAtGaps(
  samples: readonly (readonly [number, number | null])[],
  evaluate: Evaluate,
): Sample[][] {
  const stretches: Sample[][] = [];
  let gap: number | null = null;
  let isOpen = false;
  for (const [x, y] of samples) {
    const last = stretches.at(-1)?.at(-1);
    if (y === null) {
      if (isOpen) stretches.at(-1)!.push(...approachEdge(last!, x, evaluate));
      [gap, isOpen] = [x, false];
    } else if (isOpen) stretches.at(-1)!.push([x, y]);
    else {
      const start: Sample[] = gap === null ? [] : approachEdge([x, y], gap, evaluate).reverse();
      stretches.push([...start, [x, y]]);
      isOpen = true;
    }
  }
  return stretches;
}

type Sample = readonly [x: number, y: number];

/** The function; null where it has no value. */
type Evaluate = (x: number) => number | null;

/** A discontinuity between two samples: what belongs to its left side, and to its right one. */
type Split = readonly [left: Sample[], right: Sample[]];

/** A rise of less than this share of the values is rounding, as in sin(x) ** 2 + cos(x) ** 2. */
const ROUNDING = 2 ** -44;
/** More of the whole rise than this in half of an interval needs a nearer look. */
const UNEVEN = 0.75;
/** Of a continuous function the steepest part rises less and less, the nearer it is looked at. */
const FLATTENS = 4;
/** What has become so many times as steep is a pole for any picture. */
const POLE = 2 ** 20;
/**
 * Where this share of an interval, or of where it is, still rises as much as the whole did, the
 * function jumps; much nearer there are no more doubles between.
 */
const NEAREST = 2 ** -40;
/** Searches for a discontinuity in a whole curve, which by rounding may seem to jump everywhere. */
const MOST_LOOKS = 200;
/** Looks at the edge of the domain, each at half the distance. */
const EDGE_STEPS = 16;

/**
 * Split samples without a gap where the function jumps or has a pole between two of them.
 *
 * Only where the rise is locally the largest it can be so: on both sides of a pole it is smaller.
 * The samples that are added make the branches follow a pole, and may reveal another one beside it.
 */
function splitAtJumps(
  samples: readonly Sample[],
  evaluate: Evaluate,
  depth = 2,
  budget = { tries: MOST_LOOKS },
): Sample[][] {
  const stretches: Sample[][] = [[]];
  let done = 0;
  for (const at of peaks(samples)) {
    const [first, last] = [Math.max(done, at - 1), Math.min(samples.length, at + 3)];
    if (budget.tries-- <= 0) break;
    if (at < done || isEven(samples[at]!, samples[at + 1]!, evaluate)) continue;
    const split = splitIn(samples.slice(first, last), evaluate);
    if (split === null) continue;
    const [left, right] =
      depth > 0
        ? split.map((side) => splitAtJumps(side, evaluate, depth - 1, budget))
        : [[split[0]], [split[1]]];
    stretches.at(-1)!.push(...samples.slice(done, first), ...(left![0] ?? []));
    stretches.push(...left!.slice(1), ...right!);
    done = last;
  }
  stretches.at(-1)!.push(...samples.slice(done));
  return stretches.filter(({ length }) => length > 0);
}

/** Intervals whose rise is not less than those of both neighbours, and more than rounding. */
function peaks(samples: readonly Sample[]): number[] {
  const rises = risesOf(samples);
  return [...rises.keys()].filter(
    (at) =>
      rises[at]! > Math.abs(samples[at]![1]) * ROUNDING &&
      rises[at]! > (rises[at - 1] ?? 0) &&
      rises[at]! >= (rises[at + 1] ?? 0),
  );
}

function risesOf(samples: readonly Sample[]): number[] {
  return samples.slice(1).map(([, y], at) => Math.abs(y - samples[at]![1]));
}

/** Whether both halves of an interval rise by about the same, and to the same side. */
function isEven(from: Sample, to: Sample, evaluate: Evaluate): boolean {
  const middle = evaluate((from[0] + to[0]) / 2);
  if (middle === null) return false;
  const share = (middle - from[1]) / (to[1] - from[1]);
  return Math.abs(share - 0.5) <= UNEVEN - 0.5;
}

/** Follow the steepest part as far as rounding lets it be seen; null where it flattens on the way. */
function splitIn(around: readonly Sample[], evaluate: Evaluate): Split | null {
  const [left, right]: [Sample[], Sample[]] = [[], []];
  let window: readonly Sample[] = around;
  let [first, most] = [0, 0];
  const nearest = NEAREST * Math.max(width(around), Math.abs(around[0]![0]));
  for (;;) {
    const points = subdivide(window, evaluate);
    const hole = points.findIndex(([, y]) => y === null);
    if (hole >= 0)
      return [
        left.concat(withValue(points.slice(0, hole))),
        withValue(points.slice(hole)).concat(right),
      ];
    const seen = withValue(points);
    const rises = risesOf(seen);
    const steepest = Math.max(...rises);
    if (steepest < most / FLATTENS) return null;
    first ||= steepest;
    most = Math.max(most, steepest);
    const at = rises.indexOf(steepest);
    const [start, end] = [Math.max(0, at - 1), Math.min(rises.length, at + 2)];
    left.push(...seen.slice(0, start + 1));
    right.unshift(...seen.slice(end));
    window = seen.slice(start, end + 1);
    if (steepest > POLE * first || width(window) <= nearest) return [left, right];
    left.pop();
    right.shift();
  }
}

/** Evaluate twice within each interval; the samples that are there stay. */
function subdivide(
  window: readonly Sample[],
  evaluate: Evaluate,
): (readonly [number, number | null])[] {
  const points: (readonly [number, number | null])[] = [window[0]!];
  for (const [at, sample] of window.entries()) {
    if (at === 0) continue;
    for (const part of [1, 2]) {
      const x = third(window[at - 1]![0], sample[0], part);
      points.push([x, evaluate(x)]);
    }
    points.push(sample);
  }
  return points;
}

function third(from: number, to: number, part: number): number {
  return from + ((to - from) * part) / 3;
}

function withValue(points: readonly (readonly [number, number | null])[]): Sample[] {
  return points.filter((point): point is Sample => point[1] !== null);
}

/** From a place with a value towards one without: points up to the edge, each twice as near. */
function approachEdge(inside: Sample, outside: number, evaluate: Evaluate): Sample[] {
  const found: Sample[] = [];
  let [within, without] = [inside[0], outside];
  for (let look = 0; look < EDGE_STEPS; look++) {
    const middle = (within + without) / 2;
    const y = evaluate(middle);
    if (y === null) without = middle;
    else found.push([(within = middle), y]);
  }
  return found;
}

function width(window: readonly Sample[]): number {
  return window.at(-1)![0] - window[0]![0];
}
