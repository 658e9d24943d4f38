/** What the depth-first sort makes of each card: on the call stack, in topo with its place, or neither. */

import { computed } from "@preact/signals";
import { arrived, way } from "./play.ts";
import type { Tick } from "./beats.ts";
import { shown } from "./program.ts";
import { beats } from "./sorted.ts";

export interface Mark {
  readonly at: "unseen" | "stack" | "topo";
  /** Its place in topo, from 1. */
  readonly place: number | null;
}

const UNSEEN: Mark = { at: "unseen", place: null };

/** By node, after some beats. */
function marksAfter(done: readonly Tick[], nodes: number): readonly Mark[] {
  const found = new Array<Mark>(nodes).fill(UNSEEN);
  let place = 0;
  for (const { node, does } of done) {
    if (does === "enter") found[node] = { at: "stack", place: null };
    else if (does === "append") found[node] = { at: "topo", place: ++place };
  }
  return found;
}

/** By node, at this moment; null where another way is played. */
export const marks = computed(() =>
  way.value === "sort"
    ? marksAfter(beats.value.slice(0, arrived.value), shown.value.document.nodes.length)
    : null,
);
