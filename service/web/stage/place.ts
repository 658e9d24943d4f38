/** Cards and wires -> where they stand and run in space: a plane for each column. */

import type { Document } from "../../../engine_ts/src/document.ts";
import { assignLayers, layeredGraph, orderRows } from "../../../engine_ts/src/picture/layers.ts";
import type { LayeredGraph } from "../../../engine_ts/src/picture/layers.ts";
import { assignHeights } from "../../../engine_ts/src/picture/layout.ts";
import type { Card, Wire } from "../state/groups.ts";
import { clamp } from "../state/number.ts";
import { extent } from "./camera.ts";
import type { Box, Place, Room } from "./camera.ts";
import { routesOf } from "./routes.ts";
import type { Size } from "./size.ts";

/** From a column to the next, and from a card to the one below it. */
const [LEAST_GAP, MOST_GAP] = [74, 190];
const [LEAST_ROOM, MOST_ROOM] = [12, 48];
const TURNED_GAP = 64;
/** The height of a lane, in which a wire passes a column. */
const LANE = 18;
/** How far behind each other columns stand, by the number of values in sight. */
const PLANES = [
  [8, 90],
  [14, 60],
  [Infinity, 34],
] as const;

interface Placed {
  readonly boxes: ReadonlyMap<number, Box>;
  /** By edge, from the card that receives to the operation that sends. */
  readonly routes: ReadonlyMap<number, readonly Place[]>;
  readonly isTurned: boolean;
}

/** Place a graph; turned, it has its inputs on top, as wide as the room. */
export function place(
  cards: readonly Card[],
  wires: readonly Wire[],
  sizes: ReadonlyMap<number, Size>,
  room: Room,
  isTurned: boolean,
): Placed {
  const graph = asDocument(cards, wires);
  const woven = layeredGraph(graph, assignLayers(graph));
  const heights = assignHeights(woven, orderRows(woven));
  const layers = Math.max(...woven.first.slice(0, woven.cards)) + 1;
  const all = cards.map(({ id }) => sizes.get(id)!);
  const [long, short] = isTurned ? (["h", "w"] as const) : (["w", "h"] as const);
  const sides = woven.first.map((_, item) => all[item]?.[short] ?? LANE);
  const widest = Array.from({ length: layers }, (_, layer) =>
    Math.max(...all.map((size, card) => (woven.first[card] === layer ? size[long] : 0))),
  );
  const across = heights.map((height) => height * stretch(woven, heights, sides, LEAST_ROOM));
  const roomy = heights.map((height) => height * stretch(woven, heights, sides, MOST_ROOM));
  const span = (found: readonly number[]) =>
    Math.max(...all.map((size, card) => found[card]! + size[short] / 2)) -
    Math.min(...all.map((size, card) => found[card]! - size[short] / 2));
  const sum = widest.reduce((total, each) => total + each, 0);
  const gaps = Math.max(1, layers - 1);
  const [wide, high] = isTurned ? [room.height, room.width] : [room.width, room.height];
  const least = isTurned ? TURNED_GAP : LEAST_GAP;
  const scale = Math.min(1.3, wide / (sum + least * gaps), high / span(across));
  const gap = isTurned ? least : clamp((wide / scale - sum) / gaps, least, MOST_GAP);
  const free = clamp((high / scale - span(across)) / (span(roomy) - span(across) || 1), 0, 1);
  const aside = heights.map((_, item) => across[item]! + free * (roomy[item]! - across[item]!));
  const starts = widest.map((_, layer) =>
    widest.slice(0, layer).reduce((total, each) => total + each + gap, 0),
  );
  const along = (layer: number) => starts[layer]! + widest[layer]! / 2;
  const depth = isTurned ? 20 : PLANES.find(([most]) => contentOf(cards) <= most)![1];
  const boxes = new Map(
    cards.map(({ id }, item) => {
      const layer = woven.first[item]!;
      const z = (layers - 1 - layer) * depth;
      const [x, y] = [along(layer), aside[item]!];
      return [id, { ...all[item]!, z, ...(isTurned ? { x: y, y: x } : { x, y }) }];
    }),
  );
  const lanes = new Map(
    wires.map(({ edge }, at) => {
      const source = graph.edges[at]!.id;
      const item = woven.sources[source]!;
      if (item < woven.cards) return [edge.id, null];
      const [first, last] = [woven.first[item]!, woven.last[item]!];
      const from = along(first) - widest[first]! / 2;
      return [edge.id, { from, to: along(last) + widest[last]! / 2, at: aside[item]! }];
    }),
  );
  return { boxes, routes: routesOf(wires, boxes, lanes, isTurned), isTurned };
}

/** How many values are in sight: operations, leaves and chips. */
export function contentOf(cards: readonly Card[]): number {
  return cards.reduce((sum, { members, chips }) => sum + members.length + chips.length, 0);
}

/** The least factor with which all that stands in one layer has room beside what is next to it. */
function stretch(
  woven: LayeredGraph,
  heights: readonly number[],
  sides: readonly number[],
  room: number,
): number {
  let most = 0.1;
  for (let layer = 0; layer < woven.beginning.length; layer++) {
    const row = [...heights.keys()]
      .filter((item) => woven.first[item]! <= layer && layer <= woven.last[item]!)
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
function asDocument(cards: readonly Card[], wires: readonly Wire[]): Document {
  const number = new Map(cards.map(({ id }, at) => [id, at]));
  const nodes = cards.map((_, id) => ({ id, kind: "input" }));
  const found = wires.map(({ from, to, edge }, id) => {
    const mates = wires.filter((other) => other.to === to);
    const place = mates.findIndex((other) => other.edge === edge);
    const slot = mates.length > 1 && place >= mates.length / 2 ? 1 : 0;
    return { ...edge, id, from: number.get(from)!, to: number.get(to)!, slot };
  });
  // `kind` and the ends of edges are all that a layout asks for.
  return { nodes, edges: found } as unknown as Document;
}

/** The middle of all, and its ends. */
export function boundsOf(boxes: Iterable<Box>): {
  left: number;
  right: number;
  top: number;
  bottom: number;
} {
  const all = [...boxes];
  const [left] = extent(
    all.map(({ x, w }) => ({ end: x - w / 2 })),
    "end",
  );
  const [, right] = extent(
    all.map(({ x, w }) => ({ end: x + w / 2 })),
    "end",
  );
  const [top] = extent(
    all.map(({ y, h }) => ({ end: y - h / 2 })),
    "end",
  );
  const [, bottom] = extent(
    all.map(({ y, h }) => ({ end: y + h / 2 })),
    "end",
  );
  return { left, right, top, bottom };
}
