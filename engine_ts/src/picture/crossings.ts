/** Rows -> how many links cross in them; and rows with neighbours exchanged, where fewer do. */

import type { Weave } from "./weave.ts";

/** The items of each layer, from top to bottom. */
export type Rows = readonly (readonly number[])[];

/** The same, and how far down each item is. */
export type Places = Map<number, number>[];

const EXCHANGES = 3;

/** How far a port is from the middle of its card; divisible by 1 to 16, so most means are exact. */
export const PORT = 720_720;

/** How far two neighbours in a row are from each other. */
export const STEP = 4 * PORT;

/** Count the pairs of links that cross, and the lanes that links cross, between all layers. */
export function countCrossings(woven: Weave, places: Places): number {
  let total = 0;
  for (let at = 1; at < places.length; at++) total += crossingsBefore(woven, places, at);
  return total;
}

function crossingsBefore(woven: Weave, places: Places, at: number): number {
  const [here, there] = [places[at - 1]!, places[at]!];
  const ending = woven.ending[at - 1]!.map((item) => here.get(item)!).sort(byNumber);
  const beginning = woven.beginning[at]!.map((item) => there.get(item)!).sort(byNumber);
  const links: [start: number, end: number, of: number, place: number][] = [];
  for (const item of woven.beginning[at]!) {
    const place = there.get(item)!;
    for (const [of, port] of woven.left[item]!) {
      links.push([here.get(of)!, place + port * PORT, of, place]);
    }
  }
  links.sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
  let total = 0;
  const ends: number[] = [];
  for (const [start, end, of, place] of links) {
    const below = countBelow(ends, end + 1);
    total += ends.length - below;
    ends.splice(below, 0, end);
    // A lane is crossed that is above one end and below the other; a wire's own lane is not.
    const lanesBefore = start / STEP - countBelow(ending, start);
    const lanesAfter = place / STEP - countBelow(beginning, place);
    const own = there.has(of) && there.get(of)! < place ? 1 : 0;
    total += Math.abs(lanesAfter - own - lanesBefore);
  }
  return total;
}

function byNumber(one: number, other: number): number {
  return one - other;
}

/** Count the numbers of a sorted list that are less than this one. */
function countBelow(sorted: readonly number[], bound: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (sorted[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Exchange neighbours where fewer links then cross, as often as EXCHANGES says.
 *
 * A row is left out while neither it nor a row beside it has changed since it was last looked at.
 */
export function exchange(woven: Weave, rows: readonly number[][], places: Places): void {
  let changed = new Set(rows.keys());
  for (let turn = 0; turn < EXCHANGES; turn++) {
    const before = changed;
    changed = new Set();
    for (const [at, row] of rows.entries()) {
      const beside = before.has(at) || before.has(at + 1) || changed.has(at - 1);
      if (beside && exchangeIn(row, woven, places, at)) changed.add(at);
    }
  }
}

/**
 * Go down a row once; true if it has changed.
 *
 * One of the two is a card, which is in no other row: two lanes would part in the next one.
 */
function exchangeIn(row: number[], woven: Weave, places: Places, at: number): boolean {
  let upper = row[0]!;
  let hasChanged = false;
  for (let place = 0; place + 1 < row.length; place++) {
    const lower = row[place + 1]!;
    if (Math.min(upper, lower) < woven.cards && gainOf(woven, places, at, upper, lower) > 0) {
      [row[place], row[place + 1]] = [lower, upper];
      places[at]!.set(lower, place * STEP).set(upper, (place + 1) * STEP);
      hasChanged = true;
    } else {
      upper = lower;
    }
  }
  return hasChanged;
}

/** Count the crossings that an exchange takes away, less those that it makes. */
function gainOf(woven: Weave, places: Places, at: number, upper: number, lower: number): number {
  return (
    uncrossed(leftEnds(woven, places, at, upper), leftEnds(woven, places, at, lower)) +
    uncrossed(rightEnds(woven, places, at, upper), rightEnds(woven, places, at, lower))
  );
}

/** Give where the links of an item, or the lane itself, are in the row before. */
function leftEnds(woven: Weave, places: Places, at: number, item: number): number[] {
  if (woven.first[item]! < at) return [places[at - 1]!.get(item)!];
  return woven.left[item]!.map(([of]) => places[at - 1]!.get(of)!);
}

/** Give where they are in the row after, at their ports. */
function rightEnds(woven: Weave, places: Places, at: number, item: number): number[] {
  const links = woven.arriving[item]!.get(at + 1) ?? [];
  const ends = links.map(([to, port]) => places[at + 1]!.get(to)! + port * PORT);
  return woven.last[item]! > at ? [...ends, places[at + 1]!.get(item)!] : ends;
}

/** Count the pairs that cross, less those that would if the two items were exchanged. */
function uncrossed(upper: readonly number[], lower: readonly number[]): number {
  let gain = 0;
  for (const one of upper) {
    for (const other of lower) gain += Number(one > other) - Number(one < other);
  }
  return gain;
}
