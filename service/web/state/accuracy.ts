/** The true numbers beside those that are shown, computed only while somebody looks at them. */

import { computed } from "@preact/signals";
import { compare } from "../../../engine_ts/src/accuracy/accuracy.ts";
import type { Accuracy, AccuracyOptions, Why } from "../../../engine_ts/src/accuracy/accuracy.ts";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { attempt } from "./attempt.ts";
import { shown } from "./program.ts";

/** Less than the engine would do, for a slider has to be followed. */
const LIMITS = { truth_work: 50_000, evaluations: 50_000 };

/** Compare what is shown with the truth; the engine's word where that is too much work. */
function ask(options: AccuracyOptions): Accuracy | GradientError {
  const { document, values } = shown.value;
  const given = new Map(Object.entries(values));
  return attempt(() => compare(document, given, document, options, LIMITS));
}

export const compared = computed(() => ask({ most: 0 }));

/** The same with the rounding that most of a number's error comes from. */
export function explained(why: Why): Accuracy | null {
  const found = ask({ why, most: 1 });
  return found instanceof GradientError ? null : found;
}

/** The same with other ways to each gradient. */
export const witnessed = computed(() => ask({ most: 0, witnesses: true }));
