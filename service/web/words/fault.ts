/** Fault -> the sentences that say what is wrong, and what to do. */

import type { GradientError } from "../../../engine_ts/src/errors.ts";
import { laterWords } from "./later.ts";

/** A fault as a language tells it: code, span and data are the contract, the message is English. */
export interface Told {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The text before the place, and at it; empty where the text has no place for it. */
  readonly before: string;
  readonly found: string;
}

export type Fault = Pick<GradientError, "code" | "message" | "data" | "span">;

/** Say what is wrong with a program; `text` is its expression. */
export function messageOf({ code, message, data, span }: Fault, text = ""): string {
  const told = laterWords.value.fault;
  if (code === "unexpected_end" && text.trim() === "") return told.empty;
  const points = [...text];
  const [start, end] = [span?.start ?? 0, span?.end ?? 0];
  const before = points.slice(0, start).join("");
  return told.told({ code, message, data, before, found: points.slice(start, end).join("") });
}
