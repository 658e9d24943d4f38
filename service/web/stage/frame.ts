/** The window on the graph: where all stands, where the eye is, and how much each card can say. */

import { computed, effect, signal } from "@preact/signals";
import { clamp } from "../state/number.ts";
import { drawn, isCrowded, looked } from "../state/sight.ts";
import { accurate, pan, pitch, reducedMotion, stage, yaw, zoom } from "../state/view.ts";
import { between, cornersOf, flatOf, framing, projectionOf } from "./camera.ts";
import type { Camera, Flat, Place } from "./camera.ts";
import { boundsOf, contentOf, place } from "./place.ts";
import { sizeOf } from "./size.ts";

/** On a stage narrower than this, in a window that is higher, the graph is turned: inputs are on top. */
const [NARROW, LOW] = [560, 320];
/** Pixels at the sides of the graph, and above and below it. */
const [ASIDE, ABOVE] = [14, 9];
/** A turned stage is as high as its graph, within bounds; the play bar stands below it. */
const [LOWEST, HIGHEST, PLAY] = [240, 600, 110];
const DEGREE = Math.PI / 180;
const [MOST_YAW, MOST_PITCH] = [30 * DEGREE, 24 * DEGREE];
/** How the graph stands at first, by the number of values in sight. */
const TURNS = [
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
export const leastLetters = computed(() => (isTurned.value ? 12 : 11));

/** How much a card says: 0 all, 1 name, data and gradient, 2 its name, 3 nothing, by its scale. */
const LEVELS = [0.78, 0.5, 0.2];
type Level = 0 | 1 | 2 | 3;
/** To say more again, a card has to be larger by this. */
const STICKY = 1.08;

export const isTurned = computed(() => stage.value.width < NARROW && innerHeight > LOW);

/** The floor is this far below the lowest card; few cards show where they stand on it. */
export const FLOOR = 26;
const [FEW, FEET] = [14, 80];
/** What the buttons over the graph take where it is larger than the window; on a phone they stand below it. */
const buttons = () => (innerWidth > 640 ? 44 : 0);

const room = computed(() => {
  const { width, height } = stage.value;
  return { width: width - 2 * ASIDE, height: (isTurned.value ? HIGHEST : height) - 2 * ABOVE };
});

/** Where all stands; recomputed only when the cards or the stage change. */
export const placed = computed(() => {
  const { cards, wires } = drawn.value;
  const { width, height } = room.value;
  const free = isTurned.value || content.value > FEW ? 0 : FEET;
  const sizes = new Map(
    cards.map((card) => [card.id, sizeOf(card, isTurned.value, accurate.value)]),
  );
  return place(cards, wires, sizes, { width, height: height - free }, isTurned.value);
});

export const bounds = computed(() => boundsOf(placed.value.boxes.values()));

/** The height of a turned stage, in pixels. */
export const stageHeight = computed(() => {
  const { top, bottom, left, right } = bounds.value;
  const scale = Math.min(MOST_TURNED, room.value.width / (right - left));
  const least = Math.min(LOWEST, innerHeight - PLAY);
  return clamp(
    (bottom - top) * scale + 4 * ABOVE,
    least,
    Math.max(least, Math.min(HIGHEST, innerHeight - PLAY)),
  );
});

/** Part of the idle turn, which ends for good at the first touch, key or step. */
const idle = signal(0);

const content = computed(() => contentOf(drawn.value.cards));

const turn = computed(() => {
  const [, sideways, down] = TURNS.find(([most]) => content.value <= most)!;
  const flat = isTurned.value ? 0 : 1;
  const { left, right } = bounds.value;
  return {
    yaw: clamp(flat * sideways * DEGREE + idle.value - yaw.value, -MOST_YAW, MOST_YAW),
    pitch: clamp((flat * down + 1) * DEGREE + pitch.value, 0, MOST_PITCH),
    focal: Math.max(Math.min(FARTHEST, NEAREST + MORE * content.value), FAR * (right - left)),
  };
});

function framed(places: readonly Place[], most: number, below = 0): Camera {
  const { width, height } = room.value;
  const high = isTurned.value ? stageHeight.value - 2 * ABOVE : height;
  const near = isTurned.value ? Math.min(most, MOST_TURNED) : most;
  const camera = framing(places, turn.value, { width, height: high - below }, near);
  return { ...camera, left: camera.left + ASIDE, top: camera.top + ABOVE };
}

/** All cards, and where they stand on the floor if that does not make them small. */
const whole = computed(() => {
  const boxes = [...placed.value.boxes.values()];
  const cards = boxes.flatMap(cornersOf);
  const feet = boxes.map(({ x, z }) => ({ x, y: bounds.value.bottom + FLOOR + 8, z }));
  const most = clamp(room.value.width / WIDE, MOST, MOST_WIDE);
  const found = framed(isTurned.value ? cards : [...cards, ...feet], most);
  if (found.scale >= 1) return found;
  const near = framed(cards, most);
  return near.scale >= LEVELS[0]! || isCrowded.value ? near : framed(cards, most, buttons());
});

/** Whether all cards can say all that they have at once. */
export const isWhole = computed(() => isCrowded.value || whole.value.scale >= LEVELS[0]!);

/** The cards that the camera shows; null is all. */
const sights = computed(() => {
  const { boxes } = placed.value;
  const found = isWhole.value ? [] : (looked.value ?? []).filter((id) => boxes.has(id));
  return found.length === 0 ? null : found.toSorted((one, other) => one - other).join();
});

const aim = computed(() => {
  const { boxes } = placed.value;
  const camera =
    sights.value === null
      ? whole.value
      : framed(
          sights.value.split(",").flatMap((id) => cornersOf(boxes.get(Number(id))!)),
          MOST_NEAR,
          buttons(),
        );
  const { width, height } = stage.value;
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
let from = aim.peek();

export const camera = computed(() => {
  const share = travelled.value;
  return share < 1 ? between(from, aim.value, share * share * (3 - 2 * share)) : aim.value;
});

export const projection = computed(() => projectionOf(camera.value));

/** Whether the camera moves: then labels wait. */
export const moving = signal(false);

/** By card, how it is seen. */
export const flats = computed(
  () => new Map([...placed.value.boxes].map(([id, box]) => [id, flatOf(projection.value, box)])),
);

let [level, levelled]: [Level, unknown] = [0, null];

/** What all cards can say that the camera shows: as much as the smallest of them. */
const commonLevel = computed((): Level => {
  const inSight = sights.value?.split(",").map(Number) ?? [...flats.value.keys()];
  if (levelled !== placed.value) [level, levelled] = [0, placed.value];
  const scale = Math.min(...inSight.map((id) => flats.value.get(id)!.scale));
  const found = levelOf(scale);
  level = found < level ? (Math.min(level, levelOf(scale / STICKY)) as Level) : found;
  return level;
});

function levelOf(scale: number): Level {
  const found = LEVELS.findIndex((least) => scale >= least);
  return (found < 0 ? LEVELS.length : found) as Level;
}

export function lookOf({ scale }: Flat): Level {
  return Math.max(commonLevel.value, levelOf(scale * STICKY)) as Level;
}

function animate(step: (elapsed: number) => boolean): () => void {
  let before = performance.now();
  let frame = requestAnimationFrame(function next(now) {
    const goesOn = step(Math.max(0, now - before));
    before = now;
    if (goesOn) frame = requestAnimationFrame(next);
  });
  return () => cancelAnimationFrame(frame);
}

/** Turn gently, there and back, or until the first touch or key. */
export function startIdle(): void {
  if (reducedMotion.matches) return;
  let time = 0;
  const cancel = animate((elapsed) => {
    time = Math.min(PERIOD, time + elapsed);
    idle.value = IDLE * Math.sin((2 * Math.PI * time) / PERIOD);
    return time < PERIOD;
  });
  const events = ["pointerdown", "keydown", "wheel", "focusin", "hashchange"];
  const end = () => {
    cancel();
    for (const event of events) removeEventListener(event, end, true);
    settle();
  };
  for (const event of events) addEventListener(event, end, true);
}

let timer = 0;

function settle(): void {
  clearTimeout(timer);
  moving.value = false;
}

/** Be there at once. */
export function arrive(): void {
  stop();
  travelled.value = 1;
  settle();
}

let last = { camera: camera.peek(), sights: sights.peek(), placed: placed.peek() };
let stop = () => {};
effect(() => {
  const before = last;
  last = { camera: camera.value, sights: sights.value, placed: placed.value };
  if (last.camera === before.camera || last.placed !== before.placed) return;
  moving.value = true;
  clearTimeout(timer);
  timer = setTimeout(settle, REST) as unknown as number;
  if (last.sights === before.sights || reducedMotion.matches) return;
  stop();
  [from, travelled.value] = [before.camera, 0];
  stop = animate((elapsed) => {
    travelled.value = Math.min(1, travelled.peek() + elapsed / TRAVEL);
    return travelled.peek() < 1;
  });
});
