/** English: what is wrong with a program, as the engine says it. */

/** A fault as a language tells it: code, span and data are the contract, the message is English. */
export interface Told {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The text before the place, and at it; empty where the text has no place for it. */
  readonly before: string;
  readonly found: string;
}

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
