/** What a person does to the graph: pointer and wheel, arrow keys on cards, presses, full screen, print. */

import { effect } from "@preact/signals";
import { deferredWords } from "../deferred_words.ts";
import type { Node } from "../../../engine_ts/src/template.ts";
import { mistake, ORDER, order, setOrder } from "../state/break.ts";
import { cardGraph } from "../state/cards.ts";
import { step } from "../state/play.ts";
import { expression, shown } from "../state/program.ts";
import { aimAt, stopFollowing } from "../state/target.ts";
import { isScene } from "../state/tasks.ts";
import {
  bringIntoSight,
  isPrinted,
  panBy,
  pointedNode,
  turnBy,
  zoom,
  zoomBy,
} from "../state/view.ts";
import type { Point } from "../canvas.ts";
import { isCrowded, isInside, isVertical, layout, projection } from "./viewport.ts";

/** Radians for a pixel of dragging. */
const PER_PIXEL = 1 / 500;
const PER_WHEEL = 1 / 400;
/** Pixels from which a press is a drag. */
const DRAG_START = 4;

function view(): HTMLElement {
  return document.querySelector<HTMLElement>(".view")!;
}

export function startPointer(): void {
  view().addEventListener("pointerdown", onDown);
  view().addEventListener("pointermove", onMove);
  for (const type of ["pointerup", "pointercancel"] as const)
    view().addEventListener(type, ({ pointerId }) => pointers.delete(pointerId));
  view().addEventListener("wheel", onWheel, { passive: false });
}

/** The height of one line of the expression, and half of one of its letters, in pixels. */
const [LINE, HALF_LETTER] = [44.8, 5.5];

/** Who points at a card sees its text underlined; who points at a text sees its card lit. */
export function startPointing(): void {
  const point = (node: number | null) => (pointedNode.value = node);
  const onStage = ({ target }: Event) => {
    const found = (target as Element).closest<HTMLElement>("[data-node]");
    point(found && Number(found.dataset["node"]));
  };
  for (const type of ["pointerover", "focusin"]) view().addEventListener(type, onStage);
  for (const type of ["pointerleave", "focusout"]) view().addEventListener(type, () => point(null));
  const entry = document.querySelector<HTMLElement>(".entry");
  entry?.addEventListener("pointermove", (event) => point(nodeAt(event)));
  entry?.addEventListener("pointerleave", () => point(null));
  effect(() => {
    const card = cardGraph.value.cardOf[pointedNode.value ?? -1];
    document.querySelector("[data-pointed]")?.removeAttribute("data-pointed");
    document.querySelector(`.card[data-node="${card}"]`)?.setAttribute("data-pointed", "");
  });
  if (entry === null) return;
  const measure = () =>
    document.documentElement.style.setProperty("--more", `${entry.offsetHeight - LINE}px`);
  new ResizeObserver(measure).observe(entry);
}

/** The node whose text is pointed at: what a name is, or the smallest operation around. */
function nodeAt({ clientX, clientY }: PointerEvent): number | null {
  const { expression: text, document: found } = shown.value;
  // The gap that is nearest to half a letter before is the one where the letter begins.
  const gap = document.caretPositionFromPoint?.(clientX - HALF_LETTER, clientY);
  const offset = gap?.offset ?? text.length;
  if (text !== expression.value || offset >= text.length) return null;
  const name = /\w*$/.exec(text.slice(0, offset))![0] + /^\w*/.exec(text.slice(offset))![0];
  const named = found.nodes.find(({ label }) => label === name);
  if (named !== undefined) return named.id;
  const at = [...text.slice(0, offset)].length; // spans count code points
  const around = found.nodes.filter(({ span }) => span && span.start <= at && at < span.end);
  const size = ({ span }: Node) => span!.end - span!.start;
  return around.toSorted((one, other) => size(one) - size(other))[0]?.id ?? null;
}

const pointers = new Map<number, Point>();

function onDown(event: PointerEvent): void {
  const target = event.target as Element;
  if (event.button !== 0 || target.closest("button, label, .edge, .overview")) return;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
}

/** One finger or the mouse turns the graph, or moves it where it is near; two fingers pinch it. */
function onMove(event: PointerEvent): void {
  const before = pointers.get(event.pointerId);
  if (before === undefined) return;
  const now = { x: event.clientX, y: event.clientY };
  const [x, y] = [now.x - before.x, now.y - before.y];
  if (!view().hasPointerCapture(event.pointerId)) {
    // Less is the tremor of a click, and what is captured is no click on a card.
    if (Math.hypot(x, y) < DRAG_START) return;
    view().setPointerCapture(event.pointerId);
  }
  if (pointers.size === 2) pinch(event.pointerId, before, now);
  else if (zoom.value > 1 || event.shiftKey) panGraph(x, y);
  else turnBy(x * PER_PIXEL, y * PER_PIXEL);
  pointers.set(event.pointerId, now);
}

function pinch(id: number, before: Point, now: Point): void {
  const [other] = [...pointers].filter(([each]) => each !== id).map(([, place]) => place);
  const distance = (place: Point) => Math.hypot(place.x - other!.x, place.y - other!.y) || 1;
  zoomBy(distance(now) / distance(before));
  panGraph((now.x - before.x) / 2, (now.y - before.y) / 2);
}

function panGraph(x: number, y: number): void {
  stopFollowing();
  panBy(x, y);
}

/** Only with Ctrl, as browsers report a pinch on a touchpad: the page has to scroll. */
function onWheel(event: WheelEvent): void {
  if (!event.ctrlKey) return;
  event.preventDefault();
  stopFollowing();
  zoomBy(Math.exp(-event.deltaY * PER_WHEEL));
}

/** Back along a wire, on along it, and from a card to the one beside it in its column. */
type Direction = "back" | "on" | "before" | "after";
const KEYS: Readonly<Record<string, readonly [usual: Direction, turned: Direction]>> = {
  ArrowLeft: ["back", "before"],
  ArrowRight: ["on", "after"],
  ArrowUp: ["before", "back"],
  ArrowDown: ["after", "on"],
};

/** What a key does on a card: inputs and users along the wires, the first card, and the result. */
export function cardKeyAction(element: HTMLElement, key: string): (() => void) | undefined {
  const { cards, cardOf } = cardGraph.value;
  if (key === "Home") return () => focusCard(cards[0]!.id);
  if (key === "End") return () => focusCard(cardOf[shown.value.document.root]!);
  const direction = KEYS[key]?.[isVertical.value ? 1 : 0];
  return direction && (() => focusCard(neighbourOf(Number(element.dataset["node"]), direction)));
}

/** The nearest card in a direction, or the same one where there is none. */
function neighbourOf(card: number, direction: Direction): number {
  const { wires } = cardGraph.value;
  const { boxes } = layout.value;
  const here = boxes.get(card)!;
  const axis = isVertical.value ? "x" : "y";
  const off = (id: number) => (boxes.get(id)?.[axis] ?? Infinity) - here[axis];
  const side = direction === "before" ? -1 : 1;
  const found =
    direction === "back"
      ? wires.filter(({ to }) => to === card).map(({ from }) => from)
      : direction === "on"
        ? wires.filter(({ from }) => from === card).map(({ to }) => to)
        : [...boxes.keys()].filter((id) => boxes.get(id)!.z === here.z && side * off(id) > 0);
  const [nearest = card] = found.toSorted((a, b) => Math.abs(off(a)) - Math.abs(off(b)));
  return nearest;
}

/** Give a card the focus; where it is not drawn yet, in the next frame. */
export function focusCard(card: number): void {
  if (isCrowded.value) aimAt([card]);
  const find = () => document.querySelector<HTMLElement>(`.card[data-node="${card}"]`);
  const focus = () => find()?.focus({ preventScroll: true });
  if (find() === null) requestAnimationFrame(focus);
  else focus();
}

/** Whoever comes to a card by key sees it, and by a link to a step, but of a scene, the stage. */
export function startFocusFollowing(): void {
  if (step.peek() > 0 && !isScene.peek()) bringIntoSight();
  addEventListener("focusin", ({ target }) => {
    const element = target as HTMLElement;
    if (!element.matches(".card:focus-visible")) return;
    const card = Number(element.dataset["node"]);
    const box = layout.value.boxes.get(card);
    if (box === undefined || !isInside(projection.value(box))) aimAt([card]);
  });
}

/** The visits that were chosen so, and the order that they made. */
let pressed: readonly number[] = [];
let orderMade: readonly number[] = [];

/** Visit this node after those that were pressed before it; once all were, begin anew. */
export function visitNext(node: number): void {
  const visits = order.value;
  if (mistake.value !== ORDER || !visits.includes(node)) return;
  const isOurs = orderMade === visits && !pressed.includes(node) && pressed.length < visits.length;
  pressed = [...(isOurs ? pressed : []), node];
  orderMade = [...pressed, ...visits.filter((each) => !pressed.includes(each))];
  setOrder(orderMade);
}

export function FullScreen() {
  const name = deferredWords.value.zoom.full;
  return (
    <button class="full-screen" aria-label={name} title={name} onClick={toggleFullScreen}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M1 1h5v2H3v3H1zM10 1h5v5h-2V3h-3zM1 10h2v3h3v2H1zM13 10h2v5h-5v-2h3z" />
      </svg>
    </button>
  );
}

/** Or no more, where it does. */
function toggleFullScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else void document.querySelector(".stage")!.requestFullscreen?.();
}

const printing = matchMedia("print");

export function startPrinting(): void {
  printing.addEventListener("change", () => (isPrinted.value = printing.matches));
  addEventListener("beforeprint", () => (isPrinted.value = true));
  addEventListener("afterprint", () => (isPrinted.value = false));
}
