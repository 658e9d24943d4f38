/**
 * Document + layers -> items, which are cards and lanes, and the links between them.
 *
 * A lane is the straight stretch of a wire that passes other layers. A value has one if a consumer
 * is further away than the next layer, and only one, so there are at most twice as many items as
 * nodes.
 */

import type { Document } from "../document.ts";

/** For each item the (item, port) at the other end of its links on one side. */
export type Ends = (readonly [item: number, port: number])[][];

/** Constant beyond the first layer -> the other operand's item, and the constant's own port. */
export type Mates = ReadonlyMap<number, readonly [mate: number, port: number]>;

/** The items are numbered: first the cards, by node id, then the lanes. */
export interface Weave {
  readonly cards: number;
  /** The layer where each item begins. */
  readonly first: readonly number[];
  /** The layer where each item ends; a card is in one layer alone. */
  readonly last: readonly number[];
  /** For each layer the items that begin there; all others come from the layer before. */
  readonly beginning: readonly (readonly number[])[];
  /** For each layer the items that end there. */
  readonly ending: readonly (readonly number[])[];
  /** Node -> its lane. */
  readonly lanes: ReadonlyMap<number, number>;
  /** For each edge the item that it leaves: its operand's card or lane. */
  readonly sources: readonly number[];
  /** Where each edge arrives: -1 above the card's middle, 1 below, 0 where it has one operand. */
  readonly ports: readonly number[];
  readonly left: Ends;
  readonly right: Ends;
  /** For each item its links to the right, by the layer where they arrive. */
  readonly arriving: readonly ReadonlyMap<number, Ends[number]>[];
  readonly mates: Mates;
}

/** Give every value one wire, as long as its last consumer needs. */
export function weave(document: Document, layers: readonly number[]): Weave {
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

function portsOf({ edges }: Document): number[] {
  const paired = new Set(edges.filter((edge) => edge.slot === 1).map((edge) => edge.to));
  return edges.map((edge) => (paired.has(edge.to) ? 2 * edge.slot - 1 : 0));
}

/** Find what a constant stands beside; nothing to its left says where it belongs. */
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
