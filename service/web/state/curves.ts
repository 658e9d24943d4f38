/** Program + variable -> the result over the variable's range, asked point by point. */

import { GradientError } from "../../../engine_ts/src/errors.ts";
import { forward } from "../../../engine_ts/src/forward.ts";
import { attempt } from "./attempt.ts";
import type { Held } from "./program.ts";
import type { Range } from "./ranges.ts";
import { edge, torn } from "./tears.ts";
import type { Ask, Sample } from "./tears.ts";

/** Points of a curve at most, and pixels from one to the next: enough for a bend to look like one. */
const [POINTS, APART] = [48, 2.4];
/** Of a large graph fewer are asked, for a drag must stay smooth. */
const BUDGET = 6_000;

/** The result as a function of one variable; null where there is none. */
export function over({ prepared, values }: Held, name: string): Ask {
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

interface Asked {
  /** The curve breaks where there is no value, at poles and at jumps. */
  readonly stretches: readonly Stretch[];
  /** The results at evenly spaced places: how high the curve is, but for poles. */
  readonly heights: readonly number[];
}

/** Ask for the curve of a variable, which is drawn so many pixels wide. */
export function curveOf(program: Held, name: string, range: Range, width: number): Asked {
  const { from, to } = range;
  const ask = over(program, name);
  const most = Math.min(POINTS, Math.ceil(width / APART));
  const steps = Math.max(12, Math.min(most, Math.floor(BUDGET / program.prepared.order.length)));
  const places = Array.from({ length: steps + 1 }, (_, at) => from + ((to - from) * at) / steps);
  // Where programs most often have no value, and no other point need fall there.
  if (from < 0 && 0 < to) places.push(0);
  const samples = places
    .sort((one, other) => one - other)
    .map((x): readonly [number, number | null] => [x, ask(x)]);
  return {
    stretches: withEdges(samples, ask).flatMap((stretch) => torn(stretch, ask)),
    heights: samples.map(([, y]) => y).filter((y) => y !== null),
  };
}

/** Split where there is no value; a stretch goes on up to the edge of what has one. */
function withEdges(samples: readonly (readonly [number, number | null])[], ask: Ask): Sample[][] {
  const stretches: Sample[][] = [];
  let gap: number | null = null;
  let isOpen = false;
  for (const [x, y] of samples) {
    const last = stretches.at(-1)?.at(-1);
    if (y === null) {
      if (isOpen) stretches.at(-1)!.push(...edge(last!, x, ask));
      [gap, isOpen] = [x, false];
    } else if (isOpen) stretches.at(-1)!.push([x, y]);
    else {
      const start: Sample[] = gap === null ? [] : edge([x, y], gap, ask).reverse();
      stretches.push([...start, [x, y]]);
      isOpen = true;
    }
  }
  return stretches;
}
