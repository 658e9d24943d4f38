/** Numbers: read as a person typed them, and kept within bounds. */

/** Read a number that a person typed, or null. */
export function readNumber(text: string): number | null {
  const plain = text.trim().replaceAll("−", "-").replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
