/** All parts that respond to a user, in one script; input on the graph and by keys. */

import { effect } from "@preact/signals";
import type { Plan } from "../../engine_ts/src/screen/places.ts";
import type { Node } from "../../engine_ts/src/template.ts";
import { focusPanel, interactionWords } from "./shared.tsx";
import {
  accuracy,
  breaking,
  code,
  curve,
  exporting,
  lesson,
  overview,
  suggestion,
  training,
} from "./loading.tsx";
import { isAcross, isInParts, stagePlan } from "./stage/arrangement.ts";
import { isPlayable, openTab } from "./state/guesses.ts";
import {
  chosenNode,
  goTo,
  isOver,
  pause,
  play,
  playing,
  selectPass,
  step,
  stepBack,
  stepOn,
  ticks,
} from "./state/play.ts";
import { expression, shown } from "./state/program.ts";
import { isScene } from "./state/tasks.ts";
import {
  bringIntoSight,
  isPrinted,
  pitch,
  pointedNode,
  tab,
  TABS,
  turnBack,
  turnBy,
  yaw,
} from "./state/view.ts";
import type { Tab } from "./state/view.ts";
import { follow, stepHistory } from "./top/history.tsx";
import { loadLanguages, shownWords, words } from "./words.ts";

export { Tables } from "./below/tables.tsx";
export { copied, interactionWords, share } from "./shared.tsx";
export { Predict } from "./panel/predict.tsx";
export { describeEnd, describeTick } from "./stage/narration.ts";
export { Ghost, Legend, sliderOf, startNudging } from "./stage/nudge.tsx";
export { Pulse } from "./stage/pulse.tsx";
export { ACCURACY_EXAMPLES, EXAMPLES } from "./top/examples.ts";
export { Fault } from "./top/fault.tsx";
export { startAddress, startEmbedding, UndoRedo } from "./top/history.tsx";
export { derivative } from "./words/sentences.ts";

/** In the order in which a user is likely to need them. */
const ON_DEMAND = [
  ...[lesson, breaking, training, code, curve, overview, suggestion, exporting, accuracy],
];

/** Load the parts on demand whenever the page is idle, so that they work offline. */
export async function loadForOffline(): Promise<void> {
  const idle = window.requestIdleCallback ?? setTimeout;
  const wait = () => new Promise<unknown>((done) => idle(done));
  try {
    for (const load of [...ON_DEMAND.map(({ ready }) => ready), loadLanguages]) {
      await wait();
      await load();
    }
  } catch {
    // Without a connection, each part is loaded on demand.
  }
}

const Scene = lesson.section(({ Scene }) => Scene);

/** The scene of an address, above the graph, if the address has one. */
export function SceneSlot() {
  return isScene.value ? <Scene /> : null;
}

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
  view().addEventListener("dblclick", (event) => isBackground(event) && turnBack());
}

/** The height of a line of the expression and half the width of a letter, in pixels. */
const [LINE, HALF_LETTER] = [44.8, 5.5];

/** Pointing at a card underlines its text; pointing at a text highlights its card. */
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
  const measure = () => {
    // A difference of less than a line is the field's minimum height.
    const more = entry.getBoundingClientRect().height - LINE;
    document.documentElement.style.setProperty("--more", `${more < LINE / 2 ? 0 : more}px`);
  };
  new ResizeObserver(measure).observe(entry);
}

/** Return the node whose text is under the pointer: a name's, or the smallest operation around. */
function nodeAt({ clientX, clientY }: PointerEvent): number | null {
  const { expression: text, document: found } = shown.value;
  // A letter begins at the gap nearest to half a letter before the pointer.
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

/** The last point of a drag of the background; null if there is no drag. */
let grip: { readonly x: number; readonly y: number } | null = null;

/** Whether an event is on the background of the graph. */
function isBackground({ target }: Event): boolean {
  return (target as Element).closest(".card, .edge, .overview, button, label") === null;
}

function onDown(event: PointerEvent): void {
  if (event.button === 0 && isBackground(event)) grip = { x: event.clientX, y: event.clientY };
}

function onMove({ clientX, clientY, pointerId }: PointerEvent): void {
  if (grip === null) return;
  const [x, y] = [clientX - grip.x, clientY - grip.y];
  if (!view().hasPointerCapture(pointerId)) {
    if (Math.hypot(x, y) < DRAG_START) return; // a click that moved slightly
    view().setPointerCapture(pointerId);
  }
  turnBy(x * PER_PIXEL, -y * PER_PIXEL);
  grip = { x: clientX, y: clientY };
}

/** Distance in pixels from the eye to a turned picture, and of its cards above it. */
const [EYE, RAISED] = [1_500, 16];

/** Return the style of a turned picture, scaled down to stay inside; empty at rest. */
export function turned({ width, height }: Plan): string {
  if (yaw.value === 0 && pitch.value === 0) return "";
  const [x, y] = [(pitch.value * Math.PI) / 180, (yaw.value * Math.PI) / 180];
  const top = -height / 2;
  let most = 1;
  // The upper corners; the lower ones are opposite to them.
  for (const left of [-width / 2, width / 2]) {
    const [right, far] = [left * Math.cos(y), -left * Math.sin(y)];
    const down = top * Math.cos(x) - far * Math.sin(x);
    const near = EYE / (EYE - Math.abs(top * Math.sin(x) + far * Math.cos(x)) - RAISED);
    most = Math.max(most, (right / left) * near, Math.abs(down / top) * near);
  }
  const angles = `rotateX(${pitch.value}deg) rotateY(${yaw.value}deg)`;
  // Firefox draws arrows away from their cards if these have a depth and the arrows have none.
  return (
    `;transform:perspective(${EYE}px) scale(${1 / most}) ${angles};transform-style:preserve-3d` +
    `;--level:translateZ(0);--lift:translateZ(${RAISED}px)`
  );
}

/** Back or on along a wire, or to the card before or after in the same column. */
type Direction = "back" | "on" | "before" | "after";
const KEYS: Readonly<Record<string, readonly [usual: Direction, turned: Direction]>> = {
  ArrowLeft: ["back", "before"],
  ArrowRight: ["on", "after"],
  ArrowUp: ["before", "back"],
  ArrowDown: ["after", "on"],
};

/** Return a key's action on a card: focus an operand, a user, a neighbour, an input or the root. */
function cardKeyAction(element: HTMLElement, key: string): (() => void) | undefined {
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

const printing = matchMedia("print");

export function startPrinting(): void {
  printing.addEventListener("change", () => (isPrinted.value = printing.matches));
  addEventListener("beforeprint", () => (isPrinted.value = true));
  addEventListener("afterprint", () => (isPrinted.value = false));
}

const ARROWS = "← → ↑ ↓";
const KEY_LIST: readonly (readonly string[])[] = [
  ["Space"],
  ["←", "→"],
  ["Home", "End"],
  [",", "."],
  ["PageUp", "PageDown"],
  [ARROWS, "Home", "End"],
  ["Tab"],
  ["Enter"],
  ["Shift", ARROWS],
  ["F", "S", "B"],
  ["/"],
  ["1", "2", "3", "4", "5"],
  ["Ctrl", "Z"],
  ["Ctrl", "Shift", "Z"],
  ["?"],
];

export function Keyboard() {
  const { keys, keyNames, edits } = interactionWords.value;
  const { tabs, stage, expression } = words.value;
  const choices = [
    [stage.forward, stage.sort, stage.backward],
    [expression],
    Object.values(tabs),
  ].map((names) => names.join(", "));
  const controls = [edits.undo, edits.redo, shownWords.value.below.keyboard];
  const effects = [...keys, ...choices, ...controls];
  return (
    <dl class="keys">
      {KEY_LIST.map((keys, at) => (
        <div>
          <dt>
            {keys.map((key) => (
              <>
                <kbd>{keyNames[key] ?? key}</kbd>{" "}
              </>
            ))}
          </dt>
          <dd>{effects[at]}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Degrees per press of a key. */
const TURN = 3;

/** Actions on the pass, if it can be played. */
const PASS_ACTIONS: Readonly<Record<string, () => void>> = {
  " ": () => (playing.value ? pause() : play()),
  ArrowLeft: stepBack,
  ArrowRight: stepOn,
  ",": stepBack,
  ".": stepOn,
  Home: () => goTo(0),
  End: () => goTo(ticks.value.length),
};

const ACTIONS: Readonly<Record<string, () => void>> = {
  f: () => selectPass("forward"),
  s: () => selectPass("sort"),
  b: () => selectPass("backward"),
  "/": () => document.querySelector<HTMLTextAreaElement>("#expression")?.select(),
  "?": openKeys,
};

const TURN_ACTIONS: Readonly<Record<string, () => void>> = {
  ArrowLeft: () => turnBy(-TURN, 0),
  ArrowRight: () => turnBy(TURN, 0),
  ArrowUp: () => turnBy(0, -TURN),
  ArrowDown: () => turnBy(0, TURN),
};

/** Typing in the expression is undone by the page; other fields have their own undo. */
const FIELDS = "input:not([type=checkbox], [type=range], [type=radio]), textarea:not(#expression)";

const TYPED = "input:not([type=checkbox]), textarea, select";

/** Handle keys, first those pressed earlier. */
export function startKeys(earlier: readonly KeyboardEvent[]): void {
  earlier.forEach(handleKey);
  addEventListener("keydown", handleKey);
}

function handleKey(event: KeyboardEvent): void {
  const target = event.target as Element;
  const by = historyStep(event);
  if (by !== null && !target.closest(FIELDS)) {
    event.preventDefault();
    stepHistory(by);
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // A clicker's keys work even if a slider has the focus.
  const fields = event.key.startsWith("Page") ? "textarea" : TYPED;
  if (target.closest(fields)) return;
  if (event.key === " " && target.closest("button, input, summary, [role=button], a")) return;
  const action =
    event.shiftKey && event.key in TURN_ACTIONS
      ? TURN_ACTIONS[event.key]
      : (isOnCard(target) && cardKeyAction(target, event.key)) || actionOf(keyOf(event));
  if (action === undefined) return;
  event.preventDefault();
  action();
}

/** Whether arrow keys follow a card's wires; in full screen they always step. */
function isOnCard(target: Element): target is HTMLElement {
  return document.fullscreenElement === null && target.matches(".card");
}

/** Return -1 for undo, 1 for redo, or null: Ctrl or Command with Z, with Shift+Z or Y. */
function historyStep(event: KeyboardEvent): -1 | 1 | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = keyOf(event).toLowerCase();
  if (key === "z") return event.shiftKey ? 1 : -1;
  return key === "y" && !event.shiftKey ? 1 : null;
}

/** Return a key's letter; on a Cyrillic keyboard, the Latin letter that is printed on it, too. */
function keyOf({ key, code }: KeyboardEvent): string {
  return /^\p{Script=Cyrillic}$/u.test(key) ? code.replace("Key", "") : key;
}

function actionOf(key: string): (() => void) | undefined {
  const named = TABS[Number(key) - 1];
  if (named !== undefined) return () => showTab(named);
  const name = key.length === 1 ? key.toLowerCase() : key;
  const ofPass = isPlayable.value ? PASS_ACTIONS[name] : undefined;
  // In the Train tab the timeline's keys move through the descent's steps.
  const ofTraining = tab.value === "train" ? training.loaded.value?.KEYS[name] : undefined;
  return ofTraining ?? sceneAction(name) ?? ofPass ?? ACTIONS[name];
}

/** Open a tab, so that the Tab key continues in its contents. */
function showTab(named: Tab): void {
  openTab(named);
  focusPanel();
}

/** Page keys change the scene, and so do arrow keys if the pass has no further step. */
function sceneAction(key: string): (() => void) | undefined {
  const by = ({ PageUp: -1, PageDown: 1, ArrowLeft: -1, ArrowRight: 1 } as const)[key];
  const next = by && lesson.loaded.value?.neighbour(by);
  const hasStep = isPlayable.value && (by === 1 ? !isOver.value : step.value > 0);
  return !next || (hasStep && key.startsWith("Arrow")) ? undefined : () => follow(next);
}

function openKeys(): void {
  const list = document.querySelector<HTMLDetailsElement>("#keyboard")!;
  list.open = true;
  list.scrollIntoView({ block: "nearest" });
  list.querySelector("summary")!.focus();
}
