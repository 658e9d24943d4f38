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

/**
 * The engine's message, as sentences and without what the column says: an offset is told as its
 * column, where it is another, and a node not by its number, which is nowhere on the page.
 */
export function told({ message, before }: Told): string {
  const here = [...before].length;
  const brief = message
    .split("\n")[0]!
    .replace(/ at offset (\d+)/g, (_, offset) =>
      Number(offset) === here ? "" : ` in column ${Number(offset) + 1}`,
    )
    .replace(/,? at node \d+( \(`[^`]*`\))?/, "");
  const sentences = brief
    .split("; ")
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`);
  const whole = sentences.join(". ");
  return /[.?]$/.test(whole) ? whole : `${whole}.`;
}
