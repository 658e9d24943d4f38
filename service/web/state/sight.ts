/** What the camera looks at: everything, or what the wave is at, or what was chosen. */

import { batch, computed, effect, signal } from "@preact/signals";
import { groups } from "./groups.ts";
import type { Card, Wire } from "./groups.ts";
import { current, seeded } from "./play.ts";
import { shown, structure } from "./program.ts";
import { pan, zoom } from "./view.ts";

/** Of more cards all are dots, and only those around the wave are cards. */
const MOST_CARDS = 40;
/** Of the inputs of a value, and of its users, so many are drawn there. */
const MOST_AROUND = 4;

/** Whether the camera goes with the wave. */
export const following = signal(true);
/** The cards that were chosen, where it does not; null is the whole graph. */
export const chosenCards = signal<readonly number[] | null>(null);

/** The cards at both ends of the arrow under way; before the wave, none. */
export const active = computed((): readonly number[] => {
  const { cardOf } = groups.value;
  const tick = current.value;
  if (tick === null || !seeded.value) return [];
  return [...new Set([cardOf[tick.edge?.to ?? tick.node]!, cardOf[tick.node]!])];
});

/** What the camera is to show; null is all that is drawn. */
export const looked = computed(() => {
  if (!following.value) return chosenCards.value;
  return active.value.length > 0 ? active.value : null;
});

export const isCrowded = computed(() => groups.value.cards.length > MOST_CARDS);

/** The cards that are drawn: all, or of many the active value, its inputs and its users. */
export const drawn = computed((): { cards: readonly Card[]; wires: readonly Wire[] } => {
  const { cards, wires, cardOf } = groups.value;
  if (!isCrowded.value) return groups.value;
  const [middle = cardOf[shown.value.document.root]!] = looked.value ?? [];
  const first = (wire: Wire) => Number(!active.value.includes(wire.from));
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
  lookAt(null);
}

/** Show these cards, wherever the wave is. */
export function lookAt(cards: readonly number[] | null): void {
  batch(() => {
    [following.value, chosenCards.value] = [false, cards];
    [zoom.value, pan.value] = [1, { x: 0, y: 0 }];
  });
}

/** Stay where the camera is, to be moved by hand. */
export function stay(): void {
  if (following.value) batch(() => ([chosenCards.value, following.value] = [looked.value, false]));
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
  [following.value, chosenCards.value] = [true, null];
});
