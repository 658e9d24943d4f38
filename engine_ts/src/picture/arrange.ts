/**
 * Items -> rows: what each layer holds, from top to bottom, with few crossings.
 *
 * Barycenter sweeps, right to left and back, then exchanges of neighbours. Only integers decide: a
 * mean is a floored quotient, and equal means keep the order before. A lane keeps its place among
 * the lanes beside it, so that it can be straight.
 */

import type { Weave } from "./weave.ts";

/** The items of each layer, from top to bottom. */
export type Rows = readonly (readonly number[])[];

/** For each row the place of each item in it. */
type Places = readonly ReadonlyMap<number, number>[];

const SWEEPS = 2;
const EXCHANGES = 3;

/** How far a port is from the middle of its card; divisible by 1 to 16, so most means are exact. */
const PORT = 720_720;

/** How far two neighbours in a row are from each other. */
const STEP = 4 * PORT;

/** Take the best of a fixed number of sweeps, and exchange neighbours in it. */
export function arrange(woven: Weave): Rows {
  let rows = sweepRight(woven, firstRows(woven));
  let best = rows;
  let least = countCrossings(woven, rows);
  for (let turn = 0; turn < (least > 0 ? SWEEPS : 0); turn++) {
    rows = turn % 2 === 1 ? sweepRight(woven, rows) : sweepLeft(woven, rows);
    const crossings = countCrossings(woven, rows);
    if (crossings < least) [best, least] = [rows, crossings];
  }
  for (let turn = 0; turn < (least > 0 ? EXCHANGES : 0); turn++) best = exchange(woven, best);
  return best;
}

/** Give the mean, rounded down. */
export function mean(numbers: readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  const rest = sum % numbers.length;
  return (sum - rest) / numbers.length - (rest < 0 ? 1 : 0);
}

/** Count the pairs of links that cross, and the lanes that links cross, between all layers. */
export function countCrossings(woven: Weave, rows: Rows): number {
  const places = rows.map(placesIn);
  let total = 0;
  for (let at = 1; at < rows.length; at++) total += crossingsBefore(woven, places, at);
  return total;
}

function placesIn(row: readonly number[]): Map<number, number> {
  return new Map(row.map((item, place) => [item, place]));
}

function crossingsBefore(woven: Weave, places: Places, at: number): number {
  const [here, there] = [places[at - 1]!, places[at]!];
  const lanes = [...there.keys()].filter((item) => woven.first[item]! < at);
  const before = lanes.map((lane) => here.get(lane)!);
  const after = lanes.map((lane) => there.get(lane)!);
  const links: [start: number, end: number, of: number][] = [];
  for (const [item, place] of there) {
    if (woven.first[item] !== at) continue;
    for (const [of, port] of woven.left[item]!) links.push([here.get(of)!, 4 * place + port, of]);
  }
  links.sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
  let total = 0;
  const ends: number[] = [];
  for (const [start, end, of] of links) {
    const place = countBelow(ends, end + 1);
    total += ends.length - place;
    ends.splice(place, 0, end);
    // A lane is crossed that is above one end and below the other; a wire's own lane is not.
    const own = there.has(of) && 4 * there.get(of)! < end ? 1 : 0;
    const above = countBelow(after, Math.floor((end + 2) / 4)) - own;
    total += Math.abs(above - countBelow(before, start));
  }
  return total;
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

/** Put every item into the rows of its layers, by node. */
function firstRows(woven: Weave): Rows {
  const rows = Array.from({ length: woven.first[woven.cards - 1]! + 1 }, (): number[] => []);
  for (let node = 0; node < woven.cards; node++) {
    rows[woven.first[node]!]!.push(node);
    const lane = woven.lanes.get(node);
    if (lane === undefined) continue;
    for (let at = woven.first[lane]!; at <= woven.last[lane]!; at++) rows[at]!.push(lane);
  }
  return rows;
}

/** Order each row by the one right of it, where a lane that goes on has its place. */
function sweepLeft(woven: Weave, rows: Rows): Rows {
  const swept = [...rows];
  const places: number[] = woven.first.map(() => 0);
  for (let at = rows.length - 2; at >= 0; at--) {
    for (const [place, item] of swept[at + 1]!.entries()) places[item] = place * STEP;
    for (const item of rows[at]!) {
      if (woven.last[item] !== at) continue;
      const ends = woven.arriving[item]!.get(at + 1)!;
      places[item] = mean(ends.map(([to, port]) => places[to]! + port * PORT));
    }
    swept[at] = rows[at]!.toSorted((one, other) => places[one]! - places[other]!);
  }
  return swept;
}

/** Order each row by the one left of it; a constant stands beside its mate. */
function sweepRight(woven: Weave, rows: Rows): Rows {
  const swept = [...rows];
  const places: number[] = woven.first.map(() => 0);
  for (let at = 1; at < rows.length; at++) {
    for (const [place, item] of swept[at - 1]!.entries()) places[item] = place * STEP;
    for (const item of rows[at]!) {
      const ends = woven.left[item]!;
      if (woven.first[item] === at && ends.length > 0) {
        places[item] = mean(ends.map(([of]) => places[of]!));
      }
    }
    for (const item of rows[at]!) {
      const [mate, port] = woven.mates.get(item) ?? [item, 0];
      places[item] = places[mate]! + port;
    }
    swept[at] = rows[at]!.toSorted((one, other) => places[one]! - places[other]!);
  }
  return swept;
}

/**
 * Exchange neighbours where fewer links then cross.
 *
 * One of the two is a card, which is in no other row: two lanes would part in the next one.
 */
function exchange(woven: Weave, rows: Rows): Rows {
  const exchanged = rows.map((row) => [...row]);
  const places = rows.map(placesIn);
  for (const [at, row] of exchanged.entries()) {
    for (let place = 0; place + 1 < row.length; place++) {
      const [upper, lower] = [row[place]!, row[place + 1]!];
      if (Math.min(upper, lower) < woven.cards && gainOf(woven, places, at, upper, lower) > 0) {
        [row[place], row[place + 1]] = [lower, upper];
        places[at]!.set(lower, place).set(upper, place + 1);
      }
    }
  }
  return exchanged;
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

/** Give where they are in the row after, where a port is a place. */
function rightEnds(woven: Weave, places: Places, at: number, item: number): number[] {
  const links = woven.arriving[item]!.get(at + 1) ?? [];
  const ends = links.map(([to, port]) => 4 * places[at + 1]!.get(to)! + port);
  return woven.last[item]! > at ? [...ends, 4 * places[at + 1]!.get(item)!] : ends;
}

/** Count the pairs that cross, less those that would if the two items were exchanged. */
function uncrossed(upper: readonly number[], lower: readonly number[]): number {
  let gain = 0;
  for (const one of upper) {
    for (const other of lower) gain += Number(one > other) - Number(one < other);
  }
  return gain;
}
