/** The result over one variable: its curve, split where it is not continuous, and its tangent. */

import type { ComponentChildren } from "preact";
import type { Node } from "../../../engine_ts/src/template.ts";
import { Chip, pathOf, round, scaleOf } from "../controls.tsx";
import { clamp } from "../state/helpers.ts";
import { partialGradOf } from "../state/play.ts";
import {
  dataOf,
  editable,
  parameters,
  shown,
  showsDifferences,
  toggleParameter,
} from "../state/program.ts";
import type { Range } from "../state/program.ts";
import { inChosenLanguage, words, wordsOf } from "../words.ts";
import { CURVE } from "../words/en.ts";
import { exact, short, write } from "../words/text.tsx";

const text = inChosenLanguage(wordsOf("curve", CURVE));

interface DetailProps {
  readonly node: Node;
  readonly range: Range;
  /** The error of a central difference. */
  readonly children: ComponentChildren;
}

export function CurveDetail({ node, range, children }: DetailProps) {
  const name = node.label!;
  const { document, prepared, values } = editable.value;
  const value = values[name]!;
  const { grad, arrived, expected } = partialGradOf(node.id);
  const slope = arrived === expected ? grad : null;
  const isMarked = parameters.value.includes(name);
  const result = prepared.template.nodes.at(-1)!.row.label ?? words.value.stage.result;
  return (
    <div class="curve-detail">
      <Curve name={name} range={range} slope={slope} />
      <p class="legend">
        <b class="d">{text.curve(result, name, short(range.from), short(range.to))}</b>
        {slope !== null && <b class="g">{text.tangent(write(slope))}</b>}
        {document && (
          <span class="muted">{`${name} = ${write(value)}: ${write(document.result)}`}</span>
        )}
      </p>
      <div class="wraps">
        <Chip isOn={isMarked} press={() => toggleParameter(name)}>
          {text.parameter}
          {isMarked ? " ✓" : ""}
        </Chip>
        <Chip
          isOn={showsDifferences.value}
          press={() => (showsDifferences.value = !showsDifferences.value)}
        >
          {text.central}
        </Chip>
      </div>
      {showsDifferences.value && editable.value === shown.value && children}
    </div>
  );
}

/** The curve is clipped beyond this multiple of the tangent's rise from the point. */
const MAX_REACH = 6;
const [WIDTH, HEIGHT, PAD] = [350, 160, 5];
/** Bottom of the curve; the variable's numbers are below it. */
const FLOOR = HEIGHT - PAD - 18;
/** A constant result gets this share of itself as a margin above and below, at least 1. */
const FLAT_MARGIN = 2 ** -20;
/** Fewest and most samples of a curve; it is refined between them if it is not straight. */
const [FEWEST, MOST] = [12, 32];
/** Node evaluations for the samples: a large graph gets fewer, so that a drag stays smooth. */
const BUDGET = 4_000;

interface CurveProps {
  readonly name: string;
  readonly range: Range;
  /** Null while the gradient is not known. */
  readonly slope: number | null;
}

function Curve({ name, range: { from, to }, slope }: CurveProps) {
  const { document, prepared, values } = editable.value;
  const value = values[name]!;
  const { result, gradients } = document ?? { result: null };
  const resultAt = dataOf(editable.value);
  const evaluate: Evaluate = (place) => resultAt({ [name]: place });
  const steps = clamp(Math.floor(BUDGET / prepared.order.length), FEWEST, MOST);
  const samples = Array.from({ length: steps + 1 }, (_, at): Sample => {
    const place = from + ((to - from) * at) / steps;
    return [place, evaluate(place)];
  });
  const heights = samples.map(([, height]) => height).filter((height) => height !== null);
  const [low, high] = verticalRange(heights, result, (gradients?.[name] ?? 0) * (to - from));
  const x = scaleOf(from, to, PAD, WIDTH - PAD);
  const y = scaleOf(low, high, FLOOR, PAD);
  const path = (line: Stretch) => pathOf(line.map(([at, height]) => ({ x: x(at), y: y(height) })));
  // A third of the range to each side.
  const ends = [value - (to - from) / 3, value + (to - from) / 3].map((end) =>
    clamp(end, from, to),
  );
  return (
    <svg class="curve large" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {low < 0 && high > 0 && <path class="zero" d={`M0 ${round(y(0))}H${WIDTH}`} />}
      <path
        class="stem"
        d={`M${round(x(value))} ${result === null ? 0 : round(y(result))}V${HEIGHT}`}
      />
      {stretchesOf(samples, evaluate, [low, high]).map((stretch) => (
        <path class="plot" d={path(stretch)} />
      ))}
      {slope !== null && result !== null && (
        <path class="tangent" d={path(ends.map((end) => [end, result + slope * (end - value)]))} />
      )}
      {result !== null && <circle class="here" cx={x(value)} cy={y(result)} r="5.5" />}
      <g class="axis">
        <text x="5" y="15">
          {axisNumber(high, low)}
        </text>
        <text x="5" y={FLOOR}>
          {axisNumber(low, high)}
        </text>
        <text x="5" y={HEIGHT - 5}>
          {axisNumber(from, to)}
        </text>
        <text class="at-end" x={WIDTH - 5} y={HEIGHT - 5}>
          {axisNumber(to, from)}
        </text>
      </g>
    </svg>
  );
}

/** Format a number of an axis, with all digits if fewer would equal the other end's. */
function axisNumber(number: number, other: number): string {
  return short(number) === short(other) ? exact(number) : short(number);
}

/**
 * Return the lowest and highest height shown, close enough to `result` for the curve's bend to be
 * visible; without a result, close to the median.
 */
function verticalRange(
  heights: readonly number[],
  result: number | null,
  rise: number,
): [number, number] {
  const sorted = heights.toSorted((one, other) => one - other);
  const here = result ?? sorted[sorted.length >> 1] ?? 0;
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? here;
  const spread = Math.max(Math.abs(rise) / 4, (at(0.75) - at(0.25)) / 2);
  const reach = MAX_REACH * spread || Infinity;
  const low = Math.max(Math.min(here, ...heights), here - reach);
  const high = Math.min(Math.max(here, ...heights), here + reach);
  const around = Math.max(1, Math.abs(here) * FLAT_MARGIN);
  return low < high ? [low, high] : [here - around, here + around];
}

/** Maximum evaluations between two samples: because of rounding a curve may jump anywhere. */
const MAX_LOOKS = 160;
/** The largest error of a straight piece's middle, in pixels or as a share of its height. */
const [STRAIGHT, ROUNDING] = [0.5, 2 ** -44];
/** A piece that is not straight within this share of the range is a break. */
const NEAREST = 2 ** -40;

/** Returns the result at a value of the variable, or null if there is none. */
type Evaluate = (x: number) => number | null;
/** A point of a curve, or a gap if the height is null. */
type Sample = readonly [x: number, y: number | null];
/** A continuous piece of a curve. */
type Stretch = readonly (readonly [x: number, y: number])[];

/**
 * Split a curve into continuous pieces. If it is not straight between two samples it is refined,
 * down to the place of a break; far outside the picture it counts as straight.
 */
function stretchesOf(
  samples: readonly Sample[],
  evaluate: Evaluate,
  [low, high]: readonly [number, number],
): Stretch[] {
  const most = Math.max(Math.abs(low), Math.abs(high));
  const tolerance = Math.max(((high - low) * STRAIGHT) / HEIGHT, most * ROUNDING);
  const nearest = NEAREST * Math.max(samples.at(-1)![0] - samples[0]![0], Math.abs(samples[0]![0]));
  const stretches: [x: number, y: number][][] = [];
  let [isOpen, looks] = [false, 0];
  const add = ([x, y]: Sample) => {
    if (y !== null && !isOpen) stretches.push([]);
    if (y !== null) stretches.at(-1)!.push([x, y]);
    isOpen = y !== null;
  };
  const seen = (y: number) => clamp(y, 2 * low - high, 2 * high - low);
  const isStraight = (from: number | null, middle: number | null, to: number | null) =>
    from === null || middle === null || to === null
      ? from === middle && middle === to
      : Math.abs(seen(middle) - (seen(from) + seen(to)) / 2) <= tolerance;
  const follow = (from: Sample, to: Sample): void => {
    const x = (from[0] + to[0]) / 2;
    const middle: Sample = [x, evaluate(x)];
    if (looks-- <= 0 || isStraight(from[1], middle[1], to[1])) return;
    if (to[0] - from[0] <= nearest) {
      isOpen = false;
      return;
    }
    follow(from, middle);
    add(middle);
    follow(middle, to);
  };
  for (const [at, sample] of samples.entries()) {
    looks = MAX_LOOKS;
    if (at > 0) follow(samples[at - 1]!, sample);
    add(sample);
  }
  return stretches;
}
