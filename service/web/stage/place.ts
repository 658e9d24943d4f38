/** Graph -> where its cards stand and how its arrows run, from the engine's own layout. */

import type { Document } from "../../../engine_ts/src/document.ts";
import { arrange } from "../../../engine_ts/src/picture/arrange.ts";
import { rank } from "../../../engine_ts/src/picture/rank.ts";
import { settle } from "../../../engine_ts/src/picture/settle.ts";
import { weave } from "../../../engine_ts/src/picture/weave.ts";
import type { Point } from "./camera.ts";
import { Routes } from "./routes.ts";
import type { Route } from "./routes.ts";
import { chooseSize } from "./size.ts";
import type { Room, Size } from "./size.ts";

export interface Placed {
  readonly size: Size;
  readonly width: number;
  readonly height: number;
  readonly cards: readonly Point[];
  readonly routes: readonly Route[];
}

/** Place a graph; `turned` has the inputs on top instead of on the left. */
export function place(document: Document, room: Room): Placed {
  const woven = weave(document, rank(document));
  const heights = settle(woven, arrange(woven));
  const layers = Math.max(...woven.first.slice(0, woven.cards)) + 1;
  const across = heights.slice(0, woven.cards);
  const lowest = Math.min(...across);
  const spread = Math.max(...across) - lowest;
  const size = chooseSize(layers, spread, room);
  const along = (layer: number) => size.margin + size.long / 2 + layer * size.stride;
  const aside = (height: number) =>
    size.margin + size.short / 2 + size.offset + (height - lowest) * size.scale;
  const cards = across.map((height, node) => ({ x: along(woven.first[node]!), y: aside(height) }));
  const routes = new Routes(
    document,
    woven,
    size,
    cards,
    heights.map(aside),
    along,
    room.turned,
  ).all();
  const length = 2 * size.margin + size.long + (layers - 1) * size.stride;
  const breadth = 2 * (size.margin + size.offset) + size.short + spread * size.scale;
  if (!room.turned) return { size, width: length, height: breadth, cards, routes };
  return {
    size,
    width: breadth,
    height: length,
    cards: cards.map(swap),
    routes: routes.map(({ points, label }) => ({ points: points.map(swap), label: swap(label) })),
  };
}

function swap({ x, y }: Point): Point {
  return { x: y, y: x };
}
