/** Drag a leaf's number on its card; a ghost shows what its gradient predicts for the result. */

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { heldTexts } from "../../../engine_ts/src/screen/held.ts";
import { flattened, placeAlong } from "../../../engine_ts/src/screen/paths.ts";
import type { Place } from "../../../engine_ts/src/screen/paths.ts";
import type { Box } from "../../../engine_ts/src/screen/places.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { interactionWords } from "../shared.tsx";
import { holding, isPressed, stagePlan } from "./arrangement.ts";
import { describeChange } from "./narration.ts";
import { isPredicting } from "../state/guesses.ts";
import { clamp, ownValue } from "../state/helpers.ts";
import { step } from "../state/play.ts";
import { editable, fault, rangeOf, setValue, shown, stepOf } from "../state/program.ts";
import type { ShownProgram } from "../state/program.ts";
import { announcement, everyFrame, pass, reducedMotion, selectedEdge, tab } from "../state/view.ts";
import { shownWords } from "../words.ts";
import { exact, signed, write } from "../words/text.tsx";

/** Pixels of a drag per step of the slider, and steps per `Page Up`. */
const [PER_STEP, PAGE] = [8, 10];
/** Further digits are only rounding errors of the steps. */
const DIGITS = 12;
/** Milliseconds that the ghost takes to reach the result. */
const RUN = 700;

/** The leaf that the user is changing, and the program before the change. */
interface Nudge {
  readonly node: number;
  readonly name: string;
  readonly before: ShownProgram;
}

const nudge = signal<Nudge | null>(null);
/** The share of its path that the ghost has covered. */
const way = signal(1);

/** The predicted and the actual effect of the change so far; null if neither is shown. */
const change = computed(() => {
  if (nudge.value === null || fault.value !== null) return null;
  if (isPredicting.value) return null;
  const { name, before } = nudge.value;
  const { prepared, values, document } = shown.value;
  const isOther = (each: string) => each !== name && values[each] !== before.values[each];
  if (prepared !== before.prepared || Object.keys(values).some(isOther)) return null;
  const by = values[name]! - before.values[name]!;
  const gradient = before.document.gradients[name]!;
  const results = [before.document.result, document.result];
  if (by === 0) return null;
  const written = results.map(write);
  return {
    product: `${signed(by)} × ${write(gradient)} =`,
    predicted: signed(by * gradient),
    // Two equal numbers would suggest that nothing changes.
    results: written[0] === written[1] ? "" : `${written.join(" → ")}:`,
    actual: signed(results[1]! - results[0]!),
    sentence: describeChange(name, by, gradient, results[1]! - results[0]!),
  };
});

function begin(node: number, name: string): void {
  nudge.value = { node, name, before: shown.value };
  way.value = 0;
}

/** Set a leaf to a value within its range; the first change starts the ghost. */
function setTo(name: string, value: number): void {
  const { from, to } = rangeOf(name, editable.value.values[name]!);
  setValue(name, clamp(Number(value.toPrecision(DIGITS)), from, to));
  // After `setValue`: new values end an earlier announcement.
  batch(
    () => ([announcement.value, selectedEdge.value] = [() => change.value?.sentence ?? null, null]),
  );
  if (way.value > 0) return;
  way.value = reducedMotion.matches ? 1 : Number.MIN_VALUE;
  everyFrame("ghost", (elapsed) => (way.value = Math.min(1, way.value + elapsed / RUN)) < 1);
}

/** Return the node whose data an element shows, or -1. */
function nodeOf(element: EventTarget | null): number {
  const number = (element as Element).closest?.(".val.data");
  return Number(number?.closest<HTMLElement>("[data-node]")?.dataset["node"] ?? -1);
}

/** Return a node's variable if its value can be changed. */
function variableOf(node: number) {
  const { kind, label } = shown.value.document.nodes[node] ?? {};
  if (label == null || kind === "operation") return null;
  const value = ownValue(editable.value.values, label);
  return value === undefined ? null : { name: label, value, range: rangeOf(label, value) };
}

/** The current drag: its start, and whether it has changed the value. */
let drag = { pointer: -1, x: 0, value: 0, size: 0, hasMoved: false };

/** Listen for presses and drags; the first press may have come before. */
export function startNudging(firstPress: PointerEvent | null): void {
  holding.value = heldTexts;
  if (firstPress !== null && isPressed.value) startDrag(firstPress);
  addEventListener("pointerdown", startDrag, true); // before it turns the stage
  addEventListener("pointermove", ({ pointerId, clientX }) => {
    if (pointerId !== drag.pointer || nudge.value === null) return;
    const steps = Math.round((clientX - drag.x) / PER_STEP);
    drag.hasMoved ||= steps !== 0;
    if (drag.hasMoved) setTo(nudge.value.name, drag.value + steps * drag.size);
  });
  addEventListener("pointerup", () => (drag.pointer = -1));
  // The finger scrolls the page instead: undo the change.
  addEventListener("pointercancel", () => {
    if (drag.pointer >= 0 && drag.hasMoved && nudge.value) setValue(nudge.value.name, drag.value);
    drag.pointer = -1;
  });
  // A drag is not a click.
  addEventListener("click", (event) => drag.hasMoved && event.stopPropagation(), true);
  addEventListener("focusin", ({ target }) => {
    if (nodeOf(target) !== nudge.value?.node) nudge.value = null;
  });
}

function startDrag(event: PointerEvent): void {
  const node = nodeOf(event.target);
  const variable = variableOf(node);
  [nudge.value, drag.hasMoved] = [null, false];
  if (variable === null || event.button !== 0) return;
  event.stopPropagation();
  const target = event.target as Element;
  if (target.isConnected) target.setPointerCapture(event.pointerId); // not redrawn since the press
  const { name, value, range } = variable;
  begin(node, name);
  const size = stepOf(range);
  drag = { pointer: event.pointerId, x: event.clientX, value, size, hasMoved: false };
}

// The nudge ends at the next step.
effect(() => {
  void [step.value, pass.value, tab.value];
  untracked(() => (nudge.value = null));
});

const KEYS: Readonly<Record<string, number>> = {
  ...{ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 },
  ...{ PageUp: PAGE, PageDown: -PAGE, Home: -Infinity, End: Infinity },
};

/** Return the attributes and handlers that make a leaf's number a slider. */
export function sliderOf(id: number) {
  const variable = variableOf(id);
  if (variable === null) return null;
  const { name, value, range } = variable;
  const text = shownWords.value.values.drag(name);
  return {
    ...{ role: "slider" as const, tabindex: 0, title: text, "aria-label": text },
    ...{ "aria-valuemin": plain(range.from), "aria-valuemax": plain(range.to) },
    ...{ "aria-valuenow": plain(value), "aria-valuetext": exact(value) },
    onKeyDown(event: KeyboardEvent) {
      const steps = KEYS[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^[-\d]$/.test(event.key)) typeIn(name, event);
      if (steps === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (nudge.value?.node !== id) begin(id, name);
      setTo(name, Number.isFinite(steps) ? value + steps * stepOf(range) : steps);
    },
  };
}

/** Send a digit to the variable's field, if there is one; it must not open a tab. */
function typeIn(name: string, event: KeyboardEvent): void {
  event.stopPropagation();
  const row = document.getElementById(`slider-${name}`)?.closest(".row");
  row?.querySelector<HTMLElement>(".number")?.focus();
}

/** Format a number without an exponent for ARIA, whose attributes are typed as numbers. */
function plain(value: number): number {
  const written = value.toLocaleString("en", { useGrouping: false, maximumFractionDigits: 20 });
  return written as unknown as number;
}

/** The layout, which does not change with numbers, so nothing computed from it does. */
const plan = computed(() => stagePlan.value.plan);

/** All arrows from the leaf to the result, and the path along the largest contributions. */
const arrowsAhead = computed(() => {
  const { edges } = shown.value.document;
  const drawn = new Map(plan.value.arrows.map((arrow) => [arrow.id, arrow]));
  const size = ({ contribution }: Edge) => Math.abs(contribution ?? 0);
  const from = nudge.value?.node ?? -1;
  const reached = new Set([from]);
  for (const edge of edges) if (reached.has(edge.from)) reached.add(edge.to);
  const ahead = edges.filter((edge) => reached.has(edge.from) && drawn.has(edge.id));
  const way: Place[] = [];
  for (let at = from; ;) {
    const next = ahead
      .filter((edge) => edge.from === at)
      .sort((one, other) => size(other) - size(one))[0];
    if (next === undefined)
      return { ahead: ahead.map(({ id }) => drawn.get(id)!.d), way, last: at };
    way.push(...flattened(drawn.get(next.id)!.path));
    at = next.to;
  }
});

type Point = Pick<Box, "x" | "y">;

/** The ghost's letter width and line height, in pixels. */
const [LETTER, LINE] = [7.9, 26];
/** Margin around cards and labels, and distance between the places tried, in pixels. */
const [AROUND, SEARCH] = [4, 7];
/** Margin at the stage's edges, in pixels. */
const RIM = 1;

/** Return a place near the path's last card, clear of cards and, if possible, of labels. */
function placeOf(width: number): Point {
  const { cards, arrows } = plan.value;
  const last = cards.find(({ id }) => id === arrowsAhead.value.last) ?? cards.at(-1)!;
  const near = { x: last.x + last.w / 2, y: last.y + last.h / 2 };
  const find = (boxes: readonly Box[]) => nearestFree(near, width, 2 * LINE, boxes);
  const below = nearestInSight({ x: near.x, y: Infinity }, width, 2 * LINE);
  return find([...cards, ...arrows.map(({ label }) => label)]) ?? find(cards) ?? below;
}

/** Return the centre of a rectangle on the stage and clear of `boxes`, as near `to` as possible. */
function nearestFree(
  to: Point,
  width: number,
  height: number,
  boxes: readonly Box[],
): Point | null {
  const { width: right, height: bottom } = plan.value;
  let [found, least]: [Point | null, number] = [null, Infinity];
  for (let x = width / 2; x <= right - width / 2; x += SEARCH)
    for (let y = height / 2; y <= bottom - height / 2; y += SEARCH) {
      const distance = Math.hypot(x - to.x, y - to.y);
      const isTaken = ({ x: left, y: top, w, h }: Box) =>
        Math.abs(x - left - w / 2) < (width + w) / 2 + AROUND &&
        Math.abs(y - top - h / 2) < (height + h) / 2 + AROUND;
      if (distance < least && !boxes.some(isTaken)) [found, least] = [{ x, y }, distance];
    }
  return found;
}

/** Return the centre of a rectangle on the stage, as near a point as possible. */
function nearestInSight({ x, y }: Point, width: number, height: number): Point {
  const { width: right, height: bottom } = plan.value;
  const [across, down] = [width / 2 + RIM, height / 2 + RIM];
  return {
    x: clamp(x, across, Math.max(across, right - across)),
    y: clamp(y, down, Math.max(down, bottom - down)),
  };
}

/** The legend's size in `em`, and its font size in pixels, the smallest one on phones. */
const [LEGEND_WIDE, LEGEND_HIGH, LEGEND] = [7.4, 1.3, 12];

/** The centre of a free place for the legend; null if all cards have words, or none is free. */
const legendPlace = computed(() => {
  const { cards, arrows, variant, width, height } = plan.value;
  if (variant.operation === "words" && variant.leaf === "words") return null;
  const wires = arrows.flatMap(({ path }) => {
    const line = flattened(path);
    return line.slice(1).map(([x, y], at) => {
      const [left, top] = [Math.min(x, line[at]![0]), Math.min(y, line[at]![1])];
      return { x: left, y: top, w: Math.abs(x - line[at]![0]), h: Math.abs(y - line[at]![1]) };
    });
  });
  const texts = [...cards, ...arrows.map(({ label }) => label)];
  const find = (boxes: readonly Box[]) =>
    nearestFree({ x: width, y: height }, LEGEND * LEGEND_WIDE, LEGEND * LEGEND_HIGH, boxes);
  return find([...texts, ...wires]) ?? find(texts) ?? find(cards);
});

/** The legend of the marks on cards that are too small for words. */
export function Legend() {
  const place = legendPlace.value;
  if (place === null || change.value !== null) return null;
  return (
    <p class="marks" style={`left:${place.x}px;top:${place.y}px`} aria-hidden="true">
      {["data", "grad"].map((part) => (
        <span class={`figure ${part}`}>
          <i class="dot-mark" />
          {part}
        </span>
      ))}
    </p>
  );
}

/** The moving ghost, the arrows that it follows, and the actual change at their end. */
export function Ghost() {
  const now = change.value;
  if (now === null) return null;
  const { predicted, actual } = interactionWords.value.curve;
  const columns = [
    [predicted, actual],
    [now.product, now.results],
    [now.predicted, now.actual],
  ].map((texts) => texts.reduce((one, other) => (one.length > other.length ? one : other)));
  const width = LETTER * (columns.join("  ").length + 3);
  const place = placeOf(width);
  const home = { x: place.x, y: place.y - LINE / 2 };
  const line: Place[] = [...arrowsAhead.value.way, [home.x, home.y]];
  const [x, y] = line.length > 1 ? placeAlong(line, way.value) : line[0]!;
  const at = nearestInSight({ x, y }, width, LINE);
  return (
    <>
      <svg class="nudge-ways" aria-hidden="true">
        {arrowsAhead.value.ahead.map((d) => (
          <path d={d} />
        ))}
      </svg>
      <div
        class="nudge"
        style={`left:${place.x - width / 2}px;top:${place.y - LINE}px;width:${width}px`}
        aria-hidden="true"
      >
        <p class="predicted" style={`translate:${at.x - home.x}px ${at.y - home.y}px`}>
          <span>{predicted}</span> <span class="mono">{now.product}</span>{" "}
          <b class={`g mono${now.predicted.startsWith("−") ? " minus" : ""}`}>{now.predicted}</b>
        </p>
        <p class="actual">
          <span>{actual}</span> <span class="mono">{now.results}</span>{" "}
          <b class="d mono">{now.actual}</b>
        </p>
      </div>
    </>
  );
}
