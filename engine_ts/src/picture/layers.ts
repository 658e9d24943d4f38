/**
 * Document -> layers: the items of each layer, from top to bottom, with few wire crossings.
 *
 * The layers are those of Sugiyama's method. Items are cards and lanes: a lane is the straight
 * stretch of a wire that passes other layers. A value has one lane if a consumer is beyond the next
 * layer, and never more, so there are at most twice as many items as nodes.
 *
 * Rows are ordered by barycenter sweeps, right to left and back, and then by exchanging neighbours.
 * All comparisons are of integers: a mean is a floored quotient, and equal means keep the previous
 * order. A lane keeps its position among neighbouring lanes, so that it can be straight.
 */

import { NEVER, NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { GradientDocument } from "../document.ts";

/** For each item, the (item, port) at the other end of each link on one side. */
type Ends = (readonly [item: number, port: number])[][];

/** The items of each layer, from top to bottom. */
export type Rows = readonly (readonly number[])[];

/** For each row, the position of each of its items. */
type Positions = Map<number, number>[];

const SWEEPS = 2;
const EXCHANGES = 3;

/**
 * Distance of a port from the middle of its card; divisible by 1 to 16, so most means are exact.
 */
const PORT_STEP = 720_720;

/** Distance between two neighbours in a row. */
const STEP = 4 * PORT_STEP;

/** Rows between two checks of the deadline; a row has at most two items per node. */
export const ROWS = 16;

/** Constant beyond the first layer -> the other operand's item, and the constant's own port. */
type Mates = ReadonlyMap<number, readonly [mate: number, port: number]>;

/** The items are numbered: first the cards, by node id, then the lanes. */
export interface LayeredGraph {
  readonly cards: number;
  /** The first layer of each item. */
  readonly first: readonly number[];
  /** The last layer of each item; a card is in one layer only. */
  readonly last: readonly number[];
  /** For each layer the items that begin there; all others continue from the layer before. */
  readonly beginning: readonly (readonly number[])[];
  /** For each layer the items that end there. */
  readonly ending: readonly (readonly number[])[];
  /** Node -> its lane. */
  readonly lanes: ReadonlyMap<number, number>;
  /** For each edge the item that it starts from: its operand's card or lane. */
  readonly sources: readonly number[];
  /** Where each edge arrives: -1 above the card's middle, 1 below, 0 for a single operand. */
  readonly ports: readonly number[];
  readonly left: Ends;
  readonly right: Ends;
  /** For each item its links to the right, by the layer where they arrive. */
  readonly arriving: readonly ReadonlyMap<number, Ends[number]>[];
  readonly mates: Mates;
}

/**
 * Put each node into a layer, counted from the left; the root is alone in the last one.
 *
 * An operation is as far left as its operands allow. A constant is just before the first operation
 * that uses it; otherwise its wire would run through the whole picture.
 */
export function assignLayers({ nodes, edges }: GradientDocument): number[] {
  const layers: number[] = nodes.map(() => 0);
  for (const edge of edges) {
    // Sorted by `to`, so an operand's layer is final.
    layers[edge.to] = Math.max(layers[edge.to]!, layers[edge.from]! + 1);
  }
  const before: number[] = nodes.map(() => layers.at(-1)!);
  for (const edge of edges) {
    before[edge.from] = Math.min(before[edge.from]!, layers[edge.to]! - 1);
  }
  for (const node of nodes) {
    if (node.kind === "constant") layers[node.id] = before[node.id]!;
  }
  return layers;
}

/** Return a graph in which each value has one wire, up to its last consumer. */
export function layeredGraph(document: GradientDocument, layers: readonly number[]): LayeredGraph {
  const { edges } = document;
  const cards = layers.length;
  const reach = [...layers];
  for (const edge of edges) {
    reach[edge.from] = Math.max(reach[edge.from]!, layers[edge.to]! - 1);
  }
  const long = [...layers.keys()].filter((node) => reach[node]! > layers[node]!);
  const lanes = new Map(long.map((node, place) => [node, cards + place]));
  const first = [...layers, ...long.map((node) => layers[node]! + 1)];
  const last = [...layers, ...long.map((node) => reach[node]!)];
  const sources = edges.map((edge) =>
    layers[edge.to]! > layers[edge.from]! + 1 ? lanes.get(edge.from)! : edge.from,
  );
  const ports = portsOf(document);
  const left: Ends = first.map(() => []);
  const right: Ends = first.map(() => []);
  for (const [place, edge] of edges.entries()) {
    left[edge.to]!.push([sources[place]!, ports[place]!]);
    right[sources[place]!]!.push([edge.to, ports[place]!]);
  }
  for (const [node, lane] of lanes) {
    left[lane]!.push([node, 0]);
    right[node]!.push([lane, 0]);
  }
  const arriving = right.map((links) => byLayer(links, first));
  const mates = matesOf(cards, first, left, right);
  const [beginning, ending] = [grouped(first), grouped(last)];
  const sides = { first, last, beginning, ending, left, right, arriving };
  return { cards, lanes, sources, ports, mates, ...sides };
}

function grouped(layers: readonly number[]): number[][] {
  const items = Array.from({ length: Math.max(...layers) + 1 }, (): number[] => []);
  for (const [item, layer] of layers.entries()) items[layer]!.push(item);
  return items;
}

function byLayer(links: Ends[number], first: readonly number[]): Map<number, Ends[number]> {
  const layers = new Map<number, Ends[number]>();
  for (const link of links) {
    const layer = first[link[0]]!;
    const met = layers.get(layer);
    if (met) met.push(link);
    else layers.set(layer, [link]);
  }
  return layers;
}

function portsOf({ edges }: GradientDocument): number[] {
  const paired = new Set(edges.filter((edge) => edge.slot === 1).map((edge) => edge.to));
  return edges.map((edge) => (paired.has(edge.to) ? 2 * edge.slot - 1 : 0));
}

/** Find the mate of each constant, which has no left link to place it by. */
function matesOf(cards: number, first: readonly number[], left: Ends, right: Ends): Mates {
  const mates = new Map<number, readonly [number, number]>();
  for (let item = 0; item < cards; item++) {
    if (first[item]! > 0 && left[item]!.length === 0) {
      const [consumer, port] = right[item]![0]!;
      for (const [other] of left[consumer]!) {
        if (other !== item) mates.set(item, [other, port]);
      }
    }
  }
  return mates;
}

/** Return the best rows of a fixed number of sweeps, improved by exchanges. */
export function orderRows(layered: LayeredGraph, deadline: Deadline = NEVER): Rows {
  let positions = sweepRight(layered, firstPositions(layered, deadline), deadline);
  let best = positions;
  let least = countCrossings(layered, positions, deadline);
  for (let turn = 0; turn < (least > 0 ? SWEEPS : 0); turn++) {
    const sweep = turn % 2 === 1 ? sweepRight : sweepLeft;
    positions = sweep(layered, positions, deadline);
    const crossings = countCrossings(layered, positions, deadline);
    if (crossings < least) [best, least] = [positions, crossings];
  }
  const rows = Array.from(deadline.over(best, ROWS), (row) => [...row.keys()]);
  if (least > 0) exchange(layered, rows, best, deadline);
  return rows;
}

/** Return the mean, rounded down. */
export function mean(numbers: readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  const rest = sum % numbers.length;
  return (sum - rest) / numbers.length - (rest < 0 ? 1 : 0);
}

function placed(row: readonly number[]): Map<number, number> {
  return new Map(row.map((item, place) => [item, place * STEP]));
}

/** Put each item into the row of each of its layers, in the order of the nodes. */
function firstPositions(layered: LayeredGraph, deadline: Deadline): Positions {
  const rows = Array.from({ length: layered.first[layered.cards - 1]! + 1 }, (): number[] => []);
  for (let node = 0; node < layered.cards; node++) {
    if (node % ROWS === 0 && layered.cards > ROWS) deadline.check();
    rows[layered.first[node]!]!.push(node);
    const lane = layered.lanes.get(node);
    if (lane === undefined) continue;
    for (let at = layered.first[lane]!; at <= layered.last[lane]!; at++) rows[at]!.push(lane);
  }
  return Array.from(deadline.over(rows, ROWS), placed);
}

/** Order each row by the row to its right, in which a lane may continue. */
function sweepLeft(layered: LayeredGraph, positions: Positions, deadline: Deadline): Positions {
  const swept = [...positions];
  for (let at = positions.length - 2; at >= 0; at--) {
    if (at % ROWS === 0 && positions.length > ROWS) deadline.check();
    const wanted = new Map(swept[at + 1]);
    for (const item of layered.ending[at]!) {
      const ends = layered.arriving[item]!.get(at + 1)!;
      wanted.set(item, mean(ends.map(([to, port]) => wanted.get(to)! + port * PORT_STEP)));
    }
    swept[at] = placed(sortedBy(wanted, positions[at]!));
  }
  return swept;
}

/** Order each row by the row to its left; a constant is placed next to its mate. */
function sweepRight(layered: LayeredGraph, positions: Positions, deadline: Deadline): Positions {
  const swept = [...positions];
  for (let at = 1; at < positions.length; at++) {
    if (at % ROWS === 0) deadline.check();
    const wanted = new Map(swept[at - 1]);
    for (const item of layered.beginning[at]!) {
      const ends = layered.left[item]!;
      if (ends.length > 0) wanted.set(item, mean(ends.map(([of]) => wanted.get(of)!)));
    }
    for (const item of layered.beginning[at]!) {
      const mate = layered.mates.get(item);
      if (mate !== undefined) wanted.set(item, wanted.get(mate[0])! + mate[1]);
    }
    swept[at] = placed(sortedBy(wanted, positions[at]!));
  }
  return swept;
}

function sortedBy(wanted: ReadonlyMap<number, number>, row: ReadonlyMap<number, number>): number[] {
  return [...row.keys()].sort((one, other) => wanted.get(one)! - wanted.get(other)!);
}

/** Count the pairs of links that cross, and the lanes that links cross, between all layers. */
function countCrossings(layered: LayeredGraph, positions: Positions, deadline: Deadline): number {
  let total = 0;
  for (let at = 1; at < positions.length; at++) {
    if (at % ROWS === 0) deadline.check();
    total += crossingsBefore(layered, positions, at);
  }
  return total;
}

function crossingsBefore(layered: LayeredGraph, positions: Positions, at: number): number {
  const [here, there] = [positions[at - 1]!, positions[at]!];
  const ending = layered.ending[at - 1]!.map((item) => here.get(item)!).sort(byNumber);
  const beginning = layered.beginning[at]!.map((item) => there.get(item)!).sort(byNumber);
  const links: [start: number, end: number, of: number, place: number][] = [];
  for (const item of layered.beginning[at]!) {
    const place = there.get(item)!;
    for (const [of, port] of layered.left[item]!) {
      links.push([here.get(of)!, place + port * PORT_STEP, of, place]);
    }
  }
  links.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  let total = 0;
  const ends: number[] = [];
  for (const [start, end, of, place] of links) {
    const below = countBelow(ends, end); // unique: a port has one link
    total += ends.length - below;
    ends.splice(below, 0, end);
    // A link crosses a lane that is above one end and below the other, except its own.
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

/** Count the numbers of a sorted list that are less than `bound`. */
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
 * Exchange neighbours if that removes crossings, in `EXCHANGES` rounds.
 *
 * A row is skipped while neither it nor a neighbouring row has changed since its last turn.
 */
function exchange(
  layered: LayeredGraph,
  rows: readonly number[][],
  positions: Positions,
  deadline: Deadline,
): void {
  let changed = new Set(rows.keys());
  for (let turn = 0; turn < EXCHANGES; turn++) {
    const before = changed;
    changed = new Set();
    for (const [at, row] of deadline.over([...rows.entries()], ROWS)) {
      const isNear = before.has(at) || before.has(at + 1) || changed.has(at - 1);
      if (isNear && exchangeIn(row, layered, positions, at, deadline)) changed.add(at);
    }
  }
}

/**
 * Exchange neighbours of a row once, from top to bottom; return whether the row has changed.
 *
 * A card is in one row only. Two lanes are not exchanged: they would cross before the next row.
 */
function exchangeIn(
  row: number[],
  layered: LayeredGraph,
  positions: Positions,
  at: number,
  deadline: Deadline,
): boolean {
  let upper = row[0]!;
  let hasChanged = false;
  for (let place = 0; place + 1 < row.length; place++) {
    if (place % NODES_PER_CHECK === 0 && row.length > NODES_PER_CHECK) deadline.check();
    const lower = row[place + 1]!;
    const both = [upper, lower] as const;
    if (Math.min(...both) < layered.cards && gainOf(layered, positions, at, both, deadline) > 0) {
      [row[place], row[place + 1]] = [lower, upper];
      positions[at]!.set(lower, place * STEP).set(upper, (place + 1) * STEP);
      hasChanged = true;
    } else {
      upper = lower;
    }
  }
  return hasChanged;
}

/** Count the crossings that an exchange removes, minus those that it adds. */
function gainOf(
  layered: LayeredGraph,
  positions: Positions,
  at: number,
  [upper, lower]: readonly [number, number],
  deadline: Deadline,
): number {
  const gain = uncrossed(
    leftEnds(layered, positions, at, upper),
    leftEnds(layered, positions, at, lower),
    deadline,
  );
  const right = rightEnds(layered, positions, at, upper);
  return gain + uncrossed(right, rightEnds(layered, positions, at, lower), deadline);
}

/** List the positions of an item's links, or of the lane itself, in the row before. */
function leftEnds(layered: LayeredGraph, positions: Positions, at: number, item: number): number[] {
  if (layered.first[item]! < at) return [positions[at - 1]!.get(item)!];
  return layered.left[item]!.map(([of]) => positions[at - 1]!.get(of)!);
}

/** List the positions of the links in the row after, at their ports. */
function rightEnds(
  layered: LayeredGraph,
  positions: Positions,
  at: number,
  item: number,
): number[] {
  const links = layered.arriving[item]!.get(at + 1) ?? [];
  const ends = links.map(([to, port]) => positions[at + 1]!.get(to)! + port * PORT_STEP);
  return layered.last[item]! > at ? [...ends, positions[at + 1]!.get(item)!] : ends;
}

/** Return the number of pairs that cross, minus the number after an exchange. */
function uncrossed(upper: readonly number[], lower: readonly number[], deadline: Deadline): number {
  let gain = 0;
  for (const one of deadline.over(upper, ROWS)) {
    for (const other of lower) gain += Number(one > other) - Number(one < other);
  }
  return gain;
}
