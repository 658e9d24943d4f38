/** Document -> layout: where its cards stand; and the plan, with all that a drawing needs. */

import type { Document } from "../document.ts";
import { arrange } from "./arrange.ts";
import { writeCaptions } from "./caption.ts";
import type { Captions } from "./caption.ts";
import { rank } from "./rank.ts";
import { CARD, PORT, settle } from "./settle.ts";
import { width } from "./text.ts";
import { weave } from "./weave.ts";
import type { Weave } from "./weave.ts";

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

/** All that a drawing needs, in pixels; x and y of a card are its middle. */
export interface Plan {
  readonly woven: Weave;
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
    const layer = plan.woven.first[id]!;
    const wide = plan.widths[layer]!;
    const x = plan.lefts[layer]! + Math.floor(wide / 2);
    return { id, x, y: plan.heights[id]!, width: wide, height: CARD };
  });
  return { width: plan.width, height: plan.height, nodes };
}

/** Go through the stages. */
export function makePlan(document: Document): Plan {
  const woven = weave(document, rank(document));
  const heights = settle(woven, arrange(woven)).map((height) => height + MARGIN);
  const captions = writeCaptions(document);
  const widths = widthsOf(woven, captions);
  const zones = zonesOf(woven, document, captions);
  const [lefts, turns] = [[MARGIN], [MARGIN]];
  let at = MARGIN;
  for (const [layer, turn] of turnsOf(woven, heights).entries()) {
    if (layer === 0) continue;
    at += widths[layer - 1]! + turn;
    turns.push(at);
    at += zones[layer]!;
    lefts.push(at);
  }
  let low = 0;
  for (const [item, height] of heights.entries()) {
    low = Math.max(low, height + (item < woven.cards ? CARD / 2 : 0));
  }
  const size = { width: at + widths.at(-1)! + MARGIN, height: low + MARGIN };
  return { woven, heights, lefts, widths, turns, captions, ...size };
}

function widthsOf(woven: Weave, { cards }: Captions): number[] {
  const widths = layersOf(woven, NARROWEST);
  for (const [node, card] of cards.entries()) {
    const layer = woven.first[node]!;
    const name = 2 * INSET + WIDE * width(card.name);
    const tag = card.tag ? INSET + SMALL * card.tag.length : 0;
    const digits = Math.max(card.data.length, card.grad.length);
    const numbers = 2 * INSET + 5 * SMALL + WIDE * digits;
    widths[layer] = Math.max(widths[layer]!, name + tag, numbers);
  }
  return widths;
}

/** Give the room for labels before each layer. */
function zonesOf(woven: Weave, { edges }: Document, { steps }: Captions): number[] {
  const zones = layersOf(woven, 0);
  for (const edge of edges) {
    const layer = woven.first[edge.to]!;
    zones[layer] = Math.max(zones[layer]!, MEDIUM * steps[edge.id]!.length + 3 * ARROW);
  }
  return zones;
}

/** Give the room in which the wires into each layer find their heights. */
function turnsOf(woven: Weave, heights: readonly number[]): number[] {
  const turns = layersOf(woven, LEAST_TURN);
  for (const [item, ends] of woven.left.entries()) {
    const layer = woven.first[item]!;
    for (const [of, port] of ends) {
      const climb = Math.abs(heights[item]! + port * PORT - heights[of]!);
      turns[layer] = Math.min(Math.max(turns[layer]!, Math.floor(climb / STEEP)), MOST_TURN);
    }
  }
  return turns;
}

function layersOf(woven: Weave, each: number): number[] {
  return new Array<number>(woven.first[woven.cards - 1]! + 1).fill(each);
}
