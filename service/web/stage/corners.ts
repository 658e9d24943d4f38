/** Where the map and the buttons stand on a graph that is larger than its window. */

import { computed } from "@preact/signals";
import { active, isCrowded, looked } from "../state/sight.ts";
import { stage } from "../state/view.ts";
import { cornersOf } from "./camera.ts";
import type { Point } from "./camera.ts";
import { isTurned, moving, placed, projection } from "./frame.ts";
import { around, meets } from "./labels.ts";
import type { Rect } from "./labels.ts";

/** The least height of a window with a map or pins in it. */
export const ROOMY = 280;
/** Whether controls are as large as a finger. */
export const touch = matchMedia("(max-width: 40rem), (pointer: coarse)");
/** Between the map and a card. */
const FREE = 5;

/** Where the map may stand, right or left and below or above: it covers no card that is looked at. */
const PLACES = [
  [1, 1],
  [1, 0],
  [0, 0],
] as const;
const MAP = { wide: 190, high: 118, free: 12 };
/** What the buttons take at the lower left, for a mouse and for a finger; elsewhere on a phone and of dots. */
const [BUTTONS, LARGE_BUTTONS] = [
  { wide: 270, high: 56 },
  { wide: 290, high: 68 },
];

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
export const corners = computed((): Rect[] => {
  const { height } = stage.value;
  const { wide, high } = touch.matches ? LARGE_BUTTONS : BUTTONS;
  const found = map.value === null ? [] : [around(pointsOf(map.value), 8)];
  if (innerWidth <= 640 || isCrowded.value) return found;
  return [...found, { left: 0, right: wide, top: height - high, bottom: height }];
});

function pointsOf({ left, right, top, bottom }: Rect): Point[] {
  return [
    { x: left, y: top },
    { x: right, y: bottom },
  ];
}
