/** Arrow keys on a card -> the card at the other end of a wire; one that has the focus is in sight. */

import { groups } from "../state/groups.ts";
import { shown } from "../state/program.ts";
import { isCrowded, lookAt } from "../state/sight.ts";
import { stage } from "../state/view.ts";
import type { Point } from "./camera.ts";
import { isTurned, placed, projection } from "./frame.ts";

/** Back along a wire, on along it, and from a card to the one beside it in its column. */
type Way = "back" | "on" | "before" | "after";
const KEYS: Readonly<Record<string, readonly [usual: Way, turned: Way]>> = {
  ArrowLeft: ["back", "before"],
  ArrowRight: ["on", "after"],
  ArrowUp: ["before", "back"],
  ArrowDown: ["after", "on"],
};

/** What a key does on a card: inputs and users along the wires, the first card, and the result. */
export function walkOf(element: HTMLElement, key: string): (() => void) | undefined {
  const { cards, cardOf } = groups.value;
  if (key === "Home") return () => focusOn(cards[0]!.id);
  if (key === "End") return () => focusOn(cardOf[shown.value.document.root]!);
  const way = KEYS[key]?.[isTurned.value ? 1 : 0];
  return way && (() => focusOn(nextOf(Number(element.dataset["node"]), way)));
}

/** The nearest card that way, or the same one where there is none. */
function nextOf(card: number, way: Way): number {
  const { wires } = groups.value;
  const { boxes } = placed.value;
  const here = boxes.get(card)!;
  const off = (id: number) => (boxes.get(id)?.[isTurned.value ? "x" : "y"] ?? Infinity) - across;
  const across = here[isTurned.value ? "x" : "y"];
  const side = way === "before" ? -1 : 1;
  const found =
    way === "back"
      ? wires.filter(({ to }) => to === card).map(({ from }) => from)
      : way === "on"
        ? wires.filter(({ from }) => from === card).map(({ to }) => to)
        : [...boxes.keys()].filter((id) => boxes.get(id)!.z === here.z && side * off(id) > 0);
  const [nearest = card] = found.toSorted((a, b) => Math.abs(off(a)) - Math.abs(off(b)));
  return nearest;
}

export function isInside({ x, y }: Point): boolean {
  const { width, height } = stage.value;
  return x >= 0 && x <= width && y >= 0 && y <= height;
}

/** Whether the middle of a card is in the window. */
export function isInSight(card: number): boolean {
  const box = placed.value.boxes.get(card);
  return box !== undefined && isInside(projection.value(box));
}

/** Give a card the focus; where it is not drawn yet, in the next frame. */
export function focusOn(card: number): void {
  if (isCrowded.value) lookAt([card]);
  const find = () => document.querySelector<HTMLElement>(`.card[data-node="${card}"]`);
  const focus = () => find()?.focus({ preventScroll: true });
  if (find() === null) requestAnimationFrame(focus);
  else focus();
}

/** Whoever comes to a card by key sees it. */
export function startWalk(): void {
  addEventListener("focusin", ({ target }) => {
    const card = target as HTMLElement;
    if (!card.matches(".card:focus-visible") || isInSight(Number(card.dataset["node"]))) return;
    lookAt([Number(card.dataset["node"])]);
  });
}
