/** Cards in their places -> how the wires between them run in space. */

import type { Wire } from "../state/groups.ts";
import type { Box, Place } from "./camera.ts";
import { BAND, ROW } from "./size.ts";

/** Points of a curve. */
const STEPS = 16;
/** From a card to the end of its wire. */
const ASIDE = 4;
/** How far the ends of wires at one card are from each other at most. */
const [LEAVING, ARRIVING] = [22, 34];
/** How far a wire keeps from a card that it passes. */
const CLEAR = 12;
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

export function routesOf(
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
    return spread(mates.indexOf(wire), mates.length, LEAVING, boxes.get(wire.from)![short]);
  };
  const arrives = (wire: Wire): number => {
    const { h, [short]: side } = boxes.get(wire.to)!;
    if (wire.row !== null && !isTurned) return BAND + 6 + (wire.row + 0.5) * ROW - h / 2;
    const mates = into.get(wire.to)!.filter(({ row }) => isTurned || row === null);
    return spread(mates.indexOf(wire), mates.length, ARRIVING, side);
  };
  return new Map(
    wires.map((wire) => {
      const [one, other] = [boxes.get(wire.from)!, boxes.get(wire.to)!];
      const lane = lanes.get(wire.edge.id) ?? null;
      const start = one[along] + one[long] / 2 + ASIDE;
      const end = other[along] - other[long] / 2 - ASIDE;
      const depth = (at: number) => one.z + ((other.z - one.z) * (at - start)) / (end - start || 1);
      const stops: Stop[] = [
        [start, one[across] + leaves(wire), one.z],
        ...(lane === null ? [] : [lane.from, lane.to].map((at): Stop => [at, lane.at, depth(at)])),
        [end, other[across] + arrives(wire), other.z],
      ];
      const pair = out.get(wire.from)!.filter(({ to }) => to === wire.to);
      const bow = pair.length > 1 ? (pair.indexOf(wire) - (pair.length - 1) / 2) * 2 * BOW : 0;
      const direct = curved([stops[0]!, stops.at(-1)!], bow).map((stop) => turned(stop, isTurned));
      const others = [...boxes.values()].filter((box) => box !== one && box !== other);
      if (lane === null || isClear(direct, others)) return [wire.edge.id, direct];
      return [wire.edge.id, curved(stops, bow).map((stop) => turned(stop, isTurned))];
    }),
  );
}

/** Whether a wire that takes no lane keeps away from all other cards. */
function isClear(points: readonly Place[], boxes: readonly Box[]): boolean {
  return points.every(({ x, y }) =>
    boxes.every(
      (box) => Math.abs(x - box.x) > box.w / 2 + CLEAR || Math.abs(y - box.y) > box.h / 2 + CLEAR,
    ),
  );
}

function spread(at: number, count: number, most: number, side: number): number {
  const gap = Math.min(most, (side * 0.6) / Math.max(1, count - 1));
  return (at - (count - 1) / 2) * gap;
}

/** Curves that leave and arrive level. */
function curved(stops: readonly Stop[], bow: number): Stop[] {
  const found: Stop[] = [stops[0]!];
  for (const [at, [x1, y1, z1]] of stops.slice(1).entries()) {
    const [x0, y0, z0] = stops[at]!;
    const half = (x1 - x0) / 2;
    for (let step = 1; step <= STEPS; step++) {
      const [t, u] = [step / STEPS, 1 - step / STEPS];
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

function turned([along, across, z]: Stop, isTurned: boolean): Place {
  return isTurned ? { x: across, y: along, z } : { x: along, y: across, z };
}
