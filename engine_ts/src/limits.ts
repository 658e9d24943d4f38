/** Bounds on the size of a request, passed to the engine as a value. */

import { DEFAULTS } from "./tables.ts";

/** schemas/limits.schema.json describes each of them. */
type Name =
  | "characters"
  | "variables"
  | "nodes"
  | "sweep_nodes"
  | "steps"
  | "path_edges"
  | "truth_work"
  | "evaluations"
  | "descent_nodes"
  | "descent_numbers"
  | "tangents";

/** How large a request may be (CONTRACT.md R32). */
export type Limits = Readonly<Record<Name, number>>;

export const DEFAULT_LIMITS = DEFAULTS as Limits;

/**
 * Check that limits are whole numbers, 0 or more; a missing or undefined one has its default.
 *
 * @throws {RangeError} a limit is anything else, which is a bug in the caller
 */
export function checkLimits(limits: Partial<Limits> = DEFAULT_LIMITS): Limits {
  if (limits === DEFAULT_LIMITS) return DEFAULT_LIMITS;
  const checked: Record<keyof Limits, number> = { ...DEFAULT_LIMITS };
  for (const [name, limit] of Object.entries(limits)) {
    if (!isLimit(name)) throw new RangeError(`limits has no member \`${name}\``);
    if (limit === undefined) continue;
    if (!Number.isSafeInteger(limit) || limit < 0) {
      throw new RangeError(`limits.${name} must be a whole number, 0 or more, not ${limit}`);
    }
    checked[name] = limit;
  }
  return checked;
}

function isLimit(name: string): name is keyof Limits {
  return Object.hasOwn(DEFAULT_LIMITS, name);
}
