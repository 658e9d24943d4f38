/**
 * Items -> rows: what each layer holds, from top to bottom, with few crossings.
 *
 * Barycenter sweeps, right to left and back, then exchanges of neighbours. Only integers decide: a
 * mean is a floored quotient, and equal means keep the order before. A lane keeps its place among
 * the lanes beside it, so that it can be straight.
 */

import { countCrossings, exchange, PORT, STEP } from "./crossings.ts";
import type { Places, Rows } from "./crossings.ts";
import type { Weave } from "./weave.ts";

const SWEEPS = 2;

/** Take the best of a fixed number of sweeps, and exchange neighbours in it. */
export function arrange(woven: Weave): Rows {
  let places = sweepRight(woven, firstPlaces(woven));
  let best = places;
  let least = countCrossings(woven, places);
  for (let turn = 0; turn < (least > 0 ? SWEEPS : 0); turn++) {
    places = turn % 2 === 1 ? sweepRight(woven, places) : sweepLeft(woven, places);
    const crossings = countCrossings(woven, places);
    if (crossings < least) [best, least] = [places, crossings];
  }
  const rows = best.map((row) => [...row.keys()]);
  if (least > 0) exchange(woven, rows, best);
  return rows;
}

/** Give the mean, rounded down. */
export function mean(numbers: readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  const rest = sum % numbers.length;
  return (sum - rest) / numbers.length - (rest < 0 ? 1 : 0);
}

function placed(row: readonly number[]): Map<number, number> {
  return new Map(row.map((item, place) => [item, place * STEP]));
}

/** Put every item into the rows of its layers, by node. */
function firstPlaces(woven: Weave): Places {
  const rows = Array.from({ length: woven.first[woven.cards - 1]! + 1 }, (): number[] => []);
  for (let node = 0; node < woven.cards; node++) {
    rows[woven.first[node]!]!.push(node);
    const lane = woven.lanes.get(node);
    if (lane === undefined) continue;
    for (let at = woven.first[lane]!; at <= woven.last[lane]!; at++) rows[at]!.push(lane);
  }
  return rows.map(placed);
}

/** Order each row by the one right of it, where a lane that goes on has its place. */
function sweepLeft(woven: Weave, places: Places): Places {
  const swept = [...places];
  for (let at = places.length - 2; at >= 0; at--) {
    const wishes = new Map(swept[at + 1]);
    for (const item of woven.ending[at]!) {
      const ends = woven.arriving[item]!.get(at + 1)!;
      wishes.set(item, mean(ends.map(([to, port]) => wishes.get(to)! + port * PORT)));
    }
    swept[at] = placed(sortedBy(wishes, places[at]!));
  }
  return swept;
}

/** Order each row by the one left of it; a constant stands beside its mate. */
function sweepRight(woven: Weave, places: Places): Places {
  const swept = [...places];
  for (let at = 1; at < places.length; at++) {
    const wishes = new Map(swept[at - 1]);
    for (const item of woven.beginning[at]!) {
      const ends = woven.left[item]!;
      if (ends.length > 0) wishes.set(item, mean(ends.map(([of]) => wishes.get(of)!)));
    }
    for (const item of woven.beginning[at]!) {
      const beside = woven.mates.get(item);
      if (beside !== undefined) wishes.set(item, wishes.get(beside[0])! + beside[1]);
    }
    swept[at] = placed(sortedBy(wishes, places[at]!));
  }
  return swept;
}

function sortedBy(wishes: ReadonlyMap<number, number>, row: ReadonlyMap<number, number>): number[] {
  return [...row.keys()].sort((one, other) => wishes.get(one)! - wishes.get(other)!);
}
