/** Layered graph + order of rows -> heights: every item near the items that it is linked to. */

import { NEVER, NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import { mean, ROWS } from "./layers.ts";
import type { LayeredGraph, Rows } from "./layers.ts";

/** The height of a card. */
export const CARD = 60;

/** The height of a lane. */
const LANE = 4;

/** The smallest gap between two items of a row. */
const GAP = 14;

/** Distance from a card's middle to each of its two incoming wires. */
export const PORT = 14;

/** For each item, its (neighbour, smallest distance) pairs on one side, in any layer. */
type Neighbours = (readonly [item: number, room: number])[][];

/** For each item, the (item, distance) pairs of its links on one side. */
type Goals = (readonly [item: number, distance: number])[][];

/**
 * Put every item near the items that it is linked to, and apart from its neighbours.
 *
 * A height is measured from the topmost edge down to an item's middle. The last round runs to the
 * right, so operations are level with the middle of their operands.
 */
export function assignHeights(
  layered: LayeredGraph,
  rows: Rows,
  deadline: Deadline = NEVER,
): number[] {
  const [above, below] = neighboursOf(layered, rows, deadline);
  const [left, right] = goalsOf(layered);
  const heights = spread(layered, left, above, below, deadline);
  const columns = [...heights.keys()].sort(
    (one, other) => layered.first[one]! - layered.first[other]!,
  );
  for (const goals of [right, left, right, left, left]) {
    const items = goals === left ? columns : columns.toReversed();
    for (const item of deadline.over(items, NODES_PER_CHECK)) {
      if (goals[item]!.length === 0) continue;
      let height = mean(goals[item]!.map(([other, distance]) => heights[other]! + distance));
      for (const [other, room] of above[item]!) height = Math.max(height, heights[other]! + room);
      for (const [other, room] of below[item]!) height = Math.min(height, heights[other]! - room);
      heights[item] = height;
    }
  }
  let top = heights[0]!;
  for (const [item] of rows) top = Math.min(top, heights[item!]! - half(layered, item!));
  return heights.map((height) => height - top);
}

/**
 * Separate items: return the mean of pushing all of them down and pushing all of them up.
 *
 * Both keep the distances, so their mean does, too.
 */
function spread(
  layered: LayeredGraph,
  left: Goals,
  above: Neighbours,
  below: Neighbours,
  deadline: Deadline,
): number[] {
  const order = downwards(above, below, deadline);
  const packed = lowered(
    order,
    above,
    order.map(() => 0),
    deadline,
  );
  const wanted = wantedOf(layered, left, packed);
  const low = lowered(order, above, wanted, deadline);
  const high = wanted;
  for (const item of deadline.over(order.toReversed(), NODES_PER_CHECK)) {
    for (const [other, room] of below[item]!) {
      high[item] = Math.min(high[item]!, high[other]! - room);
    }
  }
  return low.map((height, item) => mean([height, high[item]!]));
}

/** Return the height that each item's left links give it, ignoring its neighbours. */
function wantedOf(layered: LayeredGraph, left: Goals, heights: readonly number[]): number[] {
  const wanted = [...heights];
  const late = (item: number): number => 2 * layered.first[item]! + Number(layered.mates.has(item));
  for (const item of [...wanted.keys()].sort((one, other) => late(one) - late(other))) {
    const goals = left[item]!.map(([other, distance]) => wanted[other]! + distance);
    if (goals.length > 0) wanted[item] = mean(goals);
  }
  return wanted;
}

/** List the links to the left of each item (or its mate), and those to the right. */
function goalsOf(layered: LayeredGraph): [left: Goals, right: Goals] {
  const left: Goals = layered.left.map((ends) => ends.map(([of]) => [of, 0]));
  for (const [item, [mate, port]] of layered.mates) {
    left[item] = [[mate, port * roomBetween(layered, mate, item)]];
  }
  return [left, layered.right.map((ends) => ends.map(([to, port]) => [to, port * PORT]))];
}

function neighboursOf(
  layered: LayeredGraph,
  rows: Rows,
  deadline: Deadline,
): [above: Neighbours, below: Neighbours] {
  const above: Neighbours = layered.first.map(() => []);
  const below: Neighbours = layered.first.map(() => []);
  const seen = new Set<number>();
  for (const row of deadline.over(rows, ROWS)) {
    for (const [place, lower] of row.entries()) {
      if (place === 0) continue;
      const upper = row[place - 1]!;
      const pair = upper * layered.first.length + lower;
      if (seen.has(pair)) continue;
      seen.add(pair);
      const room = roomBetween(layered, upper, lower);
      above[lower]!.push([upper, room]);
      below[upper]!.push([lower, room]);
    }
  }
  return [above, below];
}

/** Return the smallest distance between the middles of two items. */
function roomBetween(layered: LayeredGraph, one: number, other: number): number {
  return half(layered, one) + half(layered, other) + GAP;
}

function half(layered: LayeredGraph, item: number): number {
  return (item < layered.cards ? CARD : LANE) / 2;
}

/** Return the items in an order in which each follows all items above it. */
function downwards(above: Neighbours, below: Neighbours, deadline: Deadline): number[] {
  const waiting = above.map((each) => each.length);
  const order = [...waiting.keys()].filter((item) => waiting[item] === 0);
  for (const [place, item] of order.entries()) {
    if (place % NODES_PER_CHECK === 0) deadline.check();
    for (const [lower] of below[item]!) {
      waiting[lower]!--;
      if (waiting[lower] === 0) order.push(lower);
    }
  }
  return order;
}

function lowered(
  order: readonly number[],
  above: Neighbours,
  wanted: readonly number[],
  deadline: Deadline,
): number[] {
  const heights = [...wanted];
  for (const item of deadline.over(order, NODES_PER_CHECK)) {
    for (const [other, room] of above[item]!) {
      heights[item] = Math.max(heights[item]!, heights[other]! + room);
    }
  }
  return heights;
}
