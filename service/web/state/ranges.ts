/** What a slider reaches, and whose curve is open. */

import { own } from "./own.ts";
import { signal } from "@preact/signals";

export interface Range {
  readonly from: number;
  readonly to: number;
}

const USUAL: Range = { from: -10, to: 10 };

/** The ranges that a person has set, by name. */
export const ranges = signal<Readonly<Record<string, Range>>>({});
/** The variable whose curve is open. */
export const opened = signal<string | null>(null);
export const nudge = signal(0.01);
/** Whether the open curve is told what a central difference is off by. */
export const differenced = signal(false);

/** The range of a slider: what was set, or the usual one; it always has the value in it. */
export function rangeOf(name: string, value: number): Range {
  const { from, to } = own(ranges.value, name) ?? USUAL;
  return { from: Math.min(from, value), to: Math.max(to, value) };
}

/** Set a range, and say whether it is one. */
export function setRange(name: string, range: Range): boolean {
  if (range.from >= range.to) return false;
  ranges.value = { ...ranges.value, [name]: range };
  return true;
}
