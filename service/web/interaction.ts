/** The interaction parts, which are loaded when a user first moves, presses or types. */

import { later } from "./loading.tsx";

export const {
  loaded,
  ready: loadInteraction,
  part,
  section,
} = later(() => import("./interaction_parts.tsx"));

/** A user's first events; a new address may be entered without any other event. */
const FIRST_EVENTS = ["pointermove", "pointerdown", "keydown", "focusin", "hashchange"] as const;

/** The press that loaded the parts, which still has to be handled. */
export let firstPress: PointerEvent | null = null;

/** Keys pressed with nothing focused, before the parts were loaded, still to be handled. */
export const firstKeys: KeyboardEvent[] = [];

/** Load the parts at the user's first event. */
export function loadOnFirstEvent(): void {
  const ask = (event: Event) => {
    if (event.type === "pointerdown") firstPress = event as PointerEvent;
    if (event instanceof KeyboardEvent && event.target === document.body) keep(event);
    loadInteraction().then(stop, () => undefined);
  };
  const stop = () => {
    for (const type of FIRST_EVENTS) removeEventListener(type, ask, true);
  };
  for (const type of FIRST_EVENTS) addEventListener(type, ask, true);
}

function keep(event: KeyboardEvent): void {
  firstKeys.push(event);
  // Otherwise the browser scrolls or opens its search before the parts are loaded.
  if (" /".includes(event.key)) event.preventDefault();
}
