/** The result over one variable: its curve, split where it is not continuous, and its tangent. */

import type { ComponentChildren } from "preact";
import type { Node } from "../../../engine_ts/src/template.ts";
import { deferredWords } from "../deferred_words.ts";
import { resultOver, showsDifferences } from "../state/curves.ts";
import type { Evaluate, Range } from "../state/curves.ts";
import { clamp } from "../state/helpers.ts";
import { partialGradOf } from "../state/play.ts";
import { editable, parameters, shown, toggleParameter } from "../state/program.ts";
import type { EditableProgram } from "../state/program.ts";
import { words } from "../words.ts";
import { exact, short } from "../words/text.tsx";

interface DetailProps {
  readonly node: Node;
  readonly range: Range;
  /** What a central difference is off by. */
  readonly children: ComponentChildren;
}

export function CurveDetail({ node, range, children }: DetailProps) {
  const name = node.label!;
  const text = deferredWords.value.curve;
  const program = editable.value;
  const result = program.document?.result;
  const value = program.values[name]!;
  const { grad, arrived, expected } = partialGradOf(node.id);
  const slope = arrived === expected ? grad : null;
  const isMarked = parameters.value.includes(name);
  return (
    <div class="curve-detail">
      <Curve program={program} name={name} range={range} value={value} slope={slope} />
      <p class="legend">
        <b class="d">
          {text.curve(
            program.prepared.template.nodes.at(-1)!.row.label ?? words.value.stage.result,
            name,
            short(range.from),
            short(range.to),
          )}
        </b>
        {slope !== null && <b class="g">{text.tangent(short(slope))}</b>}
        {result !== undefined && (
          <span class="muted">{`${name} = ${short(value)}: ${short(result)}`}</span>
        )}
      </p>
      <div class="actions">
        <button class="chip" aria-pressed={isMarked} onClick={() => toggleParameter(name)}>
          {text.parameter}
          {isMarked ? " ✓" : ""}
        </button>
        <button
          class="chip"
          aria-pressed={showsDifferences.value}
          onClick={() => (showsDifferences.value = !showsDifferences.value)}
        >
          {text.central}
        </button>
      </div>
      {showsDifferences.value && editable.value === shown.value && children}
    </div>
  );
}

/** What lies farther from here than this many times what the tangent spans is cut off. */
const MOST_REACH = 6;
const [WIDTH, HEIGHT, PAD] = [350, 160, 5];
/** Below the curve: the line of the numbers of the variable. */
const AXIS_HEIGHT = 18;
/** A constant result has this share of it above and below, or 1. */
const FLAT_MARGIN = 2 ** -20;

interface CurveProps {
  readonly program: EditableProgram;
  readonly name: string;
  readonly range: Range;
  readonly value: number;
  /** Null while the gradient is not known. */
  readonly slope: number | null;
}

export function Curve({ program, name, range, value, slope }: CurveProps) {
  const { stretches, heights } = curveOf(program, name, range);
  const { result, gradients } = program.document ?? { result: null };
  const rise = (gradients?.[name] ?? 0) * (range.to - range.from);
  const [low, high] = verticalRange(heights, result, rise);
  const x = (at: number) => scaleTo(at, range.from, range.to, PAD, WIDTH - PAD);
  const floor = HEIGHT - PAD - AXIS_HEIGHT;
  const y = (at: number) => scaleTo(at, low, high, floor, PAD);
  return (
    <svg class="curve large" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {low < 0 && high > 0 && <path class="zero" d={`M0 ${y(0).toFixed(1)}H${WIDTH}`} />}
      <path
        class="stem"
        d={`M${x(value).toFixed(1)} ${result === null ? 0 : y(result).toFixed(1)}V${HEIGHT}`}
      />
      {stretches.map((stretch) => (
        <path class="plot" d={linePath(stretch, x, y)} />
      ))}
      {slope !== null && result !== null && (
        <path class="tangent" d={tangentPath(range, value, result, slope, x, y)} />
      )}
      {result !== null && <circle class="here" cx={x(value)} cy={y(result)} r="5.5" />}
      <g class="axis">
        <text x="5" y="15">
          {axisNumber(high, low)}
        </text>
        <text x="5" y={floor}>
          {axisNumber(low, high)}
        </text>
        <text x="5" y={HEIGHT - 5}>
          {axisNumber(range.from, range.to)}
        </text>
        <text class="at-end" x={WIDTH - 5} y={HEIGHT - 5}>
          {axisNumber(range.to, range.from)}
        </text>
      </g>
    </svg>
  );
}

/** A number of an axis, with all its digits where fewer do not tell it from the other end's. */
function axisNumber(number: number, other: number): string {
  return short(number) === short(other) ? exact(number) : short(number);
}

/**
 * From the lowest to the highest point, but near enough to here for its bend to be seen; where
 * here is no result, near to the middle one.
 */
function verticalRange(
  heights: readonly number[],
  result: number | null,
  rise: number,
): [number, number] {
  const sorted = [...heights].sort((one, other) => one - other);
  const here = result ?? sorted[sorted.length >> 1] ?? 0;
  const least = Math.min(here, ...heights);
  const most = Math.max(here, ...heights);
  const quarter =
    (sorted[Math.floor(sorted.length * 0.75)] ?? here) -
    (sorted[Math.floor(sorted.length * 0.25)] ?? here);
  const reach = MOST_REACH * Math.max(Math.abs(rise) / 4, quarter / 2) || Infinity;
  const [low, high] = [Math.max(least, here - reach), Math.min(most, here + reach)];
  const around = Math.max(1, Math.abs(here) * FLAT_MARGIN);
  return low < high ? [low, high] : [here - around, here + around];
}

function scaleTo(at: number, from: number, to: number, first: number, last: number): number {
  const share = (at - from) / (to - from);
  return first + (last - first) * clamp(share, -9, 10);
}

type Scale = (at: number) => number;

function linePath(stretch: Stretch, x: Scale, y: Scale): string {
  return `M${stretch.map(([at, to]) => `${x(at).toFixed(1)} ${y(to).toFixed(1)}`).join("L")}`;
}

/** Straight in the picture, too: half the range to both sides of here. */
function tangentPath(
  range: Range,
  value: number,
  result: number,
  slope: number,
  x: Scale,
  y: Scale,
): string {
  const half = (range.to - range.from) / 3;
  const ends = [value - half, value + half].map((at) => {
    const inside = clamp(at, range.from, range.to);
    return `${x(inside).toFixed(1)} ${y(result + slope * (inside - value)).toFixed(1)}`;
  });
  return `M${ends.join("L")}`;
}

/** Points of a curve at least and at most: enough for a bend to look like one. */
const [FEWEST, MOST] = [12, 48];
/** Evaluations of nodes for a curve: a large graph has fewer points, so that a drag stays smooth. */
const BUDGET = 6_000;

/** A stretch of a curve without a gap. */
type Stretch = readonly Sample[];

interface CurveSamples {
  /** The curve breaks where there is no value, at poles and at jumps. */
  readonly stretches: readonly Stretch[];
  /** The results at evenly spaced places: how high the curve is, but for poles. */
  readonly heights: readonly number[];
}

/** The curve of a variable. */
function curveOf(program: EditableProgram, name: string, range: Range): CurveSamples {
  const { from, to } = range;
  const evaluate = resultOver(program, name);
  const steps = clamp(Math.floor(BUDGET / program.prepared.order.length), FEWEST, MOST);
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
