/** The words that are shown, and numbers as they are written. */

import { signal } from "@preact/signals";
import { shortened } from "../../../engine_ts/src/picture/text.ts";
import { FIRST } from "./en/first.ts";
import type { Words } from "./en/first.ts";

/** Decimal digits of a number on a card. */
const DIGITS = 4;

export const words = signal<Words>(FIRST);

/** Write a number for a card or a sentence. */
export function short(value: number, digits = DIGITS): string {
  return shortened(value, digits);
}

/** Write a number with all its digits, as it would be typed, but for the sign of minus. */
export function exact(value: number): string {
  return String(value).replaceAll("-", "−");
}

/** Write a change, with its sign. */
export function signed(value: number, digits = DIGITS): string {
  return value < 0 ? short(value, digits) : `+${short(value, digits)}`;
}

/** Read a number that a person typed, or null. */
export function readNumber(text: string): number | null {
  const plain = text.trim().replaceAll("−", "-").replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}
