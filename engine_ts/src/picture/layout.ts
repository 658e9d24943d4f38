/** Document -> layout: where its cards stand; and the plan, with all that a drawing needs. */

import type { Document } from "../document.ts";
import { width, writeCaptions } from "./captions.ts";
import type { Captions } from "./captions.ts";
import { assignLayers, layeredGraph, mean, orderRows } from "./layers.ts";
import type { LayeredGraph, Rows } from "./layers.ts";

/** Room around the picture. */
const MARGIN = 24;

/** Room between a card's edge and its text. */
export const INSET = 12;

/** How far before a card its arrows' lines end; the heads are longer by what covers the end. */
export const ARROW = 7;

const NARROWEST = 96;

/** What a column takes at 13 and 12, at 11, and at 10 pixels, in any of the fonts. */
const [WIDE, MEDIUM, SMALL] = [8, 7, 6];

/** A wire that turns gets a third of its height as room, within bounds. */
const [STEEP, LEAST_TURN, MOST_TURN] = [3, 40, 120];

/** The height of a card. */
export const CARD = 60;

/** The height of a lane. */
const LANE = 4;

/** The least room between two items of a row. */
const GAP = 14;

/** How far the two wires into a card are from its middle. */
export const PORT = 14;

/** For each item the (item, least distance) of those next to it on one side, in any layer. */
type Neighbours = (readonly [item: number, room: number])[][];

/** For each item the (item, distance) of those that its links lead to on one side. */
type Goals = (readonly [item: number, distance: number])[][];

/** All that a drawing needs, in pixels; x and y of a card are its middle. */
export interface Plan {
  readonly layered: LayeredGraph;
  /** The middle of each item. */
  readonly heights: readonly number[];
  /** Where the cards of each layer begin. */
  readonly lefts: readonly number[];
  /** How wide the cards of each layer are. */
  readonly widths: readonly number[];
  /** Where the wires into each layer have their heights; from there on they are straight. */
  readonly turns: readonly number[];
  readonly captions: Captions;
  readonly width: number;
  readonly height: number;
}

/** The middle of a node's card, and its size. */
export interface Place {
  id: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The size of the picture, and where the nodes are in it. */
export interface Layout {
  width: number;
  height: number;
  nodes: Place[];
}

/** Place the nodes of a document, without drawing them. */
export function layOut(document: Document): Layout {
  const plan = makePlan(document);
  const nodes = document.nodes.map(({ id }) => {
    const layer = plan.layered.first[id]!;
    const wide = plan.widths[layer]!;
    const x = plan.lefts[layer]! + Math.floor(wide / 2);
    return { id, x, y: plan.heights[id]!, width: wide, height: CARD };
  });
  return { width: plan.width, height: plan.height, nodes };
}

/** Go through the stages. */
export function makePlan(document: Document): Plan {
  const layered = layeredGraph(document, assignLayers(document));
  const heights = assignHeights(layered, orderRows(layered)).map((height) => height + MARGIN);
  const captions = writeCaptions(document);
  const widths = widthsOf(layered, captions);
  const zones = zonesOf(layered, document, captions);
  const [lefts, turns] = [[MARGIN], [MARGIN]];
  let at = MARGIN;
  for (const [layer, turn] of turnsOf(layered, heights).entries()) {
    if (layer === 0) continue;
    at += widths[layer - 1]! + turn;
    turns.push(at);
    at += zones[layer]!;
    lefts.push(at);
  }
  let low = 0;
  for (const [item, height] of heights.entries()) {
    low = Math.max(low, height + (item < layered.cards ? CARD / 2 : 0));
  }
  const size = { width: at + widths.at(-1)! + MARGIN, height: low + MARGIN };
  return { layered, heights, lefts, widths, turns, captions, ...size };
}

function widthsOf(layered: LayeredGraph, { cards }: Captions): number[] {
  const widths = layersOf(layered, NARROWEST);
  for (const [node, card] of cards.entries()) {
    const layer = layered.first[node]!;
    const name = 2 * INSET + WIDE * width(card.name);
    const tag = card.tag ? INSET + SMALL * card.tag.length : 0;
    const digits = Math.max(card.data.length, card.grad.length);
    const numbers = 2 * INSET + 5 * SMALL + WIDE * digits;
    widths[layer] = Math.max(widths[layer]!, name + tag, numbers);
  }
  return widths;
}

/** Find the room for labels before each layer. */
function zonesOf(layered: LayeredGraph, { edges }: Document, { steps }: Captions): number[] {
  const zones = layersOf(layered, 0);
  for (const edge of edges) {
    const layer = layered.first[edge.to]!;
    zones[layer] = Math.max(zones[layer]!, MEDIUM * steps[edge.id]!.length + 3 * ARROW);
  }
  return zones;
}

/** Find the room in which the wires into each layer find their heights. */
function turnsOf(layered: LayeredGraph, heights: readonly number[]): number[] {
  const turns = layersOf(layered, LEAST_TURN);
  for (const [item, ends] of layered.left.entries()) {
    const layer = layered.first[item]!;
    for (const [of, port] of ends) {
      const climb = Math.abs(heights[item]! + port * PORT - heights[of]!);
      turns[layer] = Math.min(Math.max(turns[layer]!, Math.floor(climb / STEEP)), MOST_TURN);
    }
  }
  return turns;
}

function layersOf(layered: LayeredGraph, each: number): number[] {
  return new Array<number>(layered.first[layered.cards - 1]! + 1).fill(each);
}

/**
 * Put every item near what it is linked to, and apart from what is beside it.
 *
 * These are the heights of the items' middles, downwards from the highest edge. The last round
 * goes rightwards, so that operations stand beside their operands' middle.
 */
export function assignHeights(layered: LayeredGraph, rows: Rows): number[] {
  const [above, below] = neighboursOf(layered, rows);
  const [left, right] = goalsOf(layered);
  const heights = spread(layered, left, above, below);
  const columns = [...heights.keys()].sort(
    (one, other) => layered.first[one]! - layered.first[other]!,
  );
  for (const goals of [right, left, right, left, left]) {
    for (const item of goals === left ? columns : columns.toReversed()) {
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
 * Let items give way to each other: halfway between all downwards and all upwards.
 *
 * Both keep the distances, so what is halfway between them does, too.
 */
function spread(
  layered: LayeredGraph,
  left: Goals,
  above: Neighbours,
  below: Neighbours,
): number[] {
  const order = downwards(above, below);
  const packed = lowered(
    order,
    above,
    order.map(() => 0),
  );
  const wanted = wantedOf(layered, left, packed);
  const low = lowered(order, above, wanted);
  const high = wanted;
  for (const item of order.toReversed()) {
    for (const [other, room] of below[item]!) {
      high[item] = Math.min(high[item]!, high[other]! - room);
    }
  }
  return low.map((height, item) => mean([height, high[item]!]));
}

/** Put each item where those left of it wish, regardless of the items beside it. */
function wantedOf(layered: LayeredGraph, left: Goals, heights: readonly number[]): number[] {
  const wanted = [...heights];
  const late = (item: number): number => 2 * layered.first[item]! + Number(layered.mates.has(item));
  for (const item of [...wanted.keys()].sort((one, other) => late(one) - late(other))) {
    const goals = left[item]!.map(([other, distance]) => wanted[other]! + distance);
    if (goals.length > 0) wanted[item] = mean(goals);
  }
  return wanted;
}

/** List what is left of each item, or its mate, and what is right of it. */
function goalsOf(layered: LayeredGraph): [left: Goals, right: Goals] {
  const left: Goals = layered.left.map((ends) => ends.map(([of]) => [of, 0]));
  for (const [item, [mate, port]] of layered.mates) {
    left[item] = [[mate, port * roomBetween(layered, mate, item)]];
  }
  return [left, layered.right.map((ends) => ends.map(([to, port]) => [to, port * PORT]))];
}

function neighboursOf(layered: LayeredGraph, rows: Rows): [above: Neighbours, below: Neighbours] {
  const above: Neighbours = layered.first.map(() => []);
  const below: Neighbours = layered.first.map(() => []);
  const seen = new Set<number>();
  for (const row of rows) {
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

/** Return the least distance between the middles of two items. */
function roomBetween(layered: LayeredGraph, one: number, other: number): number {
  return half(layered, one) + half(layered, other) + GAP;
}

function half(layered: LayeredGraph, item: number): number {
  return (item < layered.cards ? CARD : LANE) / 2;
}

/** List every item after all that are above it. */
function downwards(above: Neighbours, below: Neighbours): number[] {
  const waiting = above.map((each) => each.length);
  const order = [...waiting.keys()].filter((item) => waiting[item] === 0);
  for (const item of order) {
    for (const [lower] of below[item]!) {
      waiting[lower]!--;
      if (waiting[lower] === 0) order.push(lower);
    }
  }
  return order;
}

function lowered(order: readonly number[], above: Neighbours, wanted: readonly number[]): number[] {
  const heights = [...wanted];
  for (const item of order) {
    for (const [other, room] of above[item]!) {
      heights[item] = Math.max(heights[item]!, heights[other]! + room);
    }
  }
  return heights;
}
