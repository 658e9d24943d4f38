/** Mouse, fingers and wheel -> the graph turned, moved and zoomed. */

import type { Point } from "./camera.ts";
import { stay } from "../state/sight.ts";
import { panBy, turnBy, zoom, zoomBy } from "../state/view.ts";

/** Radians for a pixel of dragging. */
const PER_PIXEL = 1 / 500;
const PER_WHEEL = 1 / 400;
/** Pixels from which a press is a drag. */
const LEAST = 4;

function view(): HTMLElement {
  return document.querySelector<HTMLElement>(".view")!;
}

export function startHands(): void {
  view().addEventListener("pointerdown", onDown);
  view().addEventListener("pointermove", onMove);
  view().addEventListener("pointerup", onUp);
  view().addEventListener("pointercancel", onUp);
  view().addEventListener("wheel", onWheel, { passive: false });
}

const fingers = new Map<number, Point>();

function onDown(event: PointerEvent): void {
  const target = event.target as Element;
  if (event.button !== 0 || target.closest("button, label, .edge, .minimap")) return;
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
}

function onUp(event: PointerEvent): void {
  fingers.delete(event.pointerId);
}

/** One finger or the mouse turns the graph, or moves it where it is near; two fingers pinch it. */
function onMove(event: PointerEvent): void {
  const before = fingers.get(event.pointerId);
  if (before === undefined) return;
  const now = { x: event.clientX, y: event.clientY };
  const [x, y] = [now.x - before.x, now.y - before.y];
  if (!view().hasPointerCapture(event.pointerId)) {
    // Less is the tremor of a click, and what is captured is no click on a card.
    if (Math.hypot(x, y) < LEAST) return;
    view().setPointerCapture(event.pointerId);
  }
  if (fingers.size === 2) pinch(event.pointerId, before, now);
  else if (zoom.value > 1 || event.shiftKey) move(x, y);
  else turnBy(x * PER_PIXEL, y * PER_PIXEL);
  fingers.set(event.pointerId, now);
}

function pinch(id: number, before: Point, now: Point): void {
  const [other] = [...fingers].filter(([each]) => each !== id).map(([, place]) => place);
  const distance = (place: Point) => Math.hypot(place.x - other!.x, place.y - other!.y) || 1;
  zoomBy(distance(now) / distance(before));
  move((now.x - before.x) / 2, (now.y - before.y) / 2);
}

function move(x: number, y: number): void {
  stay();
  panBy(x, y);
}

/** Only with Ctrl, as browsers report a pinch on a touchpad: the page has to scroll. */
function onWheel(event: WheelEvent): void {
  if (!event.ctrlKey) return;
  event.preventDefault();
  stay();
  zoomBy(Math.exp(-event.deltaY * PER_WHEEL));
}
