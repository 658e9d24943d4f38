/** What the camera looks at: everything, the cards of the wave, or cards that were chosen. */

import { batch, computed, effect, signal } from "@preact/signals";
import { cardGraph } from "./cards.ts";
import { lastTicks, seeded } from "./play.ts";
import { structure } from "./program.ts";
import { pan, zoom } from "./view.ts";

/** Whether the camera goes with the wave. */
export const following = signal(true);
/** The cards that were chosen, where it does not; null is the whole graph. */
export const chosenTarget = signal<readonly number[] | null>(null);

let before: readonly number[] = [];

/** The cards at both ends of the arrows under way; before the wave, none. Other values, same list. */
export const activeCards = computed((): readonly number[] => {
  const { cardOf } = cardGraph.value;
  const ticks = seeded.value ? lastTicks.value : [];
  const ends = ticks.flatMap(({ edge, node }) => [edge?.to ?? node, node]);
  const found = [...new Set(ends.map((id) => cardOf[id]!))];
  if (found.join() !== before.join()) before = found;
  return before;
});

/** What the camera is to show; null is all that is drawn. */
export const target = computed(() => {
  if (!following.value) return chosenTarget.value;
  return activeCards.value.length > 0 ? activeCards.value : null;
});

/** Show these cards, wherever the wave is; null is the whole graph. */
export function aimAt(cards: readonly number[] | null): void {
  batch(() => {
    [following.value, chosenTarget.value] = [false, cards];
    [zoom.value, pan.value] = [1, { x: 0, y: 0 }];
  });
}

/** Stay where the camera is, to be moved by hand. */
export function stopFollowing(): void {
  if (following.value) batch(() => ([chosenTarget.value, following.value] = [target.value, false]));
}

export function follow(): void {
  batch(() => {
    following.value = true;
    [zoom.value, pan.value] = [1, { x: 0, y: 0 }];
  });
}

// Another graph is seen from the start.
effect(() => {
  void structure.value;
  [following.value, chosenTarget.value] = [true, null];
});
