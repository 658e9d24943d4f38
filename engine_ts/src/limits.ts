/** Bounds on a request, handed to the engine as a value. */

/** How large a request may be (CONTRACT.md R32). */
export interface Limits {
  /** Code points of the expression. */
  readonly characters: number;
  /** Entries of `values`, and of `parameters`. */
  readonly variables: number;
  /** Nodes of the graph, in the view that was asked for. */
  readonly nodes: number;
}

export const DEFAULT_LIMITS: Limits = { characters: 65_536, variables: 1_000, nodes: 10_000 };
