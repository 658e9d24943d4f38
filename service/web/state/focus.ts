/** Of a graph that is shown in parts: what the part is around, and the cards at the ends of this step. */

import { computed, effect, signal, untracked } from "@preact/signals";
import { current, lastTicks, seeded, step } from "./play.ts";
import { shown, structure } from "./program.ts";
import { pass } from "./view.ts";

/** The node that a person looks at; null where they follow the pass. */
export const chosenNode = signal<number | null>(null);

/** The nodes at both ends of the arrows under way; before the pass, none. */
export const activeNodes = computed((): ReadonlySet<number> => {
  const ticks = seeded.value ? lastTicks.value : [];
  return new Set(ticks.flatMap(({ edge, node }) => [edge?.to ?? node, node]));
});

/** The ends of each step of this pass. */
interface Ends {
  readonly from: number;
  readonly to: number;
}

/** The ends of this step, of the node that is looked at, or at first of the result. */
export const focus = computed((): Ends => {
  const { root } = shown.value.document;
  if (chosenNode.value !== null) return { from: chosenNode.value, to: chosenNode.value };
  const tick = current.value;
  return { from: tick?.node ?? root, to: tick?.edge?.to ?? tick?.node ?? root };
});

// The pass that goes on is followed, and another graph is seen from its result.
effect(() => {
  void [step.value, pass.value, structure.value];
  untracked(() => (chosenNode.value = null));
});
