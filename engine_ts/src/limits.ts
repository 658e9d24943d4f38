/** Bounds on the size of a request, passed to the engine as a value. */

/** How large a request may be (CONTRACT.md R32, and R36 to R41 for the lab). */
export interface Limits {
  /** Code points of the expression. */
  readonly characters: number;
  /** Entries of `values`, and of `parameters`. */
  readonly variables: number;
  /** Nodes of the graph, in the requested view. */
  readonly nodes: number;
  /** Nodes times points of a sweep. */
  readonly sweep_nodes: number;
  /** Passes times edges of an experiment: the rows of its ledger. */
  readonly steps: number;
  /** Edges of the paths that are listed, together. */
  readonly path_edges: number;
  /** What the bits of true numbers cost, in nodes and exponentials; about a microsecond each. */
  readonly truth_work: number;
  /** Nodes that are computed for central differences. */
  readonly evaluations: number;
  /** Nodes that a descent computes, at all steps and rows together. */
  readonly descent_nodes: number;
  /** Parameters that a descent lists, at all points together. */
  readonly descent_numbers: number;
  /** Edges walked for second derivatives, in all directions together. */
  readonly tangents: number;
}

export const DEFAULT_LIMITS: Limits = {
  characters: 65_536,
  variables: 1_000,
  nodes: 10_000,
  sweep_nodes: 1_000_000,
  steps: 20_000,
  path_edges: 20_000,
  truth_work: 1_000_000,
  evaluations: 1_000_000,
  descent_nodes: 5_000_000,
  descent_numbers: 100_000,
  tangents: 200_000,
};

/**
 * Accept whole numbers from 0 up; what is left out or undefined has its default.
 *
 * @throws {RangeError} a limit is something else, which is the calling program's mistake
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
