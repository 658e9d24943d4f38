/** Numbers as they are written. */

/** Stands for a number that is not known yet. */
export const WAITING = "--";
/** Decimal digits of a number on a card. */
const DIGITS = 4;
/** What is smaller is written with its exponent. */
const LEAST_PLAIN = 1e-4;

/** Write a number for a card or a sentence; one that is about as short already stays as it is. */
export function short(value: number, digits = DIGITS): string {
  const whole = String(value);
  if (whole.length <= digits + 2 + Number(value < 0)) return exact(value);
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  const isPlain = size === 0 || (size >= LEAST_PLAIN && size < 10 ** (digits + 2));
  return signs(isPlain ? String(rounded) : rounded.toExponential());
}

/** Write a number with all its digits, as it would be typed, but for the sign of minus. */
export function exact(value: number): string {
  return signs(String(value));
}

export function signs(text: string): string {
  return text.replaceAll("-", "−").replace("e+", "e");
}

/** Write a change, with its sign. */
export function signed(value: number, digits = DIGITS): string {
  return value < 0 ? short(value, digits) : `+${short(value, digits)}`;
}
