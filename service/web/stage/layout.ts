/** Cards and wires -> how large the cards are, where they stand and how the wires run: a plane for each column. */

import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import { assignLayers, layeredGraph, orderRows } from "../../../engine_ts/src/picture/layers.ts";
import type { LayeredGraph } from "../../../engine_ts/src/picture/layers.ts";
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

interface CardSize {
  readonly w: number;
  readonly h: number;
}

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
/** How far behind each other columns stand, by the number of values in sight. */
const PLANES = [
  [8, 90],
  [14, 60],
  [Infinity, 34],
] as const;

export interface Layout {
  readonly boxes: ReadonlyMap<number, Box>;
  /** By edge, from the card that receives to the operation that sends. */
  readonly routes: ReadonlyMap<number, readonly Place[]>;
  readonly isTurned: boolean;
}

/** Place a graph; turned, it has its inputs on top, as wide as the room. */
export function layOut(
  cards: readonly Card[],
  wires: readonly Wire[],
  sizes: ReadonlyMap<number, CardSize>,
  room: Area,
  isTurned: boolean,
): Layout {
  performance.mark("layout"); // seen in a profile: there is one where the cards or the room change
  const graph = documentOf(cards, wires);
  const layered = layeredGraph(graph, assignLayers(graph));
  const heights = assignHeights(layered, orderRows(layered));
  const layers = Math.max(...layered.first.slice(0, layered.cards)) + 1;
  const all = cards.map(({ id }) => sizes.get(id)!);
  const [long, short] = isTurned ? (["h", "w"] as const) : (["w", "h"] as const);
  const sides = layered.first.map((_, item) => all[item]?.[short] ?? LANE);
  const widest = Array.from({ length: layers }, (_, layer) =>
    Math.max(...all.map((size, card) => (layered.first[card] === layer ? size[long] : 0))),
  );
  const across = heights.map(
    (height) => height * stretchFactor(layered, heights, sides, LEAST_ROOM),
  );
  const roomy = heights.map((height) => height * stretchFactor(layered, heights, sides, MOST_ROOM));
  const span = (found: readonly number[]) =>
    Math.max(...all.map((size, card) => found[card]! + size[short] / 2)) -
    Math.min(...all.map((size, card) => found[card]! - size[short] / 2));
  const sum = widest.reduce((total, each) => total + each, 0);
  const gaps = Math.max(1, layers - 1);
  const [wide, high] = isTurned ? [room.height, room.width] : [room.width, room.height];
  const least = isTurned ? VERTICAL_GAP : LEAST_GAP;
  const scale = Math.min(1.3, wide / (sum + least * gaps), high / span(across));
  const gap = isTurned ? least : clamp((wide / scale - sum) / gaps, least, MOST_GAP);
  const free = clamp((high / scale - span(across)) / (span(roomy) - span(across) || 1), 0, 1);
  const aside = heights.map((_, item) => across[item]! + free * (roomy[item]! - across[item]!));
  const starts = widest.map((_, layer) =>
    widest.slice(0, layer).reduce((total, each) => total + each + gap, 0),
  );
  const along = (layer: number) => starts[layer]! + widest[layer]! / 2;
  const depth = isTurned ? 20 : PLANES.find(([most]) => valueCount(cards) <= most)![1];
  const boxes = new Map(
    cards.map(({ id }, item) => {
      const layer = layered.first[item]!;
      const z = (layers - 1 - layer) * depth;
      const [x, y] = [along(layer), aside[item]!];
      return [id, { ...all[item]!, z, ...(isTurned ? { x: y, y: x } : { x, y }) }];
    }),
  );
  const lanes = new Map(
    wires.map(({ edge }, at) => {
      const source = graph.edges[at]!.id;
      const item = layered.sources[source]!;
      if (item < layered.cards) return [edge.id, null];
      const [first, last] = [layered.first[item]!, layered.last[item]!];
      const from = along(first) - widest[first]! / 2;
      return [edge.id, { from, to: along(last) + widest[last]! / 2, at: aside[item]! }];
    }),
  );
  return { boxes, routes: routesOf(wires, boxes, lanes, isTurned), isTurned };
}

/** How many values are in sight: operations, leaves and chips. */
export function valueCount(cards: readonly Card[]): number {
  return cards.reduce((sum, { members, chips }) => sum + members.length + chips.length, 0);
}

/** The least factor with which all that stands in one layer has room beside what is next to it. */
function stretchFactor(
  layered: LayeredGraph,
  heights: readonly number[],
  sides: readonly number[],
  room: number,
): number {
  let most = 0.1;
  for (let layer = 0; layer < layered.beginning.length; layer++) {
    const row = [...heights.keys()]
      .filter((item) => layered.first[item]! <= layer && layer <= layered.last[item]!)
      .sort((one, other) => heights[one]! - heights[other]!);
    for (const [at, item] of row.entries()) {
      const next = row[at + 1];
      if (next === undefined) break;
      const distance = Math.max(1, heights[next]! - heights[item]!);
      most = Math.max(most, ((sides[item]! + sides[next]!) / 2 + room) / distance);
    }
  }
  return most;
}

/** The cards as the engine's layout takes a graph: numbered in order, wires sorted by where they arrive. */
function documentOf(cards: readonly Card[], wires: readonly Wire[]): GradientDocument {
  const number = new Map(cards.map(({ id }, at) => [id, at]));
  const nodes = cards.map((_, id) => ({ id, kind: "input" }));
  const found = wires.map(({ from, to, edge }, id) => {
    const mates = wires.filter((other) => other.to === to);
    const place = mates.findIndex((other) => other.edge === edge);
    const slot = mates.length > 1 && place >= mates.length / 2 ? 1 : 0;
    return { ...edge, id, from: number.get(from)!, to: number.get(to)!, slot };
  });
  // `kind` and the ends of edges are all that a layout asks for.
  return { nodes, edges: found } as unknown as GradientDocument;
}

/** Points of a curve. */
export const CURVE_POINTS = 16;
/** From a card to the end of its wire. */
export const END_GAP = 4;
/** How far the ends of wires at one card are from each other at most. */
const [MOST_LEAVING, MOST_ARRIVING] = [22, 34];
/** How far a wire keeps from a card that it passes. */
const CLEARANCE = 12;
/** How far two wires between the same cards keep apart. */
const BOW = 26;

/** Where a wire passes columns: from and to along the flow, and its place across. */
interface Lane {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** A point as if the graph ran from left to right. */
type Stop = readonly [along: number, across: number, z: number];

function routesOf(
  wires: readonly Wire[],
  boxes: ReadonlyMap<number, Box>,
  lanes: ReadonlyMap<number, Lane | null>,
  isTurned: boolean,
): Map<number, Place[]> {
  const [along, across] = isTurned ? (["y", "x"] as const) : (["x", "y"] as const);
  const [long, short] = isTurned ? (["h", "w"] as const) : (["w", "h"] as const);
  const out = Map.groupBy(wires, ({ from }) => from);
  const into = Map.groupBy(wires, ({ to }) => to);
  const leaves = (wire: Wire): number => {
    const mates = out
      .get(wire.from)!
      .toSorted(
        (one, other) =>
          (lanes.get(one.edge.id)?.at ?? boxes.get(one.to)![across]) -
            (lanes.get(other.edge.id)?.at ?? boxes.get(other.to)![across]) ||
          one.edge.slot - other.edge.slot,
      );
    return spreadAt(mates.indexOf(wire), mates.length, MOST_LEAVING, boxes.get(wire.from)![short]);
  };
  const arrives = (wire: Wire): number => {
    const { h, [short]: side } = boxes.get(wire.to)!;
    if (wire.row !== null && !isTurned) return HEADER + 6 + (wire.row + 0.5) * ROW - h / 2;
    const mates = into.get(wire.to)!.filter(({ row }) => isTurned || row === null);
    return spreadAt(mates.indexOf(wire), mates.length, MOST_ARRIVING, side);
  };
  return new Map(
    wires.map((wire) => {
      const [one, other] = [boxes.get(wire.from)!, boxes.get(wire.to)!];
      const lane = lanes.get(wire.edge.id) ?? null;
      const start = one[along] + one[long] / 2 + END_GAP;
      const end = other[along] - other[long] / 2 - END_GAP;
      const depth = (at: number) => one.z + ((other.z - one.z) * (at - start)) / (end - start || 1);
      const stops: Stop[] = [
        [start, one[across] + leaves(wire), one.z],
        ...(lane === null ? [] : [lane.from, lane.to].map((at): Stop => [at, lane.at, depth(at)])),
        [end, other[across] + arrives(wire), other.z],
      ];
      const pair = out.get(wire.from)!.filter(({ to }) => to === wire.to);
      const bow = pair.length > 1 ? (pair.indexOf(wire) - (pair.length - 1) / 2) * 2 * BOW : 0;
      const direct = curved([stops[0]!, stops.at(-1)!], bow).map((stop) => orient(stop, isTurned));
      const others = [...boxes.values()].filter((box) => box !== one && box !== other);
      if (lane === null || isClear(direct, others)) return [wire.edge.id, direct];
      return [wire.edge.id, curved(stops, bow).map((stop) => orient(stop, isTurned))];
    }),
  );
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

function spreadAt(at: number, count: number, most: number, side: number): number {
  const gap = Math.min(most, (side * 0.6) / Math.max(1, count - 1));
  return (at - (count - 1) / 2) * gap;
}

/** Curves that leave and arrive level. */
function curved(stops: readonly Stop[], bow: number): Stop[] {
  const found: Stop[] = [stops[0]!];
  for (const [at, [x1, y1, z1]] of stops.slice(1).entries()) {
    const [x0, y0, z0] = stops[at]!;
    const half = (x1 - x0) / 2;
    for (let step = 1; step <= CURVE_POINTS; step++) {
      const [t, u] = [step / CURVE_POINTS, 1 - step / CURVE_POINTS];
      const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
      found.push([
        a * x0 + b * (x0 + half) + c * (x1 - half) + d * x1,
        (a + b) * y0 + (c + d) * y1 + (b + c) * bow,
        (a + b) * z0 + (c + d) * z1,
      ]);
    }
  }
  return found;
}

function orient([along, across, z]: Stop, isTurned: boolean): Place {
  return isTurned ? { x: across, y: along, z } : { x: along, y: across, z };
}
