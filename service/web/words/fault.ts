/** Fault -> the sentences that say what is wrong, and what to do. */

import type { GradientError } from "../../../engine_ts/src/errors.ts";
import type { LaterWords } from "./en/later.ts";

export type Fault = Pick<GradientError, "code" | "message" | "data" | "span">;

/** Say what is wrong with a program of this expression. */
export function messageOf(
  text: LaterWords["fault"],
  { code, message, data, span }: Fault,
  expression = "",
): string {
  if (code === "unexpected_end" && expression.trim() === "") return text.empty;
  const points = [...expression];
  const [start, end] = [span?.start ?? 0, span?.end ?? 0];
  const before = points.slice(0, start).join("");
  return text.told({ code, message, data, before, found: points.slice(start, end).join("") });
}
