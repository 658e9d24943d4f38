/** What arrows say, and where: beside them, and never over an arrow, a card or another label. */

import { computed } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { boundingRect, grown, overlaps, rectCorners, rectOf } from "../canvas.ts";
import type { Point, Rect } from "../canvas.ts";
import { guesses } from "../state/guesses.ts";
import { clamp } from "../state/helpers.ts";
import { partialGrads, playsFronts, showsAllGrads, tickOfEdge } from "../state/play.ts";
import { expanded } from "../state/program.ts";
import { pass, selectedEdge, stageSize, tab } from "../state/view.ts";
import { words } from "../words.ts";
import { formulaOf } from "../words/text.tsx";
import { arrows, defectOf, firstPart, isRevealed, pulseRadius, signOf } from "./arrows.tsx";
import type { Label, LabelText, Stroke } from "./arrows.tsx";
import { cornersOf } from "./camera.ts";
import type { Box } from "./camera.ts";
import { textWidth } from "./card_text.ts";
import {
  above,
  cameraMoves,
  cardTransforms,
  drawnGraph,
  drawnOut,
  layout,
  leastLetters,
  projection,
} from "./viewport.ts";

/** While a larger graph is trained its arrows say nothing: all of them would speak at once. */
const MOST_LABELS = 25;

/** Into one card so many arrows say all that they carry; of more, those that are read or under way. */
const MOST_FULL = 2;
/** Pixels of their letters where a card's unit is one: .7 of its numbers'. */
const GROWN = 11.2;
/** Letters of a badge, where a card's unit is one. */
const BADGE = 11.5;
/** A graph of so few cards has room for all. */
const FEW = 8;

let [placed, placedArrows]: [ReadonlyMap<number, Label>, unknown] = [new Map(), null];

/** Where labels stand beside their arrows: while the camera is moved they go with them. */
export const labels = computed((): ReadonlyMap<number, Label> => {
  if (playsFronts.value) return new Map();
  if (cameraMoves.value && placedArrows === arrows.value) return placed;
  [placed, placedArrows] = [placeLabels(), arrows.value];
  return placed;
});

/** Each card as it is seen, and a leaf that is drawn out of one, with so many pixels around. */
export function cardRects(by: number): Rect[] {
  const leaf = drawnOut.value?.box;
  const boxes = [...layout.value.boxes.values(), ...(leaf ? [leaf] : [])];
  return boxes.map((box) => boundingRect(cornersOf(box).map(projection.value), by));
}

/** Where a card says how much of its gradient has arrived, while not all has. */
function badgeOf(id: number, { x, y, z, w, h }: Box): Rect[] {
  const { arrived, expected } = partialGrads.value[id]!;
  if (arrived === 0 || arrived === expected) return [];
  const corner = projection.value({ x: x + w / 2, y: y + h / 2, z });
  const size = Math.max(leastLetters.value, BADGE * corner.scale);
  const width = textWidth(words.value.of(arrived, expected), size) + size;
  return [rectOf({ x: corner.x + 4 - width / 2, y: corner.y + 0.3 * size }, width, 1.6 * size)];
}

/** What is seen, without its rim. */
export function wholeWindow(): Rect {
  const { width, height } = stageSize.value;
  return { left: 2, right: width - 2, top: above.value + 2, bottom: height - 2 };
}

/** What an arrow says, in full and then in short. */
function linesOf(edge: Edge): LabelText[] {
  const [incoming, local, contribution] = formulaOf(edge);
  const minus = (edge.incoming_grad ?? 0) < 0 ? " minus" : "";
  const defect = defectOf(edge)?.word ?? "";
  const bare: LabelText = [[`c ${signOf(edge)}`, contribution]];
  const short: LabelText = defect === "" ? bare : [...bare, ["op", " "], ["word", defect]];
  const full: LabelText = [
    [`g${minus}`, incoming],
    ["op", " × "],
    ["d", local],
    ["op", " = "],
    ...short,
  ];
  const all = defect === "" ? [full, short] : [full, short, bare];
  const times: LabelText = [
    ["op", "× "],
    ["d", local],
  ];
  const ifAsked = expanded.value ? [times] : [];
  const isKnown = isRevealed(edge) || showsAllGrads.value;
  if (selectedEdge.value === edge.id) return isKnown ? all : [times];
  if (pass.value === "sort") return [];
  if (pass.value === "forward") return edge.differentiable ? ifAsked : [];
  if (!tickOfEdge.value.has(edge.id)) return [];
  if (tab.value === "train") return tickOfEdge.value.size > MOST_LABELS ? [] : [short];
  if (isKnown) return all;
  if (guesses.value.isOpen && tab.value === "predict")
    return [[["op", "? × ? = ?"]], [["op", "?"]]];
  return ifAsked;
}

/** Places along an arrow, by its share; then all sides, ever farther away. */
const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
const ASIDE = [4, 9, 16, 26];
/** Beside the arrow and, where it is bent or steep, above, below, left and right of it. */
const SIDES = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;
const [LABEL_PAD, LABEL_HEIGHT] = [16, 9];
/** What the letters of the one under way are larger by. */
const LARGER = 1.5;
const APART = 2;
/** Pixels between the places that are tried in the whole window. */
const SEARCH = 7;

/** Place all labels: that of the arrow under way chooses first. */
function placeLabels(): Map<number, Label> {
  const { cards, wires } = drawnGraph.value;
  const mates = Map.groupBy(wires, ({ from }) => from);
  const crowded = wires.filter(({ from }) => mates.get(from)!.length > MOST_FULL);
  const silent = new Set(cards.length <= FEW ? [] : crowded.map(({ edge }) => edge.id));
  const strokes = arrows.value.map(({ edge, state, stroke: { value: stroke } }) => {
    const isNow = state === "now";
    const reach = isNow ? pulseRadius(stroke.width) : stroke.width / 2;
    return { edge, isNow, stroke, reach, box: boundingRect(stroke.line, 0) };
  });
  const beside = cardRects(4);
  for (const [id, box] of layout.value.boxes) beside.push(...badgeOf(id, box));
  const occupied = [...beside, ...strokes.map(({ stroke }) => boundingRect(stroke.head, 1))];
  const window = wholeWindow();
  /** Free of cards, heads and labels; only the one under way may so stand on other arrows. */
  const isOnLines = (rect: Rect) =>
    rect.left >= window.left &&
    rect.right <= window.right &&
    rect.top >= window.top &&
    rect.bottom <= window.bottom &&
    !occupied.some((other) => overlaps(rect, other));
  const isFree = (rect: Rect) =>
    isOnLines(rect) &&
    !strokes.some(({ stroke, box, reach }) => {
      const wide = grown(rect, reach + 1);
      return overlaps(wide, box) && crosses(stroke.line, wide);
    });
  const least = leastLetters.value;
  const nearest = Math.max(0, ...[...cardTransforms.value.values()].map(({ scale }) => scale));
  const sizes = [...new Set([Math.max(least, GROWN * nearest), least])];
  const found = new Map<number, Label>();
  for (const { edge, isNow, stroke, reach } of strokes.toSorted((a, b) => +b.isNow - +a.isNow)) {
    if (silent.has(edge.id) && !isNow && selectedEdge.value !== edge.id) continue;
    const lines = linesOf(edge);
    const find = (some: readonly LabelText[], isPlace: (rect: Rect) => boolean) => {
      const pills = some.flatMap((line) =>
        sizes.map((size) => pillOf(line, size + 0.6 + (isNow ? LARGER : 0))),
      );
      pills.push(...some.slice(-1).map((line) => pillOf(line, least + 0.1)));
      return findPlace(pills, stroke, reach, isPlace);
    };
    const full = isNow ? lines.slice(0, 1) : [];
    const label =
      find(full, isFree) ??
      find(full, isOnLines) ??
      (full[0] && nearestPlace(pillOf(full[0], least + 0.6), stroke, beside)) ??
      find(lines, isFree);
    if (label === null) continue;
    found.set(edge.id, label);
    occupied.push(grown(label.rect, APART));
  }
  return found;
}

/** A line in letters of a size, with what is around it. */
function pillOf(line: LabelText, size: number) {
  const width = textWidth(line.map(([, text]) => text).join(""), size) + LABEL_PAD;
  return { line, size, width, height: size + LABEL_HEIGHT };
}

type PillSize = ReturnType<typeof pillOf>;

/** A label with its middle there, beside a point of its arrow. */
function labelAt(middle: Point, pill: PillSize, share: number, { x, y }: Point): Label {
  const off = { x: middle.x - x, y: middle.y - y };
  return { ...pill, share, off, rect: rectOf(middle, pill.width, pill.height) };
}

function findPlace(
  pills: readonly PillSize[],
  { line }: Stroke,
  reach: number,
  isFree: (rect: Rect) => boolean,
): Label | null {
  for (const pill of pills)
    for (const aside of ASIDE)
      for (const share of ALONG) {
        const [before, at] = firstPart(line, share).slice(-2) as [Point, Point];
        const length = Math.hypot(at.x - before.x, at.y - before.y) || 1;
        const [along, across] = [(at.x - before.x) / length, (at.y - before.y) / length];
        for (const [x, y] of [[across, -along], [-across, along], ...SIDES] as const) {
          const off = aside + reach + (Math.abs(x) * pill.width + Math.abs(y) * pill.height) / 2;
          const label = labelAt({ x: at.x + x * off, y: at.y + y * off }, pill, share, at);
          if (isFree(label.rect)) return label;
        }
      }
  return null;
}

/** For the arrow under way, which says all: beside it where but no card is. */
function nearestPlace(pill: PillSize, { line }: Stroke, cards: readonly Rect[]): Label | null {
  const at = firstPart(line, 0.5).at(-1)!;
  const free = nearestFree(at, pill.width, pill.height, cards);
  return free && labelAt(free, pill, 0.5, at);
}

/** The middle of a rectangle in sight that meets no other, as near to a point as can be. */
export function nearestFree(
  to: Point,
  width: number,
  height: number,
  others: readonly Rect[],
): Point | null {
  const { left, right, top, bottom } = wholeWindow();
  let [found, least]: [Point | null, number] = [null, Infinity];
  for (let x = left + width / 2; x <= right - width / 2; x += SEARCH)
    for (let y = top + height / 2; y <= bottom - height / 2; y += SEARCH) {
      const distance = Math.hypot(x - to.x, y - to.y);
      const rect = rectOf({ x, y }, width, height);
      if (distance >= least || others.some((other) => overlaps(rect, other))) continue;
      [found, least] = [{ x, y }, distance];
    }
  return found;
}

/** The middle of a rectangle in sight, as near to a point as can be. */
export function nearestInSight({ x, y }: Point, width: number, height: number): Point {
  const { left, right, top, bottom } = wholeWindow();
  return {
    x: clamp(x, left + width / 2, right - width / 2),
    y: clamp(y, top + height / 2, bottom - height / 2),
  };
}

/** Whether a line of straight pieces goes through a rectangle, which has corners on both sides then. */
function crosses(points: readonly Point[], rect: Rect): boolean {
  const corners = rectCorners(rect);
  return points.slice(1).some((end, at) => {
    const { x, y } = points[at]!;
    if (Math.max(x, end.x) <= rect.left || Math.min(x, end.x) >= rect.right) return false;
    if (Math.max(y, end.y) <= rect.top || Math.min(y, end.y) >= rect.bottom) return false;
    const isLeft = (to: Point) => (end.x - x) * (to.y - y) < (end.y - y) * (to.x - x);
    return corners.some(isLeft) && !corners.every(isLeft);
  });
}
