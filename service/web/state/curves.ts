/** Program + variable -> the result over the variable's range, asked point by point. */

import { GradientError } from "../../../engine_ts/src/errors.ts";
import { forward } from "../../../engine_ts/src/forward.ts";
import type { Shown } from "./program.ts";
import type { Range } from "./ranges.ts";

/** Points of a curve: enough for a bend to look like one. */
const POINTS = 48;
/** Of a large graph fewer are asked, for a drag must stay smooth. */
const BUDGET = 6_000;

/** The result where a variable has another value; null where there is none. */
export function resultAt({ prepared, values }: Shown, name: string, value: number): number | null {
  try {
    const all = new Map(Object.entries(values)).set(name, value);
    const { graph, order, steps } = prepared;
    return forward(graph, order, steps, all)[0][order.at(-1)!]!;
  } catch (reason) {
    if (reason instanceof GradientError) return null;
    throw reason;
  }
}

/** A stretch of a curve without a gap. */
export type Stretch = readonly (readonly [x: number, y: number])[];

/** Ask for the curve of a variable; it breaks where there is no value. */
export function curveOf(shown: Shown, name: string, { from, to }: Range): Stretch[] {
  const steps = Math.max(12, Math.min(POINTS, Math.floor(BUDGET / shown.document.nodes.length)));
  const stretches: [number, number][][] = [[]];
  const places = Array.from({ length: steps + 1 }, (_, at) => from + ((to - from) * at) / steps);
  // Where programs most often have no value, and no other point need fall there.
  if (from < 0 && 0 < to) places.push(0);
  for (const x of places.sort((one, other) => one - other)) {
    const y = resultAt(shown, name, x);
    if (y !== null) stretches.at(-1)!.push([x, y]);
    else if (stretches.at(-1)!.length > 0) stretches.push([]);
  }
  return stretches.filter((stretch) => stretch.length > 0);
}
