/** For a graph shown in parts: the centre of the part, and the cards at the ends of this step. */

import { computed, effect, signal, untracked } from "@preact/signals";
import { current, lastTicks, seeded, step } from "./play.ts";
import { shown, structure } from "./program.ts";
import { pass } from "./view.ts";

/** The node chosen by hand; null while the part follows the pass. */
export const chosenNode = signal<number | null>(null);

/** The nodes at both ends of the arrows under way; empty before the pass. */
export const activeNodes = computed((): ReadonlySet<number> => {
  const ticks = seeded.value ? lastTicks.value : [];
  return new Set(ticks.flatMap(({ edge, node }) => [edge?.to ?? node, node]));
});

/** The nodes at the ends of a step. */
interface Ends {
  readonly from: number;
  readonly to: number;
}

/** The ends of this step; the chosen node, if any, or at first the result. */
export const focus = computed((): Ends => {
  const { root } = shown.value.document;
  if (chosenNode.value !== null) return { from: chosenNode.value, to: chosenNode.value };
  const tick = current.value;
  return { from: tick?.node ?? root, to: tick?.edge?.to ?? tick?.node ?? root };
});

// When the pass goes on, the part follows it again; a new graph starts at its result.
effect(() => {
  void [step.value, pass.value, structure.value];
  untracked(() => (chosenNode.value = null));
});
