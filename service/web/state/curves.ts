/** Ranges and steps of sliders, the open curve, and a node's data for other values. */

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

/** Ranges set by hand, by variable. */
export const ranges = signal<Readonly<Record<string, Range>>>({});
/** The variable whose curve is open. */
export const openCurve = signal<string | null>(null);
/** Whether the open curve shows the error of central differences. */
export const showsDifferences = signal(false);

/** Return a slider's range, set or usual, extended to contain the value. */
export function rangeOf(name: string, value: number): Range {
  const { from, to } = ownValue(ranges.value, name) ?? USUAL;
  return { from: Math.min(from, value), to: Math.max(to, value) };
}

/** Set a range if it is valid, and return whether it is. */
export function setRange(name: string, range: Range): boolean {
  if (range.from >= range.to) return false;
  ranges.value = { ...ranges.value, [name]: range };
  return true;
}

/** Steps of a slider's range, and of the range of a number dragged on its card. */
const SLIDER_STEPS = 200;

export function stepOf({ from, to }: Range): number {
  return (to - from) / SLIDER_STEPS;
}

/** Return a function from other values of some variables to a node's data, or null if invalid. */
export function dataOf({ prepared, values }: EditableProgram, node = prepared.order.length - 1) {
  const { graph, order, steps } = prepared;
  const all = new Map(Object.entries(values));
  return (others: Values): number | null => {
    for (const [name, value] of Object.entries(others)) all.set(name, value);
    const computed = attempt(() => forward(graph, order, steps, all));
    return computed instanceof GradientError ? null : computed[0][order[node]!]!;
  };
}
