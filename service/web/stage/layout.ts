/** Cards and wires -> how large the cards are, where they stand and how the wires run: a plane for each column. */

import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import { assignLayers, layeredGraph, orderRows } from "../../../engine_ts/src/picture/layers.ts";
import type { Rows } from "../../../engine_ts/src/picture/layers.ts";
import { assignHeights } from "../../../engine_ts/src/picture/heights.ts";
import type { Card, Wire } from "../state/cards.ts";
import { clamp } from "../state/helpers.ts";
import type { Area, Box, Place } from "./camera.ts";

/** The band with the name, and a row of a chip. */
export const [HEADER, ROW] = [27, 20];
/** What a card with chips has at its right: data over grad. */
export const POD = 66;

/** All that a card has, or its name and numbers one below the other, or in two lines. */
export type CardForm = "full" | "small" | "low";

const SMALL_CARDS = { small: { w: 86, h: 84 }, low: { w: 80, h: 44 } };
const [LEAST_ROWS, MARGIN] = [2.4, 7];
/** What a bar of right bits takes. */
export const BITS_HEIGHT = 14;

type CardSize = Pick<Box, "w" | "h">;

export function cardSizeOf({ chips, members }: Card, form: CardForm, hasBits: boolean): CardSize {
  const more = hasBits ? BITS_HEIGHT : 0;
  if (form !== "full") return { ...SMALL_CARDS[form], h: SMALL_CARDS[form].h + more };
  if (chips.length === 0 && members.length === 1) return { w: 142, h: 82 + more };
  const h = HEADER + Math.max(chips.length, LEAST_ROWS) * ROW + MARGIN + more;
  return { w: members.length === 1 ? 194 : chips.length > 1 ? 206 : 178, h };
}

/** From a column to the next, and from a card to the one below it. */
const [LEAST_GAP, MOST_GAP] = [74, 190];
const [LEAST_ROOM, MOST_ROOM] = [12, 48];
const VERTICAL_GAP = 64;
/** The height of a lane, in which a wire passes a column. */
const LANE = 18;

/** By the most values in sight: how far columns stand apart in depth, and the first turn in degrees. */
export const DEPTHS = [
  [8, 90, 11, 10],
  [14, 60, 5, 8],
  [Infinity, 34, 3, 5],
] as const;
const TURNED_DEPTH = 20;

export interface Layout {
  readonly boxes: ReadonlyMap<number, Box>;
  /** By edge, from the card that receives to the operation that sends. */
  readonly routes: ReadonlyMap<number, readonly Place[]>;
}

/** Place a graph as if it ran from left to right; turned, its inputs are on top, as wide as the room. */
export function layOut(
  cards: readonly Card[],
  wires: readonly Wire[],
  sizes: readonly CardSize[],
  { width, height }: Area,
  isTurned: boolean,
): Layout {
  performance.mark("layout"); // seen in a profile: there is one where the cards or the room change
  const graph = documentOf(cards, wires);
  const layered = layeredGraph(graph, assignLayers(graph));
  const rows = orderRows(layered);
  const heights = assignHeights(layered, rows);
  const all = sizes.map(({ w, h }) => (isTurned ? { w: h, h: w } : { w, h }));
  const widest = layered.beginning.map((items) =>
    Math.max(0, ...items.map((item) => all[item]?.w ?? 0)),
  );
  const [tight, roomy] = [LEAST_ROOM, MOST_ROOM].map((room) =>
    stretchFactor(rows, heights, all, room),
  );
  const span = (factor: number) =>
    Math.max(...all.map(({ h }, card) => factor * heights[card]! + h / 2)) -
    Math.min(...all.map(({ h }, card) => factor * heights[card]! - h / 2));
  const sum = widest.reduce((total, each) => total + each, 0);
  const gaps = Math.max(1, widest.length - 1);
  const [wide, high] = isTurned ? [height, width] : [width, height];
  const least = isTurned ? VERTICAL_GAP : LEAST_GAP;
  const scale = Math.min(1.3, wide / (sum + least * gaps), high / span(tight!));
  const gap = isTurned ? least : clamp((wide / scale - sum) / gaps, least, MOST_GAP);
  const free = clamp((high / scale - span(tight!)) / (span(roomy!) - span(tight!) || 1), 0, 1);
  const factor = tight! + free * (roomy! - tight!);
  const starts = widest.map((_, layer) =>
    widest.slice(0, layer).reduce((total, each) => total + each + gap, 0),
  );
  const [, planes] = DEPTHS.find(([most]) => valueCount(cards) <= most)!;
  const depth = isTurned ? TURNED_DEPTH : planes;
  const boxes = new Map(
    cards.map(({ id }, item) => {
      const layer = layered.first[item]!;
      const x = starts[layer]! + widest[layer]! / 2;
      const z = (widest.length - 1 - layer) * depth;
      return [id, { ...all[item]!, x, y: factor * heights[item]!, z }];
    }),
  );
  const lanes = new Map(
    wires.flatMap(({ edge }, at) => {
      const item = layered.sources[at]!;
      if (item < layered.cards) return [];
      const last = layered.last[item]!;
      const [from, to] = [starts[layered.first[item]!]!, starts[last]! + widest[last]!];
      return [[edge.id, { from, to, y: factor * heights[item]! }]];
    }),
  );
  const turn = ({ x, y, z }: Place) => (isTurned ? { x: y, y: x, z } : { x, y, z });
  return {
    boxes: new Map([...boxes].map(([id, box], item) => [id, { ...sizes[item]!, ...turn(box) }])),
    routes: new Map(
      wires.map((wire) => [wire.edge.id, routeOf(wire, wires, boxes, lanes, !isTurned).map(turn)]),
    ),
  };
}

/** How many values are in sight: operations, leaves and chips. */
export function valueCount(cards: readonly Card[]): number {
  return cards.reduce((sum, { members, chips }) => sum + members.length + chips.length, 0);
}

/** The least factor with which all that stands in one layer has room beside what is next to it. */
function stretchFactor(
  rows: Rows,
  heights: readonly number[],
  sizes: readonly CardSize[],
  room: number,
): number {
  const side = (item: number) => sizes[item]?.h ?? LANE;
  const factors = rows.flatMap((row) =>
    row.slice(1).map((item, at) => {
      const above = row[at]!;
      const distance = Math.max(1, heights[item]! - heights[above]!);
      return ((side(item) + side(above)) / 2 + room) / distance;
    }),
  );
  return Math.max(0.1, ...factors);
}

/** The cards as the engine's layout takes a graph: numbered in order, wires sorted by where they arrive. */
function documentOf(cards: readonly Card[], wires: readonly Wire[]): GradientDocument {
  const number = new Map(cards.map(({ id }, at) => [id, at]));
  const nodes = cards.map((_, id) => ({ id, kind: "input" }));
  const found = wires.map((wire, id) => {
    const mates = wires.filter(({ to }) => to === wire.to);
    const slot = Number(mates.indexOf(wire) >= mates.length / 2);
    return { ...wire.edge, id, from: number.get(wire.from)!, to: number.get(wire.to)!, slot };
  });
  // `kind` and the ends of edges are all that a layout asks for.
  return { nodes, edges: found } as unknown as GradientDocument;
}

/** Points of a curve. */
const CURVE_POINTS = 16;
/** From a card to the end of its wire. */
export const END_GAP = 4;
/** How far the ends of wires at one card are from each other at most. */
const [MOST_LEAVING, MOST_ARRIVING] = [22, 34];
/** How far a wire keeps from a card that it passes. */
const CLEARANCE = 12;
/** How far two wires between the same cards keep apart. */
const BOW = 26;

/** How a wire runs; in a lane it passes columns, from and to along the flow and at a place across. */
function routeOf(
  wire: Wire,
  wires: readonly Wire[],
  boxes: ReadonlyMap<number, Box>,
  lanes: ReadonlyMap<number, { from: number; to: number; y: number }>,
  hasRows: boolean,
): readonly Place[] {
  const [one, other] = [boxes.get(wire.from)!, boxes.get(wire.to)!];
  const out = wires.filter(({ from }) => from === wire.from);
  const height = ({ edge, to }: Wire) => lanes.get(edge.id)?.y ?? boxes.get(to)!.y;
  const leaving = out.toSorted((a, b) => height(a) - height(b) || a.edge.slot - b.edge.slot);
  const arriving = wires.filter(({ to, row }) => to === wire.to && !(hasRows && row !== null));
  const arrives =
    hasRows && wire.row !== null
      ? HEADER + 6 + (wire.row + 0.5) * ROW - other.h / 2
      : spreadAt(wire, arriving, MOST_ARRIVING, other.h);
  const start = {
    x: one.x + one.w / 2 + END_GAP,
    y: one.y + spreadAt(wire, leaving, MOST_LEAVING, one.h),
    z: one.z,
  };
  const end = { x: other.x - other.w / 2 - END_GAP, y: other.y + arrives, z: other.z };
  const pair = out.filter(({ to }) => to === wire.to);
  const bow = (pair.indexOf(wire) - (pair.length - 1) / 2) * 2 * BOW;
  const direct = curved([start, end], bow);
  const lane = lanes.get(wire.edge.id);
  const others = [...boxes.values()].filter((box) => box !== one && box !== other);
  if (lane === undefined || isClear(direct, others)) return direct;
  const slope = (end.z - start.z) / (end.x - start.x || 1);
  const passed = [lane.from, lane.to].map((x): Place => {
    return { x, y: lane.y, z: start.z + slope * (x - start.x) };
  });
  return curved([start, ...passed, end], bow);
}

/** Whether a wire that takes no lane keeps away from all other cards. */
function isClear(points: readonly Place[], boxes: readonly Box[]): boolean {
  return points.every(({ x, y }) =>
    boxes.every(
      (box) =>
        Math.abs(x - box.x) > box.w / 2 + CLEARANCE || Math.abs(y - box.y) > box.h / 2 + CLEARANCE,
    ),
  );
}

function spreadAt(wire: Wire, mates: readonly Wire[], most: number, side: number): number {
  const gap = Math.min(most, (side * 0.6) / Math.max(1, mates.length - 1));
  return (mates.indexOf(wire) - (mates.length - 1) / 2) * gap;
}

/** Curves that leave and arrive level. */
export function curved(stops: readonly Place[], bow: number): Place[] {
  const found = [stops[0]!];
  for (const [at, end] of stops.slice(1).entries()) {
    const start = stops[at]!;
    const half = (end.x - start.x) / 2;
    for (let step = 1; step <= CURVE_POINTS; step++) {
      const [t, u] = [step / CURVE_POINTS, 1 - step / CURVE_POINTS];
      const [bend, on] = [3 * u * t, t * t * (t + 3 * u)];
      found.push({
        x: start.x + (end.x - start.x) * on + bend * (u - t) * half,
        y: start.y + (end.y - start.y) * on + bend * bow,
        z: start.z + (end.z - start.z) * on,
      });
    }
  }
  return found;
}
