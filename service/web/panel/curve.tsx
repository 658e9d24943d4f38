/** The result over one variable, with the tangent whose slope is the gradient. */

import { curveOf } from "../state/curves.ts";
import type { Range, Stretch } from "../state/curves.ts";
import { clamp } from "../state/helpers.ts";
import type { EditableProgram } from "../state/program.ts";
import { exact, short } from "../words/text.tsx";

/** What lies farther from here than this many times what the tangent spans is cut off. */
const MOST_REACH = 6;
const PAD = 5;
/** Below a curve whose axes have numbers: the line of those of the variable. */
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
  readonly width: number;
  readonly height: number;
  /** Whether its axes have numbers. */
  readonly hasNumbers?: boolean;
}

export function Curve(props: CurveProps) {
  const { program, name, range, value, slope, width, height, hasNumbers = false } = props;
  const { stretches, heights } = curveOf(program, name, range, width);
  const { result, gradients } = program.document ?? { result: null };
  const rise = (gradients?.[name] ?? 0) * (range.to - range.from);
  const [low, high] = verticalRange(heights, result, rise);
  const x = (at: number) => scaleTo(at, range.from, range.to, PAD, width - PAD);
  const floor = height - PAD - (hasNumbers ? AXIS_HEIGHT : 0);
  const y = (at: number) => scaleTo(at, low, high, floor, PAD);
  const clip = `clip-${name}-${width}`;
  return (
    <svg
      class="curve"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <clipPath id={clip}>
        <rect width={width} height={height} />
      </clipPath>
      {low < 0 && high > 0 && <path class="zero" d={`M0 ${y(0).toFixed(1)}H${width}`} />}
      <path
        class="stem"
        d={`M${x(value).toFixed(1)} ${result === null ? 0 : y(result).toFixed(1)}V${height}`}
      />
      <g clip-path={`url(#${clip})`}>
        {stretches.map((stretch) => (
          <path class="plot" d={linePath(stretch, x, y)} />
        ))}
        {slope !== null && result !== null && (
          <path class="tangent" d={tangentPath(range, value, result, slope, x, y)} />
        )}
      </g>
      {result !== null && (
        <circle class="here" cx={x(value)} cy={y(result)} r={hasNumbers ? 5.5 : 4} />
      )}
      {hasNumbers && (
        <g class="axis">
          <text x="5" y="15">
            {axisNumber(high, low)}
          </text>
          <text x="5" y={floor}>
            {axisNumber(low, high)}
          </text>
          <text x="5" y={height - 5}>
            {axisNumber(range.from, range.to)}
          </text>
          <text class="at-end" x={width - 5} y={height - 5}>
            {axisNumber(range.to, range.from)}
          </text>
        </g>
      )}
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
