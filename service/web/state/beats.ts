/** A walk over the ledger + the cards -> its beats: one for each contribution that is seen on its way. */

import type { Document } from "../../../engine_ts/src/document.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import type { Groups } from "./groups.ts";

/** What arrives together: one contribution, or what a closed group has sent up to its next wire. */
interface Beat {
  /** The contribution that is told. */
  readonly edge: Edge;
  /** All that arrives, in the order of the engine. */
  readonly edges: readonly Edge[];
  /** What each of them makes of its node's gradient; null for a sum that the engine never had. */
  readonly sums: readonly (number | null)[];
}

/** A beat of the sort: a call, one of what was visited, the end of a call, the reversed list. */
export type Does = "enter" | "skip" | "append" | "reverse";

/**
 * One tick of the timeline: backward one contribution, forward one operation, of the sort a beat; a
 * closed group is one operation, and sends what it has for its own leaves with its last wire.
 */
export interface Tick extends Partial<Omit<Beat, "edge">> {
  /** The node that something arrives at. */
  readonly node: number;
  /** What sends it, or calls it; not forward. */
  readonly edge: Edge | null;
  /** Only of the sort. */
  readonly does?: Does;
}

/** Group what flows by card: groups in the order of their roots, which is a valid order. */
export function beatsOf(
  flows: readonly Edge[],
  { backward_order }: Document,
  { cardOf, cards }: Groups,
): Beat[] {
  const closed = new Set(cards.filter(({ members }) => members.length > 1).map(({ id }) => id));
  if (closed.size === 0)
    return flows.map((edge) => ({ edge, edges: [edge], sums: [edge.running_grad] }));
  const sent = Map.groupBy(flows, ({ to }) => cardOf[to]!);
  const parts: Edge[][] = [];
  for (const card of backward_order) {
    const edges = sent.get(card) ?? [];
    let part: Edge[] = [];
    const first = parts.length;
    for (const edge of edges) {
      part.push(edge);
      if (closed.has(card) && cardOf[edge.from] === card) continue;
      parts.push(part);
      part = [];
    }
    // What only concerns the group's own leaves comes with its last wire.
    if (part.length > 0 && parts.length > first) parts.at(-1)!.push(...part);
    else if (part.length > 0) parts.push(part);
  }
  return summed(parts, flows, cardOf);
}

function summed(
  parts: readonly Edge[][],
  flows: readonly Edge[],
  cardOf: readonly number[],
): Beat[] {
  const due = Map.groupBy(flows, ({ from }) => from);
  const come = new Map<number, Set<Edge>>();
  return parts.map((edges) => {
    const sums = edges.map((edge) => {
      const found = (come.get(edge.from) ?? new Set()).add(edge);
      come.set(edge.from, found);
      const before = due.get(edge.from)!.slice(0, found.size);
      return before.every((each) => found.has(each)) ? before.at(-1)!.running_grad : null;
    });
    const edge = edges.findLast(({ from, to }) => cardOf[from] !== cardOf[to]) ?? edges.at(-1)!;
    return { edge, edges, sums };
  });
}
