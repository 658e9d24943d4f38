/** Ranges and steps of sliders, the curve that is open, and what a node would have with other values. */

import { signal } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { forward } from "../../../engine_ts/src/forward.ts";
import { attempt, ownValue } from "./helpers.ts";
import type { EditableProgram, Values } from "./program.ts";

export interface Range {
  readonly from: number;
  readonly to: number;
}

const USUAL: Range = { from: -10, to: 10 };

/** The ranges that a person has set, by name. */
export const ranges = signal<Readonly<Record<string, Range>>>({});
/** The variable whose curve is open. */
export const openCurve = signal<string | null>(null);
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

/** Of a range so many steps: of its slider, and of a number that is dragged on its card. */
const SLIDER_STEPS = 200;

export function stepOf({ from, to }: Range): number {
  return (to - from) / SLIDER_STEPS;
}

/** The data of a node, usually the root, with other values for some variables; null where it has none. */
export function dataOf({ prepared, values }: EditableProgram, node = prepared.order.length - 1) {
  const { graph, order, steps } = prepared;
  const all = new Map(Object.entries(values));
  return (others: Values): number | null => {
    for (const [name, value] of Object.entries(others)) all.set(name, value);
    const computed = attempt(() => forward(graph, order, steps, all));
    return computed instanceof GradientError ? null : computed[0][order[node]!]!;
  };
}
