/** What arrows say, and where: beside them, and never over an arrow, a card or another label. */

import type { Point } from "./camera.ts";
import { widthOf } from "./fit.ts";
import { behind, pulseRadius } from "./strokes.ts";
import type { Stroke } from "./strokes.ts";

/** Pieces of a label with their kind: gradient, derivative, contribution, operator. */
export type Line = readonly (readonly [kind: string, text: string])[];

/** An arrow with what it may say, the longest first. */
interface Speaker {
  readonly edge: number;
  readonly lines: readonly Line[];
  readonly stroke: Stroke;
  readonly isNow: boolean;
}

export interface Label {
  readonly line: Line;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly at: Point;
}

export interface Rect {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Places along an arrow, by its share; then all sides, ever farther away. */
const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
const ASIDE = [4, 9, 16, 26];
/** The one under way may stand farther away, for there is no other that it could be taken for. */
const FARTHER = [40, 60];
/** Beside the arrow and, where it is bent or steep, above, below, left and right of it. */
const SIDES = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;
const [PAD, HIGH] = [16, 9];
/** What the letters of the one under way are larger by. */
const LARGER = 1.5;
const APART = 2;

/** Place all labels: that of the arrow under way chooses first. */
export function labelsOf(
  speakers: readonly Speaker[],
  strokes: readonly { readonly stroke: Stroke; readonly isNow: boolean }[],
  cards: readonly Rect[],
  window: Rect,
  least: number,
): Map<number, Label> {
  const found = new Map<number, Label>();
  const taken = [...cards, ...strokes.map(({ stroke }) => around(stroke.head, 1))];
  const lines = strokes.map(({ stroke, isNow }) => ({
    points: stroke.line,
    box: around(stroke.line, 0),
    aside: isNow ? pulseRadius(stroke.width) + 1 : stroke.width / 2 + 1,
  }));
  const isFree = (rect: Rect) =>
    rect.left >= window.left &&
    rect.right <= window.right &&
    rect.top >= window.top &&
    rect.bottom <= window.bottom &&
    !taken.some((other) => meets(rect, other)) &&
    !lines.some(({ points, box, aside }) => {
      const wide = grown(rect, aside);
      return meets(wide, box) && crosses(points, wide);
    });
  for (const speaker of speakers.toSorted((one, other) => +other.isNow - +one.isNow)) {
    const label = placeOf(speaker, isFree, least);
    if (label === null) continue;
    found.set(speaker.edge, label);
    taken.push(grown(rectOf(label.at, label.width, label.height), APART));
  }
  return found;
}

function placeOf(speaker: Speaker, isFree: (rect: Rect) => boolean, least: number): Label | null {
  const { stroke, isNow, lines } = speaker;
  const size = least + 0.6 + (isNow ? LARGER : 0);
  const tries = [
    ...lines.map((line) => [line, size] as const),
    [lines.at(-1)!, least + 0.1] as const,
  ];
  const reach = isNow ? pulseRadius(stroke.width) : stroke.width / 2;
  for (const [line, letters] of tries) {
    const width = widthOf(line.map(([, text]) => text).join(""), letters) + PAD;
    const height = letters + HIGH;
    for (const aside of isNow ? [...ASIDE, ...FARTHER] : ASIDE)
      for (const share of ALONG) {
        const [before, at] = behind(stroke.line, share).slice(-2) as [Point, Point];
        const length = Math.hypot(at.x - before.x, at.y - before.y) || 1;
        const [along, across] = [(at.x - before.x) / length, (at.y - before.y) / length];
        for (const [x, y] of [[across, -along], [-across, along], ...SIDES] as const) {
          const off = aside + reach + (Math.abs(x) * width) / 2 + (Math.abs(y) * height) / 2;
          const place = { x: at.x + x * off, y: at.y + y * off };
          if (isFree(rectOf(place, width, height)))
            return { line, size: letters, width, height, at: place };
        }
      }
  }
  return null;
}

function rectOf({ x, y }: Point, width: number, height: number): Rect {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

export function around(points: readonly Point[], by: number): Rect {
  const [x, y] = [points.map((point) => point.x), points.map((point) => point.y)];
  return grown(
    { left: Math.min(...x), right: Math.max(...x), top: Math.min(...y), bottom: Math.max(...y) },
    by,
  );
}

function grown({ left, right, top, bottom }: Rect, by: number): Rect {
  return { left: left - by, right: right + by, top: top - by, bottom: bottom + by };
}

export function meets(one: Rect, other: Rect): boolean {
  return (
    one.left < other.right &&
    one.right > other.left &&
    one.top < other.bottom &&
    one.bottom > other.top
  );
}

/** Whether a line of straight pieces goes through a rectangle: each piece is cut by its four sides. */
function crosses(points: readonly Point[], { left, right, top, bottom }: Rect): boolean {
  return points.slice(1).some((end, at) => {
    const start = points[at]!;
    const [x, y] = [end.x - start.x, end.y - start.y];
    let [from, to] = [0, 1];
    for (const [by, room] of [
      [-x, start.x - left],
      [x, right - start.x],
      [-y, start.y - top],
      [y, bottom - start.y],
    ] as const) {
      if (by === 0 && room < 0) return false;
      if (by < 0) from = Math.max(from, room / by);
      if (by > 0) to = Math.min(to, room / by);
    }
    return from <= to;
  });
}
