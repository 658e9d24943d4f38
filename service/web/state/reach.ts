/** The pulse so far -> what each card knows. */

import { computed } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { arrived, otherWalk, revealed, seeded, step, ticks, way } from "./play.ts";
import { groups } from "./groups.ts";
import { held, shown } from "./program.ts";
import { tab } from "./view.ts";

/** What a card may show of its gradient. */
interface Reach {
  /** The sum so far; null before anything has arrived, and of a sum that the engine never had. */
  readonly grad: number | null;
  readonly arrived: number;
  readonly expected: number;
}

/** Whether every gradient is shown at once, as it is while training. */
export const showsAll = computed(() => revealed.value || tab.value === "train");

/** For each node what has reached it. */
export const reaches = computed((): readonly Reach[] => {
  const { nodes, root } = shown.value.document;
  const found = nodes.map((): Reach => ({ grad: null, arrived: 0, expected: 0 }));
  const until = way.value === "backward" ? arrived.value : 0;
  const isBackward = way.value === "backward";
  for (const [at, { edges = [], sums = [] }] of ticks.value.entries()) {
    const here = at < until;
    for (const [place, { from }] of edges.entries()) {
      const before = found[from]!;
      found[from] = {
        grad: here ? sums[place]! : before.grad,
        arrived: before.arrived + Number(here),
        expected: before.expected + 1,
      };
    }
  }
  if ((isBackward && seeded.value) || showsAll.value)
    found[root] = { grad: nodes[root]!.grad, arrived: 1, expected: 1 };
  if (!showsAll.value || otherWalk.value !== null) return found;
  return found.map(({ expected }, id) => ({ grad: nodes[id]!.grad, arrived: expected, expected }));
});

const NOTHING_YET: Reach = { grad: null, arrived: 0, expected: 1 };

/** What has reached a variable that can be changed. */
export function reachOf(id: number): Reach {
  return held.value === shown.value ? reaches.value[id]! : NOTHING_YET;
}

/** For each node whether its data is known; only forward it is not from the start. */
export const computedData = computed((): readonly boolean[] => {
  const { nodes } = shown.value.document;
  if (way.value !== "forward") return nodes.map(() => true);
  const done = new Set(ticks.value.slice(0, arrived.value).map(({ node }) => node));
  const { cardOf } = groups.value;
  return nodes.map(({ id, operation }) => operation === null || done.has(cardOf[id]!));
});

/** The edges as they are now: in another walk than the right one, as each was last taken. */
export const edgesNow = computed((): readonly Edge[] => {
  const { edges } = shown.value.document;
  if (otherWalk.value === null) return edges;
  const now = [...edges];
  for (const [at, { edge }] of ticks.value.entries()) {
    if (edge && (at < step.value || now[edge.id] === edges[edge.id])) now[edge.id] = edge;
  }
  return now;
});
