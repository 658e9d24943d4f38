/** Small helpers: errors of the engine as values, own properties of records, numbers and bounds. */

import { GradientError } from "../../../engine_ts/src/errors.ts";

export function attempt<T>(work: () => T): T | GradientError {
  try {
    return work();
  } catch (reason) {
    if (reason instanceof GradientError) return reason;
    throw reason;
  }
}

export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Parse a typed number; return null for an invalid one. */
export function readNumber(text: string): number | null {
  const plain = text.trim().replaceAll("−", "-").replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
