/** What is loaded when a person first moves, presses or types: all that answers to it. */

import { later } from "./loading.tsx";

export const {
  loaded,
  ready: loadInteraction,
  part,
  room,
} = later(() => import("./interaction_parts.tsx"));

/** What a person does first. A new address is entered without any other. */
const SIGNS = ["pointermove", "pointerdown", "keydown", "focusin", "hashchange"] as const;

/** The press that asked for the parts, which is still to be answered. */
export let firstPress: PointerEvent | null = null;

/** Load the parts at the first sign of a person. */
export function loadWhenAsked(): void {
  const ask = (event: Event) => {
    if (event.type === "pointerdown") firstPress = event as PointerEvent;
    loadInteraction().then(stop, () => undefined);
  };
  const stop = () => {
    for (const sign of SIGNS) removeEventListener(sign, ask, true);
  };
  for (const sign of SIGNS) addEventListener(sign, ask, true);
}
