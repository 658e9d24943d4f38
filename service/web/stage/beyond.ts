/** What lies beyond the window: where its map is, and a pin where an arrow leaves for a card there. */

import { computed } from "@preact/signals";
import { active, drawn, isCrowded, looked } from "../state/sight.ts";
import { clamp } from "../state/number.ts";
import { stage } from "../state/view.ts";
import { shown } from "../state/program.ts";
import { cut, nameOf } from "../words/names.ts";
import { cornersOf } from "./camera.ts";
import type { Point } from "./camera.ts";
import { widthOf } from "./fit.ts";
import { isTurned, moving, placed, projection } from "./frame.ts";
import { around, meets } from "./labels.ts";
import type { Rect } from "./labels.ts";
import { isInside, isInSight } from "./walk.ts";

/** The least height of a window with a map or pins in it. */
const ROOMY = 280;
/** A pin's name has at most so many letters of this size; what is free around it. */
const [MOST_LETTERS, LETTERS, FREE] = [9, 12, 5];
/** Its height, for a mouse and for a finger. */
const [LOW, HIGH] = [28, 44];
const touch = matchMedia("(max-width: 40rem), (pointer: coarse)");
/** Where a pin has no room it goes along its border, in steps, so often. */
const TRIES = 12;

export interface Pin extends Point {
  readonly card: number;
  readonly text: string;
}

/** Where the map may stand, right or left and below or above: it covers no card that is looked at. */
const PLACES = [
  [1, 1],
  [1, 0],
  [0, 0],
] as const;
const MAP = { wide: 190, high: 118, free: 12 };
/** What the buttons take at the lower left. */
const BUTTONS = { wide: 270, high: 56 };

/** Whether a card is wholly or partly out of the window, which is large enough for a map. */
const isCut = computed(() => {
  const { width, height } = stage.value;
  if (isTurned.value || isCrowded.value || height < ROOMY) return false;
  return [...placed.value.boxes.values()].some((box) =>
    cornersOf(box)
      .map(projection.value)
      .some(({ x, y }) => x < -1 || x > width + 1 || y < -1 || y > height + 1),
  );
});

let before: Rect | null = null;

/** The map's place; null where there is none, or no room for one. While all moves it stays. */
export const map = computed((): Rect | null => {
  if (!isCut.value) return null;
  if (moving.value && before !== null) return before;
  const { width, height } = stage.value;
  const { boxes } = placed.value;
  const cards = [...new Set([...active.value, ...(looked.value ?? [])])]
    .filter((id) => boxes.has(id))
    .map((id) => around(cornersOf(boxes.get(id)!).map(projection.value), FREE));
  const places = PLACES.map(([right, below]) => {
    const left = right ? width - MAP.wide - MAP.free : MAP.free;
    const top = below ? height - MAP.high - MAP.free : MAP.free;
    return { left, right: left + MAP.wide, top, bottom: top + MAP.high };
  });
  before = places.find((place) => !cards.some((card) => meets(card, place))) ?? null;
  return before;
});

/** The map and the buttons, where they are. */
const corners = computed((): Rect[] => {
  const { height } = stage.value;
  if (!isCut.value) return [];
  const buttons = { left: 0, right: BUTTONS.wide, top: height - BUTTONS.high, bottom: height };
  return map.value === null ? [buttons] : [buttons, around(pointsOf(map.value), 8)];
});

function pointsOf({ left, right, top, bottom }: Rect): Point[] {
  return [
    { x: left, y: top },
    { x: right, y: bottom },
  ];
}

/** A pin for each card that is out of sight and wired to one in sight. */
export const pins = computed((): Pin[] => {
  if (moving.value || isCrowded.value || stage.value.height < ROOMY) return [];
  const { boxes, routes } = placed.value;
  const inSight = new Set([...boxes.keys()].filter(isInSight));
  const cards = [...inSight].map((id) =>
    around(cornersOf(boxes.get(id)!).map(projection.value), FREE),
  );
  const found = new Map<number, Pin>();
  const taken = [...corners.value];
  for (const { edge, from, to } of drawn.value.wires) {
    const card = inSight.has(from) ? to : from;
    if (inSight.has(from) === inSight.has(to) || found.has(card)) continue;
    const route = routes.get(edge.id)!.map(projection.value);
    const away = card === to ? route : route.toReversed();
    const pin = pinOf(card, away.find((point) => !isInside(point)) ?? away.at(-1)!, taken, cards);
    if (pin === null) continue;
    found.set(card, pin);
    taken.push(rectOf(pin));
  }
  return [...found.values()];
});

/** At the border where an arrow leaves, or beside that: rather not over a card. */
function pinOf(
  card: number,
  leaves: Point,
  taken: readonly Rect[],
  cards: readonly Rect[],
): Pin | null {
  const { width, height } = stage.value;
  const name = cut(nameOf(shown.value, card), MOST_LETTERS);
  const [across, down] = [wide(name) / 2 + FREE, high() / 2 + FREE];
  const x = clamp(leaves.x, across, width - across);
  const y = clamp(leaves.y, down, height - down);
  const isAside = Math.abs(leaves.x - x) > Math.abs(leaves.y - y);
  const [before, after] = isAside ? ["← ", " →"] : [leaves.y < y ? "↑ " : "↓ ", ""];
  const text = isAside && leaves.x > x ? name + after : before + name;
  const steps = Array.from({ length: TRIES }, (_, at) => Math.ceil(at / 2) * (at % 2 ? 1 : -1));
  const tries = steps
    .map((by) => (isAside ? { x, y: y + by * (high() + FREE) } : { x: x + by * wide(name), y }))
    .map((place) => ({ ...place, card, text }))
    .filter((pin) => isInside(pin) && !taken.some((rect) => meets(rect, rectOf(pin))));
  return tries.find((pin) => !cards.some((rect) => meets(rect, rectOf(pin)))) ?? tries[0] ?? null;
}

function high(): number {
  return touch.matches ? HIGH : LOW;
}

function wide(name: string): number {
  return widthOf(`${name}  ←`, LETTERS);
}

function rectOf({ x, y, text }: Pin): Rect {
  const [across, down] = [widthOf(`${text} `, LETTERS) / 2, high() / 2];
  return { left: x - across, right: x + across, top: y - down, bottom: y + down };
}

/** All of these, which no label may meet. */
export const taken = computed(() => [...corners.value, ...pins.value.map(rectOf)]);
