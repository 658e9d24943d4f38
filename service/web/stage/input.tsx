/** Input on the graph: dragging, pointing, arrow keys on cards, presses, full screen, print. */

import { effect } from "@preact/signals";
import { interactionWords } from "../interaction_words.ts";
import type { Node } from "../../../engine_ts/src/template.ts";
import { mistake, ORDER, order, setOrder } from "../state/mistakes.ts";
import { step } from "../state/play.ts";
import { expression, shown } from "../state/program.ts";
import { chosenNode } from "../state/focus.ts";
import { isScene } from "../state/tasks.ts";
import { bringIntoSight, isPrinted, pointedNode, turnBack, turnBy } from "../state/view.ts";
import type { Point } from "../canvas.ts";
import { isAcross, isInParts, stagePlan } from "./arrangement.ts";

/** Degrees per pixel of a drag. */
const PER_PIXEL = 0.12;
/** Pixels from which a press counts as a drag. */
const DRAG_START = 4;

function view(): HTMLElement {
  return document.querySelector<HTMLElement>(".view")!;
}

export function startPointer(): void {
  view().addEventListener("pointerdown", onDown);
  view().addEventListener("pointermove", onMove);
  for (const type of ["pointerup", "pointercancel"] as const)
    view().addEventListener(type, () => (grip = null));
  view().addEventListener("dblclick", (event) => isGround(event) && turnBack());
}

/** The height of a line of the expression and half the width of a letter, in pixels. */
const [LINE, HALF_LETTER] = [44.8, 5.5];

/** Pointing at a card underlines its text; pointing at a text lights its card. */
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
    document.querySelector("[data-pointed]")?.removeAttribute("data-pointed");
    document
      .querySelector(`.card[data-node="${pointedNode.value}"]`)
      ?.setAttribute("data-pointed", "");
  });
  if (entry === null) return;
  const measure = () =>
    document.documentElement.style.setProperty("--more", `${entry.offsetHeight - LINE}px`);
  new ResizeObserver(measure).observe(entry);
}

/** Return the node whose text is under the pointer: a name's, or the smallest operation around. */
function nodeAt({ clientX, clientY }: PointerEvent): number | null {
  const { expression: text, document: found } = shown.value;
  // The gap nearest to half a letter before the pointer is where the letter begins.
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

/** The last point of a drag of the ground; null if there is no drag. */
let grip: Point | null = null;

/** Whether an event is on the ground around the graph. */
function isGround({ target }: Event): boolean {
  return (target as Element).closest(".card, .edge, .overview, button, label") === null;
}

function onDown(event: PointerEvent): void {
  if (event.button === 0 && isGround(event)) grip = { x: event.clientX, y: event.clientY };
}

function onMove({ clientX, clientY, pointerId }: PointerEvent): void {
  if (grip === null) return;
  const [x, y] = [clientX - grip.x, clientY - grip.y];
  if (!view().hasPointerCapture(pointerId)) {
    if (Math.hypot(x, y) < DRAG_START) return; // the tremor of a click
    view().setPointerCapture(pointerId);
  }
  turnBy(x * PER_PIXEL, -y * PER_PIXEL);
  grip = { x: clientX, y: clientY };
}

/** Back or on along a wire, and to the card before or after in the same column. */
type Direction = "back" | "on" | "before" | "after";
const KEYS: Readonly<Record<string, readonly [usual: Direction, turned: Direction]>> = {
  ArrowLeft: ["back", "before"],
  ArrowRight: ["on", "after"],
  ArrowUp: ["before", "back"],
  ArrowDown: ["after", "on"],
};

/** Return a key's action on a card: focus an operand, a user, a neighbour, the first or the root. */
export function cardKeyAction(element: HTMLElement, key: string): (() => void) | undefined {
  const { root } = shown.value.document;
  if (key === "Home") return () => focusCard(0);
  if (key === "End") return () => focusCard(root);
  const direction = KEYS[key]?.[isAcross.value ? 0 : 1];
  return direction && (() => focusCard(neighbourOf(Number(element.dataset["node"]), direction)));
}

/** Return the nearest card in a direction, or the same card if there is none. */
function neighbourOf(card: number, direction: Direction): number {
  const { edges } = shown.value.document;
  const { layered } = stagePlan.value.base.cells;
  const places = new Map(stagePlan.value.plan.cards.map((each) => [each.id, each]));
  const middle = (id: number) => {
    const place = places.get(id);
    if (place === undefined) return Infinity;
    return isAcross.value ? place.y + place.h / 2 : place.x + place.w / 2;
  };
  const off = (id: number) => middle(id) - middle(card);
  const side = direction === "before" ? -1 : 1;
  const found =
    direction === "back"
      ? edges.filter(({ to }) => to === card).map(({ from }) => from)
      : direction === "on"
        ? edges.filter(({ from }) => from === card).map(({ to }) => to)
        : [...places.keys()].filter(
            (id) => layered.first[id] === layered.first[card] && side * off(id) > 0,
          );
  const [nearest = card] = found.toSorted((a, b) => Math.abs(off(a)) - Math.abs(off(b)));
  return nearest;
}

/** Focus a card; if it is not drawn yet, in the next frame. */
function focusCard(card: number): void {
  if (isInParts.value) chosenNode.value = card;
  const find = () => document.querySelector<HTMLElement>(`.card[data-node="${card}"]`);
  const focus = () => find()?.focus({ preventScroll: true });
  if (find() === null) requestAnimationFrame(focus);
  else focus();
}

/** Scroll to the stage if the page was opened at a step, except in a scene. */
export function showLinkedStep(): void {
  if (step.peek() > 0 && !isScene.peek()) bringIntoSight();
}

/** The visits chosen by pressing cards, and the order made from them. */
let pressed: readonly number[] = [];
let orderMade: readonly number[] = [];

/** Visit this node after those pressed before it; once all were pressed, start again. */
export function visitNext(node: number): void {
  const visits = order.value;
  if (mistake.value !== ORDER || !visits.includes(node)) return;
  const isOurs = orderMade === visits && !pressed.includes(node) && pressed.length < visits.length;
  pressed = [...(isOurs ? pressed : []), node];
  orderMade = [...pressed, ...visits.filter((each) => !pressed.includes(each))];
  setOrder(orderMade);
}

export function FullScreen() {
  const name = interactionWords.value.whole.full;
  return (
    <button class="full-screen" aria-label={name} title={name} onClick={toggleFullScreen}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M1 1h5v2H3v3H1zM10 1h5v5h-2V3h-3zM1 10h2v3h3v2H1zM13 10h2v5h-5v-2h3z" />
      </svg>
    </button>
  );
}

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
