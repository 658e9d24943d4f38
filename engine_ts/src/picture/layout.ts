/** Document -> layout: the positions of its cards; and the plan: everything a drawing needs. */

import { NEVER } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { GradientDocument } from "../document.ts";
import { width, writeCaptions } from "./captions.ts";
import type { Captions } from "./captions.ts";
import { assignHeights, CARD, PORT } from "./heights.ts";
import { assignLayers, layeredGraph, orderRows } from "./layers.ts";
import type { LayeredGraph } from "./layers.ts";

/** Space around the picture. */
const MARGIN = 24;

/** Space between a card's edge and its text. */
export const INSET = 12;

/** Distance before a card at which its arrows' lines end; the heads cover the ends. */
export const ARROW = 7;

const NARROWEST = 96;

/** Width of a text column at 13 and 12, 11, and 10 pixels, in any of the fonts. */
const [WIDE, MEDIUM, SMALL] = [8, 7, 6];

/** A turning wire gets a third of its height as width, within bounds. */
const [STEEP, MIN_TURN, MAX_TURN] = [3, 40, 120];

/** Everything a drawing needs, in pixels; a card's x and y are those of its middle. */
export interface Plan {
  readonly layered: LayeredGraph;
  /** The middle of each item. */
  readonly heights: readonly number[];
  /** The left edge of the cards of each layer. */
  readonly lefts: readonly number[];
  /** The width of the cards of each layer. */
  readonly widths: readonly number[];
  /** Where the wires into each layer reach their heights; from there on they are straight. */
  readonly turns: readonly number[];
  readonly captions: Captions;
  readonly width: number;
  readonly height: number;
}

/** The middle of a node's card, and its size. */
interface Place {
  id: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The size of the picture, and the positions of its nodes. */
export interface Layout {
  width: number;
  height: number;
  nodes: Place[];
}

/**
 * Place the nodes of a document, without drawing them.
 *
 * @throws {DeadlineExceeded} the deadline has passed
 */
export function layOut(
  document: GradientDocument,
  { deadline = NEVER }: { readonly deadline?: Deadline } = {},
): Layout {
  const plan = makePlan(document, deadline);
  const nodes = document.nodes.map(({ id }) => {
    const layer = plan.layered.first[id]!;
    const wide = plan.widths[layer]!;
    const x = plan.lefts[layer]! + Math.floor(wide / 2);
    return { id, x, y: plan.heights[id]!, width: wide, height: CARD };
  });
  return { width: plan.width, height: plan.height, nodes };
}

/** Lay out a document, step by step. */
export function makePlan(document: GradientDocument, deadline: Deadline): Plan {
  const layered = layeredGraph(document, assignLayers(document));
  const rows = orderRows(layered, deadline);
  const heights = assignHeights(layered, rows, deadline).map((height) => height + MARGIN);
  const captions = writeCaptions(document, deadline);
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

/** Return the width for labels before each layer. */
function zonesOf(
  layered: LayeredGraph,
  { edges }: GradientDocument,
  { steps }: Captions,
): number[] {
  const zones = layersOf(layered, 0);
  for (const edge of edges) {
    const layer = layered.first[edge.to]!;
    zones[layer] = Math.max(zones[layer]!, MEDIUM * steps[edge.id]!.length + 3 * ARROW);
  }
  return zones;
}

/** Return the width in which the wires into each layer reach their heights. */
function turnsOf(layered: LayeredGraph, heights: readonly number[]): number[] {
  const turns = layersOf(layered, MIN_TURN);
  for (const [item, ends] of layered.left.entries()) {
    const layer = layered.first[item]!;
    for (const [of, port] of ends) {
      const climb = Math.abs(heights[item]! + port * PORT - heights[of]!);
      turns[layer] = Math.min(Math.max(turns[layer]!, Math.floor(climb / STEEP)), MAX_TURN);
    }
  }
  return turns;
}

function layersOf(layered: LayeredGraph, each: number): number[] {
  return new Array<number>(layered.first[layered.cards - 1]! + 1).fill(each);
}
