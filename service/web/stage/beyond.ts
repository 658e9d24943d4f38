/** What lies beyond the window: a pin for each card there, where an arrow leaves for it. */

import { computed } from "@preact/signals";
import { drawn, isCrowded } from "../state/sight.ts";
import { clamp } from "../state/number.ts";
import { stage } from "../state/view.ts";
import { shown } from "../state/program.ts";
import { cut, nameOf } from "../words/names.ts";
import { cornersOf } from "./camera.ts";
import type { Point } from "./camera.ts";
import { widthOf } from "./fit.ts";
import { corners, ROOMY, touch } from "./corners.ts";
import { moving, placed, projection } from "./frame.ts";
import { around, meets } from "./labels.ts";
import type { Rect } from "./labels.ts";
import { isInside, isInSight } from "./walk.ts";

/** A pin's name has at most so many letters of this size; what is free around it. */
const [MOST_LETTERS, LETTERS, FREE] = [9, 12, 5];
/** Its height, for a mouse and for a finger. */
const [LOW, HIGH] = [28, 44];
/** Where a pin has no room it goes along its border, in steps, so often. */
const TRIES = 12;

interface Pin extends Point {
  readonly card: number;
  readonly text: string;
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
