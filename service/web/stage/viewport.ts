/** The window on the graph: its layout, where the camera is, and how much each card can say. */

import { computed, effect, signal } from "@preact/signals";
import { clamp, everyFrame } from "../state/helpers.ts";
import { drawnGraph, isCrowded, target } from "../state/target.ts";
import { pan, pitch, reducedMotion, showsAccuracy, stageSize, yaw, zoom } from "../state/view.ts";
import { cameraFor, cornersOf, interpolate, projectionOf, transformOf } from "./camera.ts";
import type { Camera, CardTransform, Place } from "./camera.ts";
import { boundsOf, cardSizeOf, layOut, valueCount } from "./layout.ts";

/** On a stage narrower than this, in a window that is higher, the graph is turned: inputs are on top. */
const [NARROW, LOW] = [560, 320];
/** Pixels at the sides of the graph, and above and below it. */
const [SIDE_MARGIN, TOP_MARGIN] = [14, 9];
/** A turned stage is as high as its graph, within bounds; sentence and play bar stand below it. */
const [LOWEST, HIGHEST, PLAY] = [240, 600, 176];
const DEGREE = Math.PI / 180;
const [MOST_YAW, MOST_PITCH] = [30 * DEGREE, 24 * DEGREE];
/** How the graph stands at first, by the number of values in sight. */
const FIRST_ORIENTATIONS = [
  [8, 11, 10],
  [14, 5, 8],
  [Infinity, 3, 5],
] as const;
/** The eye's distance: for a few values near, for many far, and in widths of what it sees. */
const [NEAREST, FARTHEST, MORE, FAR] = [1_300, 2_600, 60, 1.5];
/** The largest scale of what is followed, and of all on a phone. */
const [MOST_NEAR, MOST_TURNED] = [1.25, 1.1];
/** The largest scale of all, and of a stage so many pixels wide that it grows with it. */
const [MOST, MOST_WIDE, WIDE] = [1.35, 2, 640];
/** Milliseconds that the camera takes to its next place, and that it rests before labels come back. */
const [TRAVEL, REST] = [240, 120];
/** The idle turn: so far, in so many milliseconds there and back. */
const [IDLE, PERIOD] = [5 * DEGREE, 16_000];

/** The least size of letters in pixels. */
export const leastLetters = computed(() => (isVertical.value ? 12 : 11));

/** How much a card says: 0 all, 1 name, data and gradient, 2 its name, 3 nothing, by its scale. */
const DETAILS = [0.78, 0.5, 0.2];
type Detail = 0 | 1 | 2 | 3;
/** To say more again, a card has to be larger by this. */
const STICKY = 1.08;

export const isVertical = computed(() => stageSize.value.width < NARROW && innerHeight > LOW);

/** The floor is this far below the lowest card; few cards show where they stand on it. */
export const FLOOR = 26;
const [FEW, FEET] = [14, 80];
/** What the buttons over the graph take where it is larger than the window; in a small one they stand above it. */
const buttonsHeight = () => (innerWidth > 640 && innerHeight > 544 ? 44 : 0);

const area = computed(() => {
  const { width, height } = stageSize.value;
  return {
    width: width - 2 * SIDE_MARGIN,
    height: (isVertical.value ? HIGHEST : height) - 2 * TOP_MARGIN,
  };
});

/** Where all stands; recomputed only when the cards or the stage change. */
export const layout = computed(() => {
  const { cards, wires } = drawnGraph.value;
  const { width, height } = area.value;
  const free = isVertical.value || valuesInSight.value > FEW ? 0 : FEET;
  const sizes = new Map(
    cards.map((card) => [card.id, cardSizeOf(card, isVertical.value, showsAccuracy.value)]),
  );
  return layOut(cards, wires, sizes, { width, height: height - free }, isVertical.value);
});

export const bounds = computed(() => boundsOf(layout.value.boxes.values()));

/** The height of a turned stage, in pixels. */
export const stageHeight = computed(() => {
  const { top, bottom, left, right } = bounds.value;
  const scale = Math.min(MOST_TURNED, area.value.width / (right - left));
  const least = Math.min(LOWEST, innerHeight - PLAY);
  return clamp(
    (bottom - top) * scale + 4 * TOP_MARGIN,
    least,
    Math.max(least, Math.min(HIGHEST, innerHeight - PLAY)),
  );
});

/** Part of the idle turn, which ends for good at the first touch, key or step. */
const idleYaw = signal(0);

const valuesInSight = computed(() => valueCount(drawnGraph.value.cards));

const orientation = computed(() => {
  const [, sideways, down] = FIRST_ORIENTATIONS.find(([most]) => valuesInSight.value <= most)!;
  const flat = isVertical.value ? 0 : 1;
  const { left, right } = bounds.value;
  return {
    yaw: clamp(flat * sideways * DEGREE + idleYaw.value - yaw.value, -MOST_YAW, MOST_YAW),
    pitch: clamp((flat * down + 1) * DEGREE + pitch.value, 0, MOST_PITCH),
    focal: Math.max(Math.min(FARTHEST, NEAREST + MORE * valuesInSight.value), FAR * (right - left)),
  };
});

function cameraOn(places: readonly Place[], most: number, below = 0): Camera {
  const { width, height } = area.value;
  const high = isVertical.value ? stageHeight.value - 2 * TOP_MARGIN : height;
  const near = isVertical.value ? Math.min(most, MOST_TURNED) : most;
  const camera = cameraFor(places, orientation.value, { width, height: high - below }, near);
  return { ...camera, left: camera.left + SIDE_MARGIN, top: camera.top + TOP_MARGIN };
}

/** All cards, and where they stand on the floor if that does not make them small. */
const wholeCamera = computed(() => {
  const boxes = [...layout.value.boxes.values()];
  const cards = boxes.flatMap(cornersOf);
  const feet = boxes.map(({ x, z }) => ({ x, y: bounds.value.bottom + FLOOR + 8, z }));
  const most = clamp(area.value.width / WIDE, MOST, MOST_WIDE);
  const found = cameraOn(isVertical.value ? cards : [...cards, ...feet], most);
  if (found.scale >= 1) return found;
  const near = cameraOn(cards, most);
  return near.scale >= DETAILS[0]! || isCrowded.value
    ? near
    : cameraOn(cards, most, buttonsHeight());
});

/** Whether all cards can say all that they have at once. */
export const fitsWhole = computed(() => isCrowded.value || wholeCamera.value.scale >= DETAILS[0]!);

/** The cards that the camera shows; null is all. */
const framedCards = computed(() => {
  const { boxes } = layout.value;
  const found = fitsWhole.value ? [] : (target.value ?? []).filter((id) => boxes.has(id));
  return found.length === 0 ? null : found.toSorted((one, other) => one - other).join();
});

const aimedCamera = computed(() => {
  const { boxes } = layout.value;
  const camera =
    framedCards.value === null
      ? wholeCamera.value
      : cameraOn(
          framedCards.value.split(",").flatMap((id) => cornersOf(boxes.get(Number(id))!)),
          MOST_NEAR,
          buttonsHeight(),
        );
  const { width, height } = stageSize.value;
  const factor = zoom.value;
  return {
    ...camera,
    scale: camera.scale * factor,
    left: width / 2 + (camera.left - width / 2) * factor + pan.value.x * width,
    top: height / 2 + (camera.top - height / 2) * factor + pan.value.y * height,
  };
});

/** How far the camera has come to where it goes; 1 is there. */
const travelled = signal(1);
let travelStart = aimedCamera.peek();

export const camera = computed(() => {
  const share = travelled.value;
  return share < 1
    ? interpolate(travelStart, aimedCamera.value, share * share * (3 - 2 * share))
    : aimedCamera.value;
});

export const projection = computed(() => projectionOf(camera.value));

/** Whether the camera moves: then labels wait. */
export const moving = signal(false);

/** By card, how it is seen. */
export const cardTransforms = computed(
  () =>
    new Map([...layout.value.boxes].map(([id, box]) => [id, transformOf(projection.value, box)])),
);

let [detail, detailLayout]: [Detail, unknown] = [0, null];

/** What all cards can say that the camera shows: as much as the smallest of them. */
const commonDetail = computed((): Detail => {
  const inSight = framedCards.value?.split(",").map(Number) ?? [...cardTransforms.value.keys()];
  if (detailLayout !== layout.value) [detail, detailLayout] = [0, layout.value];
  const scale = Math.min(...inSight.map((id) => cardTransforms.value.get(id)!.scale));
  const found = detailAt(scale);
  detail = found < detail ? (Math.min(detail, detailAt(scale / STICKY)) as Detail) : found;
  return detail;
});

function detailAt(scale: number): Detail {
  const found = DETAILS.findIndex((least) => scale >= least);
  return (found < 0 ? DETAILS.length : found) as Detail;
}

export function detailOf({ scale }: CardTransform): Detail {
  return Math.max(commonDetail.value, detailAt(scale * STICKY)) as Detail;
}

/** Turn gently, there and back, or until the first touch or key. */
export function startIdleTurn(): void {
  if (reducedMotion.matches) return;
  let time = 0;
  const cancel = everyFrame((elapsed) => {
    time = Math.min(PERIOD, time + elapsed);
    idleYaw.value = IDLE * Math.sin((2 * Math.PI * time) / PERIOD);
    return time < PERIOD;
  });
  const events = ["pointerdown", "keydown", "wheel", "focusin", "hashchange"];
  const end = () => {
    cancel();
    for (const event of events) removeEventListener(event, end, true);
    stopMoving();
  };
  for (const event of events) addEventListener(event, end, true);
}

let timer = 0;

function stopMoving(): void {
  clearTimeout(timer);
  moving.value = false;
}

/** Be there at once. */
export function finishTravel(): void {
  stopTravel();
  travelled.value = 1;
  stopMoving();
}

let previous = { camera: camera.peek(), sights: framedCards.peek(), placed: layout.peek() };
let stopTravel = () => {};
effect(() => {
  const before = previous;
  previous = { camera: camera.value, sights: framedCards.value, placed: layout.value };
  if (previous.camera === before.camera || previous.placed !== before.placed) return;
  moving.value = true;
  clearTimeout(timer);
  timer = setTimeout(stopMoving, REST) as unknown as number;
  if (previous.sights === before.sights || reducedMotion.matches) return;
  stopTravel();
  [travelStart, travelled.value] = [before.camera, 0];
  stopTravel = everyFrame((elapsed) => {
    travelled.value = Math.min(1, travelled.peek() + elapsed / TRAVEL);
    return travelled.peek() < 1;
  });
});
