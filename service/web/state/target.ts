/** What the camera looks at: everything, the cards of the wave, or cards that were chosen. */

import { batch, computed, effect, signal } from "@preact/signals";
import { cardGraph } from "./cards.ts";
import type { Card, Wire } from "./cards.ts";
import { lastTicks, seeded } from "./play.ts";
import { structure } from "./program.ts";
import { pan, zoom } from "./view.ts";

/** Of more cards all are dots, and only those around the wave are cards. */
const MOST_CARDS = 40;
/** Of the inputs of a value, and of its users, so many are drawn there. */
const MOST_AROUND = 4;

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

export const isCrowded = computed(() => cardGraph.value.cards.length > MOST_CARDS);

/** The cards that are drawn: all, or of many the active value, its inputs and its users. */
export const drawnGraph = computed((): { cards: readonly Card[]; wires: readonly Wire[] } => {
  const { cards, wires, cardOf } = cardGraph.value;
  if (!isCrowded.value) return cardGraph.value;
  const [middle = cardOf.at(-1)!] = target.value ?? []; // the last node is the result
  const first = (wire: Wire) => Number(!activeCards.value.includes(wire.from));
  const inputs = wires.filter(({ to }) => to === middle).sort((a, b) => first(a) - first(b));
  const around = new Set([middle]);
  for (const { from } of inputs) if (around.size <= MOST_AROUND) around.add(from);
  const most = around.size + MOST_AROUND;
  for (const { from, to } of wires) if (from === middle && around.size < most) around.add(to);
  return {
    cards: cards.filter(({ id }) => around.has(id)),
    wires: wires.filter(
      ({ from, to }) => (to === middle && around.has(from)) || (from === middle && around.has(to)),
    ),
  };
});

export function showAll(): void {
  aimAt(null);
}

/** Show these cards, wherever the wave is. */
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
