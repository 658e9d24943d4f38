/** English: what is wrong with a program, as the engine says it. */

import type { Told } from "../fault.ts";

/** The engine's message, as sentences and without the offset, which the column says. */
export function told({ message }: Told): string {
  const brief = message
    .split("\n")[0]!
    .replace(/ at offset \d+/, "")
    .replace(/, at node \d+ \(`[^`]*`\)/, "");
  const sentences = brief
    .split("; ")
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`);
  const whole = sentences.join(". ");
  return /[.?]$/.test(whole) ? whole : `${whole}.`;
}
