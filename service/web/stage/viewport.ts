/** The window on the graph: what is drawn, its layout, where the camera is, how much each card can say. */

import { computed, effect, signal } from "@preact/signals";
import { cardGraph } from "../state/cards.ts";
import type { Card, Chip, Wire } from "../state/cards.ts";
import { boundingRect } from "../canvas.ts";
import type { Point, Rect } from "../canvas.ts";
import { clamp } from "../state/helpers.ts";
import { everyFrame, moving } from "../state/motion.ts";
import { activeCards, target } from "../state/target.ts";
import { isPrinted, pan, pitch, showsAccuracy, stageSize, yaw, zoom } from "../state/view.ts";
import { cameraFor, cornersOf, projectionOf, transformOf } from "./camera.ts";
import type { Box, Camera, Place } from "./camera.ts";
import { cardSizeOf, DEPTHS, layOut, valueCount } from "./layout.ts";
import type { CardForm, Layout } from "./layout.ts";

/** On a stage narrower than this, in a window that is higher, the graph is turned: inputs are on top. */
const NARROW = 560;
const LOW = 320;
/** Pixels at the sides of the graph, and above and below it. */
const [SIDE_MARGIN, TOP_MARGIN] = [14, 9];
/** A turned stage is as high as its graph, within bounds; sentence and play bar stand below it. */
const [LOWEST, HIGHEST, PLAY] = [240, 600, 176];
const DEGREE = Math.PI / 180;
const [MOST_YAW, MOST_PITCH] = [30 * DEGREE, 24 * DEGREE];
/** The eye's distance: for a few values near, for many far, and in widths of what it sees. */
const [NEAREST, FARTHEST, MORE, FAR] = [1_300, 2_600, 60, 1.5];
/** The largest scale, of a stage so many pixels wide that it grows with it, and on a phone. */
const [MOST, MOST_WIDE, WIDE, MOST_TURNED] = [1.35, 2, 640, 1.1];
/** Milliseconds that the camera rests before labels are placed anew. */
const REST = 120;

/** Of more cards all are dots, and only those around the wave are cards. */
const MOST_CARDS = 40;
/** Of the inputs of a value, and of its users, so many are drawn there. */
const MOST_AROUND = 4;

/** The least size of letters in pixels. */
export const leastLetters = computed(() => (isVertical.value ? 12 : 11));

/** What a card may be, and the least scale at which it has room for its numbers in such letters. */
const FORMS: readonly (readonly [form: CardForm, least: number])[] = [
  ["full", 0.78],
  ["small", 0.6],
  ["low", 0.665],
];
const TURNED_FORMS: typeof FORMS = [["small", 0.56]];

/** The least scale at which a card says all, or its name and numbers; below, only its name. */
const [WHOLE, NUMBERS] = [0.7, 0.5];

export const isVertical = computed(() => stageSize.value.width < NARROW && innerHeight > LOW);

/** The floor is this far below the lowest card; few cards show where they stand on it. */
export const FLOOR = 26;
const [FEW, FEET] = [14, 80];

/** What the dots take of the stage, where there are any. */
export const overviewHeight = signal(0);
const [MOST_OVERVIEW, OVERVIEW_SHARE] = [240, 0.4];

/** Give the dots so much of the stage, or as much as there is for them; in a low window, nothing. */
export function reserveOverview(high: number): void {
  const share = innerHeight > LOW ? OVERVIEW_SHARE : 0;
  const most = isVertical.value ? MOST_OVERVIEW : stageSize.value.height * share;
  overviewHeight.value = Math.min(high, MOST_OVERVIEW, most);
}

interface Arrangement extends Layout {
  /** Whether each card has room for its numbers, as the graph stands at first. */
  readonly fits: boolean;
  readonly values: number;
  readonly bounds: Rect;
  /** Pixels that the stage has for it. */
  readonly width: number;
  readonly height: number;
}

/** Place cards as large as they can be and all be seen with their numbers; else as small as can be. */
function arrange(
  cards: readonly Card[],
  wires: readonly Wire[],
  above: number,
  forms = isVertical.value ? TURNED_FORMS : FORMS,
): Arrangement {
  const [form, least] = forms[0]!;
  const values = valueCount(cards);
  const width = stageSize.value.width - 2 * SIDE_MARGIN;
  const room = (isVertical.value ? HIGHEST : stageSize.value.height - above) - 2 * TOP_MARGIN;
  const free = form === "full" && values <= FEW ? FEET : 0;
  const sizes = cards.map((card) => cardSizeOf(card, form, showsAccuracy.value));
  const placed = layOut(cards, wires, sizes, { width, height: room - free }, isVertical.value);
  const boxes = [...placed.boxes.values()];
  const bounds = boundingRect(boxes.flatMap(cornersOf), 0);
  const height = isVertical.value ? turnedHeight(bounds, width, above) - 2 * TOP_MARGIN : room;
  const arranged = { ...placed, values, bounds, width, height };
  const project = projectionOf(cameraOver(arranged, 0, 0));
  const fits = boxes.every((box) => transformOf(project, box).least >= least);
  if (fits || forms.length === 1) return { ...arranged, fits };
  return arrange(cards, wires, above, forms.slice(1));
}

/** The height of a turned stage, in pixels, below what stands above it. */
function turnedHeight({ top, bottom, left, right }: Rect, width: number, above: number): number {
  const scale = Math.min(MOST_TURNED, width / (right - left));
  const room = innerHeight - PLAY - above;
  const least = Math.min(LOWEST, room);
  const most = Math.max(least, Math.min(HIGHEST, room));
  return clamp((bottom - top) * scale + 4 * TOP_MARGIN, least, most);
}

/** The whole graph, if all its cards have room for their numbers. */
const whole = computed(() => {
  const { cards, wires } = cardGraph.value;
  if (cards.length > MOST_CARDS) return null;
  const found = arrange(cards, wires, 0);
  return found.fits ? found : null;
});

/** Whether cards are dots, but those around the wave. */
export const isCrowded = computed(() => whole.value === null);

/** The cards that are drawn: all, or of many the active value, its inputs and its users. */
export const drawnGraph = computed((): { cards: readonly Card[]; wires: readonly Wire[] } => {
  const { cards, wires, cardOf } = cardGraph.value;
  if (!isCrowded.value) return cardGraph.value;
  const [middle = cardOf.at(-1)!] = target.value ?? []; // the last node is the result
  const first = (wire: Wire) => Number(!activeCards.value.includes(wire.from));
  const inputs = wires.filter(({ to }) => to === middle).sort((a, b) => first(a) - first(b));
  const around = new Set([middle]);
  for (const { from } of inputs) if (around.size <= MOST_AROUND) around.add(from);
  const most = around.size + MOST_AROUND;
  for (const { from, to } of wires) if (from === middle && around.size < most) around.add(to);
  return {
    cards: cards.filter(({ id }) => around.has(id)),
    wires: wires.filter(
      ({ from, to }) => (from === middle || to === middle) && around.has(from) && around.has(to),
    ),
  };
});

/** Pixels of the stage that dots take, above the cards. */
export const above = computed(() => (isCrowded.value ? overviewHeight.value : 0));

/** Where all stands; recomputed only when the cards or the stage change. */
export const layout = computed((): Arrangement => {
  const { cards, wires } = drawnGraph.value;
  return whole.value ?? arrange(cards, wires, above.value);
});

/** The height of a turned stage, in pixels. */
export const stageHeight = computed(() => layout.value.height + 2 * TOP_MARGIN + above.value);

/** See all cards, and where they stand on the floor if that does not make them small. */
function cameraOver(
  { boxes, bounds, values, width, height }: Omit<Arrangement, "fits">,
  sideways: number,
  upwards: number,
): Camera {
  const least = innerHeight > LOW ? 0 : Infinity; // what is low stands flat
  const isTurned = isVertical.value;
  const [, , across, down] = DEPTHS.find(([most]) => values + least <= most)!;
  const turn = {
    yaw: clamp((isTurned ? 0 : across * DEGREE) - sideways, -MOST_YAW, MOST_YAW),
    pitch: clamp((isTurned ? 1 : down + 1) * DEGREE + upwards, 0, MOST_PITCH),
    focal: Math.max(
      Math.min(FARTHEST, NEAREST + MORE * values),
      FAR * (bounds.right - bounds.left),
    ),
  };
  const all = [...boxes.values()];
  const cards = all.flatMap(cornersOf);
  const feet = all.map(({ x, z }: Box) => ({ x, y: bounds.bottom + FLOOR + 8, z }));
  const most = isTurned ? MOST_TURNED : clamp(width / WIDE, MOST, MOST_WIDE);
  const standing = cameraFor(isTurned ? cards : [...cards, ...feet], turn, { width, height }, most);
  return standing.scale >= 1 ? standing : cameraFor(cards, turn, { width, height }, most);
}

export const camera = computed((): Camera => {
  const found = cameraOver(layout.value, yaw.value, pitch.value);
  const { width, height } = stageSize.value;
  const [left, top] = [found.left + SIDE_MARGIN, found.top + TOP_MARGIN + above.value];
  // On paper the whole graph is seen, as far as it can be.
  const isWhole = isPrinted.value && !isCrowded.value;
  const factor = isWhole ? 1 : zoom.value;
  const { x, y } = isWhole ? { x: 0, y: 0 } : pan.value;
  return {
    ...found,
    scale: found.scale * factor,
    left: width / 2 + (left - width / 2) * factor + x * width,
    top: height / 2 + (top - height / 2) * factor + y * height,
  };
});

export const projection = computed(() => projectionOf(camera.value));

/** Whether the camera is moved: then labels keep their places beside their arrows. */
export const cameraMoves = computed(() => moving.value.includes("camera"));

/** By card, how it is seen. */
export const cardTransforms = computed(
  () =>
    new Map([...layout.value.boxes].map(([id, box]) => [id, transformOf(projection.value, box)])),
);

/** A leaf beside its card, which may have no room there, and the way from the card. */
export interface Leaf extends Chip {
  readonly box: Box | null;
  readonly route: readonly Place[];
}

/** The leaf under way that is a chip of a card: it is drawn out of that while its arrow is the one. */
export const drawnOut = signal<Leaf | null>(null);

export function isInside({ x, y }: Point): boolean {
  const { width, height } = stageSize.value;
  return x >= 0 && x <= width && y >= above.value && y <= height;
}

/** What all cards can say, as much as the smallest: 0 all, 1 name, data and gradient, 2 the name. */
export const detail = computed(() => {
  const scale = Math.min(...[...cardTransforms.value.values()].map((each) => each.scale));
  return scale >= WHOLE ? 0 : scale >= NUMBERS ? 1 : 2;
});

let previous = { camera: camera.peek(), placed: layout.peek() };
effect(() => {
  const before = previous;
  previous = { camera: camera.value, placed: layout.value };
  if (previous.camera === before.camera || previous.placed !== before.placed) return;
  let rested = 0;
  everyFrame("camera", (elapsed) => (rested += elapsed) < REST);
});
