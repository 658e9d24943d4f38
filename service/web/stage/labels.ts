/** What arrows say, and where: beside them, and never over an arrow, a card or another label. */

import { computed } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { boundingRect, grown, overlaps, rectOf } from "../canvas.ts";
import type { Point, Rect } from "../canvas.ts";
import { guesses } from "../state/guesses.ts";
import { partialGrads, playsFronts, showsAllGrads, tickOfEdge } from "../state/play.ts";
import { expanded } from "../state/program.ts";
import { pass, selectedEdge, stageSize, tab } from "../state/view.ts";
import { words } from "../words.ts";
import { formulaOf } from "../words/text.tsx";
import {
  arrows,
  defectOf,
  firstPart,
  isRevealed,
  pulseRadius,
  signOf,
  strokeOf,
} from "./arrows.tsx";
import type { Label, LabelText, Stroke } from "./arrows.tsx";
import { cornersOf } from "./camera.ts";
import type { Box } from "./camera.ts";
import { textWidth } from "./card_text.ts";
import {
  above,
  cardTransforms,
  drawnGraph,
  drawnOut,
  layout,
  leastLetters,
  moving,
  projection,
} from "./viewport.ts";

/** What an arrow may say. */
type LabelKind = "all" | "sum" | "local" | "guess" | "nothing";

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
  if (moving.value && placedArrows === arrows.value) return placed;
  [placed, placedArrows] = [place(), arrows.value];
  return placed;
});

function place(): ReadonlyMap<number, Label> {
  const project = projection.value;
  const strokes = arrows.value.map(({ edge, route, width, state }) => ({
    edge,
    isNow: state === "now",
    stroke: strokeOf(route.map(project), width),
  }));
  const { cards, wires } = drawnGraph.value;
  const mates = Map.groupBy(wires, ({ from }) => from);
  const crowded = new Set(
    cards.length <= FEW
      ? []
      : wires.filter(({ from }) => mates.get(from)!.length > MOST_FULL).map(({ edge }) => edge.id),
  );
  const requests = strokes.flatMap(({ edge, isNow, stroke }) => {
    const lines = linesOf(edge, labelKindOf(edge));
    const isAsked = isNow || selectedEdge.value === edge.id;
    return lines.length === 0 || (crowded.has(edge.id) && !isAsked)
      ? []
      : [{ edge: edge.id, lines, stroke, isNow }];
  });
  const boxes = [...layout.value.boxes.values()].map((box) =>
    boundingRect(cornersOf(box).map(project), 4),
  );
  for (const [id, box] of layout.value.boxes) boxes.push(...badgeOf(id, box));
  const out = drawnOut.value?.box ?? null;
  if (out !== null) boxes.push(boundingRect(cornersOf(out).map(project), 4));
  const least = leastLetters.value;
  const nearest = Math.max(0, ...[...cardTransforms.value.values()].map(({ scale }) => scale));
  return placeLabels(
    requests,
    strokes,
    boxes,
    wholeWindow(),
    least,
    Math.max(least, GROWN * nearest),
  );
}

/** Where a card says how much of its gradient has arrived, while not all has. */
function badgeOf(id: number, { x, y, z, w, h }: Box): Rect[] {
  const { arrived, expected } = partialGrads.value[id]!;
  if (arrived === 0 || arrived === expected) return [];
  const corner = projection.value({ x: x + w / 2, y: y + h / 2, z });
  const size = Math.max(leastLetters.value, BADGE * corner.scale);
  const width = textWidth(words.value.stage.partial(arrived, expected), size) + size;
  return [rectOf({ x: corner.x + 4 - width / 2, y: corner.y + 0.3 * size }, width, 1.6 * size)];
}

/** What is seen, without its rim. */
export function wholeWindow(): Rect {
  const { width, height } = stageSize.value;
  return { left: 2, right: width - 2, top: above.value + 2, bottom: height - 2 };
}

function labelKindOf(edge: Edge): LabelKind {
  if (selectedEdge.value === edge.id)
    return isRevealed(edge) || showsAllGrads.value ? "all" : "local";
  if (pass.value === "sort") return "nothing";
  if (pass.value === "forward") return expanded.value && edge.differentiable ? "local" : "nothing";
  if (!tickOfEdge.value.has(edge.id)) return "nothing";
  if (tab.value === "train") return tickOfEdge.value.size > MOST_LABELS ? "nothing" : "sum";
  if (isRevealed(edge) || showsAllGrads.value) return "all";
  if (guesses.value.isOpen && tab.value === "predict") return "guess";
  return expanded.value ? "local" : "nothing";
}

/** What it says, in full and then in short. */
function linesOf(edge: Edge, says: LabelKind): LabelText[] {
  if (says === "nothing") return [];
  const [incoming, local, contribution] = formulaOf(edge);
  const minus = (number: number | null) => ((number ?? 0) < 0 ? " minus" : "");
  const brought = `c ${signOf(edge)}`;
  if (says === "guess") return [[["op", "? × ? = ?"]], [["op", "?"]]];
  const times: LabelText = [["op", "× "]];
  if (says === "local") return [[...times, ["d", local]]];
  const defect = defectOf(edge)?.word ?? "";
  const bare: LabelText = [[brought, contribution]];
  const short: LabelText = defect === "" ? bare : [...bare, ["op", " "], ["word", defect]];
  if (says === "sum") return [short];
  const full: LabelText = [
    [`g${minus(edge.incoming_grad)}`, incoming],
    ["op", " × "],
    ["d", local],
    ["op", " = "],
    ...short,
  ];
  return defect === "" ? [full, short] : [full, short, bare];
}

/** An arrow with what it may say, the longest first. */
interface LabelRequest {
  readonly edge: number;
  readonly lines: readonly LabelText[];
  readonly stroke: Stroke;
  readonly isNow: boolean;
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
function placeLabels(
  requests: readonly LabelRequest[],
  strokes: readonly { readonly stroke: Stroke; readonly isNow: boolean }[],
  cards: readonly Rect[],
  window: Rect,
  least: number,
  most: number,
): Map<number, Label> {
  const found = new Map<number, Label>();
  const occupied = [...cards, ...strokes.map(({ stroke }) => boundingRect(stroke.head, 1))];
  const lines = strokes.map(({ stroke, isNow }) => ({
    points: stroke.line,
    box: boundingRect(stroke.line, 0),
    aside: isNow ? pulseRadius(stroke.width) + 1 : stroke.width / 2 + 1,
  }));
  /** Free of cards, heads and labels; only the one under way may so stand on other arrows. */
  const isOnLines = (rect: Rect) =>
    rect.left >= window.left &&
    rect.right <= window.right &&
    rect.top >= window.top &&
    rect.bottom <= window.bottom &&
    !occupied.some((other) => overlaps(rect, other));
  const isFree = (rect: Rect) =>
    isOnLines(rect) &&
    !lines.some(({ points, box, aside }) => {
      const wide = grown(rect, aside);
      return overlaps(wide, box) && crosses(points, wide);
    });
  for (const request of requests.toSorted((one, other) => +other.isNow - +one.isNow)) {
    const full = { ...request, lines: request.lines.slice(0, request.isNow ? 1 : 0) };
    const label =
      findPlace(full, isFree, least, most) ??
      findPlace(full, isOnLines, least, most) ??
      (request.isNow ? nearestPlace(request, cards, window, least) : null) ??
      findPlace(request, isFree, least, most);
    if (label === null) continue;
    const { rect, ...rest } = label;
    found.set(request.edge, rest);
    occupied.push(grown(rect, APART));
  }
  return found;
}

/** How large a line is in its letters. */
function pillOf(line: LabelText, size: number) {
  const width = textWidth(line.map(([, text]) => text).join(""), size) + LABEL_PAD;
  return { line, size, width, height: size + LABEL_HEIGHT };
}

function findPlace(
  request: LabelRequest,
  isFree: (rect: Rect) => boolean,
  least: number,
  most: number,
): (Label & { readonly rect: Rect }) | null {
  const { stroke, isNow, lines } = request;
  const sizes = [...new Set([most, least])].map((each) => each + 0.6 + (isNow ? LARGER : 0));
  const tries = [
    ...lines.flatMap((line) => sizes.map((size) => [line, size] as const)),
    ...lines.slice(-1).map((line) => [line, least + 0.1] as const),
  ];
  const reach = isNow ? pulseRadius(stroke.width) : stroke.width / 2;
  for (const [line, letters] of tries) {
    const pill = pillOf(line, letters);
    const { width, height } = pill;
    for (const aside of ASIDE)
      for (const share of ALONG) {
        const [before, at] = firstPart(stroke.line, share).slice(-2) as [Point, Point];
        const length = Math.hypot(at.x - before.x, at.y - before.y) || 1;
        const [along, across] = [(at.x - before.x) / length, (at.y - before.y) / length];
        for (const [x, y] of [[across, -along], [-across, along], ...SIDES] as const) {
          const off = aside + reach + (Math.abs(x) * width) / 2 + (Math.abs(y) * height) / 2;
          const rect = rectOf({ x: at.x + x * off, y: at.y + y * off }, width, height);
          if (isFree(rect)) return { ...pill, share, off: { x: x * off, y: y * off }, rect };
        }
      }
  }
  return null;
}

/** For the arrow under way, which says all: beside it where but no card is. */
function nearestPlace(
  { stroke, lines: [line] }: LabelRequest,
  cards: readonly Rect[],
  window: Rect,
  least: number,
): (Label & { readonly rect: Rect }) | null {
  const pill = pillOf(line!, least + 0.6);
  const { x, y } = firstPart(stroke.line, 0.5).at(-1)!;
  const free = nearestFree({ x, y }, pill.width, pill.height, cards, window);
  if (free === null) return null;
  const rect = rectOf(free, pill.width, pill.height);
  return { ...pill, share: 0.5, off: { x: free.x - x, y: free.y - y }, rect };
}

/** The middle of a rectangle within a window that meets no other, as near to a point as can be. */
export function nearestFree(
  to: Point,
  width: number,
  height: number,
  others: readonly Rect[],
  { left, right, top, bottom }: Rect,
): Point | null {
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
