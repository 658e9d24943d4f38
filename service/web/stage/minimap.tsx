/** Around a graph that is larger than its window: the minimap, pins at the border, and zoom buttons. */

import { computed, useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { boundingRect, drawOn, overlaps } from "../canvas.ts";
import type { Point, Rect } from "../canvas.ts";
import { deferredWords } from "../deferred_words.ts";
import { clamp } from "../state/helpers.ts";
import { partialGrads } from "../state/play.ts";
import { shown } from "../state/program.ts";
import {
  activeCards,
  aimAt,
  drawnGraph,
  follow,
  following,
  isCrowded,
  showAll,
  stopFollowing,
  target,
} from "../state/target.ts";
import { panBy, stageSize, zoomBy } from "../state/view.ts";
import { cut, nameOf } from "../words/text.tsx";
import { cornersOf } from "./camera.ts";
import { textWidth } from "./card_text.ts";
import { focusCard, isInside, isInSight } from "./input.tsx";
import { bounds, camera, isVertical, layout, moving, projection } from "./viewport.ts";

/** The least height of a window with a map or pins in it. */
const ROOMY = 280;
/** Whether controls are as large as a finger. */
const isTouch = matchMedia("(max-width: 40rem), (pointer: coarse)");
/** Between the map and a card. */
const MAP_GAP = 5;

/** Where the map may stand, right or left and below or above: it covers no card that is looked at. */
const MAP_PLACES = [
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
  const { width, height } = stageSize.value;
  if (isVertical.value || isCrowded.value || height < ROOMY) return false;
  return [...layout.value.boxes.values()].some((box) =>
    cornersOf(box)
      .map(projection.value)
      .some(({ x, y }) => x < -1 || x > width + 1 || y < -1 || y > height + 1),
  );
});

let previousRect: Rect | null = null;

/** The map's place; null where there is none, or no room for one. While all moves it stays. */
const mapRect = computed((): Rect | null => {
  if (!isCut.value) return null;
  if (moving.value && previousRect !== null) return previousRect;
  const { width, height } = stageSize.value;
  const { boxes } = layout.value;
  const cards = [...new Set([...activeCards.value, ...(target.value ?? [])])]
    .filter((id) => boxes.has(id))
    .map((id) => boundingRect(cornersOf(boxes.get(id)!).map(projection.value), MAP_GAP));
  const places = MAP_PLACES.map(([right, below]) => {
    const left = right ? width - MAP.wide - MAP.free : MAP.free;
    const top = below ? height - MAP.high - MAP.free : MAP.free;
    return { left, right: left + MAP.wide, top, bottom: top + MAP.high };
  });
  previousRect = places.find((place) => !cards.some((card) => overlaps(card, place))) ?? null;
  return previousRect;
});

/** The map and the buttons, where they are. */
const overlayRects = computed((): Rect[] => {
  const { height } = stageSize.value;
  const { wide, high } = isTouch.matches ? LARGE_BUTTONS : BUTTONS;
  const found = mapRect.value === null ? [] : [boundingRect(pointsOf(mapRect.value), 8)];
  if (innerWidth <= 640 || isCrowded.value) return found;
  return [...found, { left: 0, right: wide, top: height - high, bottom: height }];
});

function pointsOf({ left, right, top, bottom }: Rect): Point[] {
  return [
    { x: left, y: top },
    { x: right, y: bottom },
  ];
}

const [MAP_WIDTH, MAP_HEIGHT, MAP_PAD] = [190, 118, 8];

const canvas = createRef<HTMLCanvasElement>();

/** Pixels of the map for a unit of the drawing, and where its middle is. */
function mapScale(): number {
  const { left, right, top, bottom } = bounds.value;
  return Math.min(
    (MAP_WIDTH - 2 * MAP_PAD) / (right - left),
    (MAP_HEIGHT - 2 * MAP_PAD) / (bottom - top),
  );
}

/** What shows the way to cards out of sight. */
export function Offscreen() {
  return (
    <>
      <Pins />
      {mapRect.value !== null && <Minimap />}
    </>
  );
}

function Minimap() {
  useSignalEffect(() => {
    const draw = drawOn(canvas.current!, MAP_WIDTH, MAP_HEIGHT);
    const { left, right, top, bottom } = bounds.value;
    const scale = mapScale();
    const at = ({ x, y }: { x: number; y: number }) => ({
      x: MAP_WIDTH / 2 + (x - (left + right) / 2) * scale,
      y: MAP_HEIGHT / 2 + (y - (top + bottom) / 2) * scale,
    });
    const { boxes, routes } = layout.value;
    draw.stroke(
      "--edge",
      0.7,
      [...routes.values()].map((route) => route.map(at)),
    );
    for (const { id } of drawnGraph.value.cards) {
      const { x, y, w, h } = boxes.get(id)!;
      const [one, other] = [at({ x: x - w / 2, y: y - h / 2 }), at({ x: x + w / 2, y: y + h / 2 })];
      const colour = partialGrads.value[id]!.grad === null ? "--side" : "--grad-line";
      draw.fill(colour, [one, { x: other.x, y: one.y }, other, { x: one.x, y: other.y }]);
    }
    const { width, height } = stageSize.value;
    const { x, y, left: across, top: down, scale: near } = camera.value;
    const [one, other] = [
      at({ x: x - across / near, y: y - down / near }),
      at({ x: x + (width - across) / near, y: y + (height - down) / near }),
    ];
    const frame = [one, { x: other.x, y: one.y }, other, { x: one.x, y: other.y }, one];
    draw.stroke("--ink", 1.6, [frame]);
  });
  const drag = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    stopFollowing();
    const factor = camera.value.scale / mapScale();
    panBy(-event.movementX * factor, -event.movementY * factor);
  };
  return (
    <canvas
      class="minimap"
      ref={canvas}
      style={`left:${mapRect.value!.left}px;top:${mapRect.value!.top}px`}
      role="img"
      aria-label={deferredWords.value.zoom.map}
      onPointerMove={drag}
      onDblClick={() => aimAt(null)}
    />
  );
}

/** A pin's name has at most so many letters of this size; what is free around it. */
const [MOST_PIN_LETTERS, PIN_LETTERS, PIN_GAP] = [9, 12, 5];
/** Its height, for a mouse and for a finger. */
const [PIN_HEIGHT, TOUCH_PIN_HEIGHT] = [28, 44];
/** Where a pin has no room it goes along its border, in steps, so often. */
const PIN_TRIES = 12;

interface Pin extends Point {
  readonly card: number;
  readonly text: string;
}

/** A pin for each card that is out of sight and wired to one in sight. */
const pins = computed((): Pin[] => {
  if (moving.value || isCrowded.value || stageSize.value.height < ROOMY) return [];
  const { boxes, routes } = layout.value;
  const inSight = new Set([...boxes.keys()].filter(isInSight));
  const cards = [...inSight].map((id) =>
    boundingRect(cornersOf(boxes.get(id)!).map(projection.value), PIN_GAP),
  );
  const found = new Map<number, Pin>();
  const occupied = [...overlayRects.value];
  for (const { edge, from, to } of drawnGraph.value.wires) {
    const card = inSight.has(from) ? to : from;
    if (inSight.has(from) === inSight.has(to) || found.has(card)) continue;
    const route = routes.get(edge.id)!.map(projection.value);
    const away = card === to ? route : route.toReversed();
    const pin = pinOf(
      card,
      away.find((point) => !isInside(point)) ?? away.at(-1)!,
      occupied,
      cards,
    );
    if (pin === null) continue;
    found.set(card, pin);
    occupied.push(pinRect(pin));
  }
  return [...found.values()];
});

/** At the border where an arrow leaves, or beside that: rather not over a card. */
function pinOf(
  card: number,
  leaves: Point,
  occupied: readonly Rect[],
  cards: readonly Rect[],
): Pin | null {
  const { width, height } = stageSize.value;
  const name = cut(nameOf(shown.value, card), MOST_PIN_LETTERS);
  const [across, down] = [pinWidth(name) / 2 + PIN_GAP, pinHeight() / 2 + PIN_GAP];
  const x = clamp(leaves.x, across, width - across);
  const y = clamp(leaves.y, down, height - down);
  const isAside = Math.abs(leaves.x - x) > Math.abs(leaves.y - y);
  const [before, after] = isAside ? ["← ", " →"] : [leaves.y < y ? "↑ " : "↓ ", ""];
  const text = isAside && leaves.x > x ? name + after : before + name;
  const steps = Array.from({ length: PIN_TRIES }, (_, at) => Math.ceil(at / 2) * (at % 2 ? 1 : -1));
  const tries = steps
    .map((by) =>
      isAside ? { x, y: y + by * (pinHeight() + PIN_GAP) } : { x: x + by * pinWidth(name), y },
    )
    .map((place) => ({ ...place, card, text }))
    .filter((pin) => isInside(pin) && !occupied.some((rect) => overlaps(rect, pinRect(pin))));
  return (
    tries.find((pin) => !cards.some((rect) => overlaps(rect, pinRect(pin)))) ?? tries[0] ?? null
  );
}

function pinHeight(): number {
  return isTouch.matches ? TOUCH_PIN_HEIGHT : PIN_HEIGHT;
}

function pinWidth(name: string): number {
  return textWidth(`${name}  ←`, PIN_LETTERS);
}

function pinRect({ x, y, text }: Pin): Rect {
  const [across, down] = [textWidth(`${text} `, PIN_LETTERS) / 2, pinHeight() / 2];
  return { left: x - across, right: x + across, top: y - down, bottom: y + down };
}

/** All of these, which no label may meet. */
export const reservedRects = computed(() => [...overlayRects.value, ...pins.value.map(pinRect)]);

function Pins() {
  return (
    <>
      {pins.value.map(({ card, x, y, text }) => (
        <button
          key={card}
          class="pin mono"
          style={`left:${x}px;top:${y}px`}
          aria-label={deferredWords.value.zoom.to(nameOf(shown.value, card))}
          onClick={() => {
            aimAt([card]);
            focusCard(card);
          }}
        >
          {text}
        </button>
      ))}
    </>
  );
}

const ZOOM_STEP = 1.5;

export function Zoom() {
  const text = deferredWords.value.zoom;
  return (
    <div class="zoom" role="group" aria-label={text.name}>
      <button onClick={showAll}>{text.all}</button>
      <button aria-pressed={following.value} onClick={follow}>
        {text.follow}
      </button>
      <button aria-label={text.out} onClick={() => zoomBy(1 / ZOOM_STEP)}>
        −
      </button>
      <button aria-label={text.in} onClick={() => zoomBy(ZOOM_STEP)}>
        +
      </button>
    </div>
  );
}
