/** Work of the engine -> what it gives, or why it gives nothing. */

import { GradientError } from "../../../engine_ts/src/errors.ts";

export function attempt<T>(work: () => T): T | GradientError {
  try {
    return work();
  } catch (reason) {
    if (reason instanceof GradientError) return reason;
    throw reason;
  }
}
