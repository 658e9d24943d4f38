/** Texts and numbers -> as much of them as there is room for. */

import { cut } from "../words/names.ts";
import { short } from "../words/numbers.ts";

/** The width of a letter of the widest of our fonts of one width, in its sizes. */
const LETTER = 0.62;

export function widthOf(text: string, size: number): number {
  return text.length * size * LETTER;
}

/** Cut a text to a width; of less than three letters nothing is left. */
export function fitted(text: string, size: number, width: number): string {
  const most = Math.floor(width / (size * LETTER));
  return text.length <= most || most >= 3 ? cut(text, Math.max(most, 1)) : "";
}

/** A number with fewer digits, but three, then in smaller letters, then with two or one, until it fits. */
export function numberIn(
  value: number,
  width: number,
  size: number,
  least: number,
): readonly [text: string, size: number] {
  const small = Math.min(size, Math.max(least, 0.8 * size));
  for (const most of [
    [4, 3],
    [2, 1],
  ])
    for (const letters of [size, small, least])
      for (const digits of most) {
        const text = short(value, digits);
        if (widthOf(text, letters) <= width) return [text, letters];
      }
  return ["…", least];
}
