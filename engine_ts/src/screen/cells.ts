/**
 * Document -> cells: the contents of each layer and their links, without texts or window.
 *
 * Layers and rows are those of the engine's picture, except that a value goes into the last layer
 * before its first user: so a leaf is next to its only operation, and a tree has no long wires.
 */

import type { GradientDocument } from "../document.ts";
import { assignLayers, layeredGraph, orderRows } from "../picture/layers.ts";
import type { LayeredGraph, Rows } from "../picture/layers.ts";

/** The parts of a document that a layout reads. */
type Shape = Pick<GradientDocument, "root"> & {
  readonly nodes: readonly Pick<GradientDocument["nodes"][number], "id" | "kind">[];
  readonly edges: readonly Pick<GradientDocument["edges"][number], "id" | "from" | "to" | "slot">[];
};

/** A cell is a card or a piece of a lane in a layer; cells are numbered by layer, from the top. */
export interface Cells {
  readonly shape: Shape;
  readonly layered: LayeredGraph;
  readonly rows: Rows;
  /** The first cell of each layer, and at the end the number of cells. */
  readonly starts: Int32Array;
  /** By cell: its item, as `layered` numbers them, and its layer. */
  readonly items: Int32Array;
  readonly layerOf: Int32Array;
  readonly cellOf: (item: number, layer: number) => number;
  /** By cell, its first link; by link, the other cell, the port's sign and the weight. */
  readonly linkFirst: Int32Array;
  readonly linkTo: Int32Array;
  readonly linkPort: Float64Array;
  readonly linkWeight: Float64Array;
  /** By cell, the sum of its links' weights. */
  readonly weights: Float64Array;
  /** By node, the edges that enter its first and its second port, or -1. */
  readonly incoming: readonly (readonly [number, number])[];
  readonly isPaired: readonly boolean[];
  /** By layer, the edges that enter it, and the number of wires from the layer before. */
  readonly entering: readonly (readonly number[])[];
  readonly wires: readonly number[];
}

/** A straight lane matters more than a card in the middle of its operands. */
const LANE_WEIGHT = 4;

function lateLayers(document: GradientDocument): number[] {
  const { nodes, edges } = document;
  const last = Math.max(...assignLayers(document));
  const layers = nodes.map(() => last);
  for (const { from, to } of edges.toSorted((one, other) => other.to - one.to))
    layers[from] = Math.min(layers[from]!, layers[to]! - 1);
  const least = Math.min(...layers);
  return layers.map((layer) => layer - least);
}

export function cellsOf(document: GradientDocument): Cells {
  const layered = layeredGraph(document, lateLayers(document));
  return cellsIn(document, layered, orderRows(layered));
}

/** Number the cells of rows that are already ordered. */
export function cellsIn(shape: Shape, layered: LayeredGraph, rows: Rows): Cells {
  const { nodes, edges } = shape;
  const starts = [0];
  const items: number[] = [];
  const layerOf: number[] = [];
  for (const [layer, row] of rows.entries()) {
    for (const item of row) {
      items.push(item);
      layerOf.push(layer);
    }
    starts.push(items.length);
  }
  const places = new Map(items.map((item, cell) => [item * rows.length + layerOf[cell]!, cell]));
  const cellOf = (item: number, layer: number) => places.get(item * rows.length + layer)!;
  const links = items.map((): (readonly [cell: number, port: number, weight: number])[] => []);
  const incoming = nodes.map((): [number, number] => [-1, -1]);
  const isPaired = nodes.map(() => false);
  for (const { id, from, to, slot } of edges) {
    const port = layered.ports[id]!;
    incoming[to]![slot === 1 ? 1 : 0] = id;
    if (port !== 0) isPaired[to] = true;
    const here = cellOf(to, layered.first[to]!);
    const there = cellOf(layered.sources[id] ?? from, layered.first[to]! - 1);
    links[here]!.push([there, -port, 1]);
    links[there]!.push([here, port, 1]);
  }
  for (const [node, lane] of layered.lanes)
    for (let layer = layered.first[lane]!; layer <= layered.last[lane]!; layer++) {
      const here = cellOf(lane, layer);
      const before = layer === layered.first[lane] ? node : lane;
      const there = cellOf(before, layer - 1);
      links[here]!.push([there, 0, LANE_WEIGHT]);
      links[there]!.push([here, 0, LANE_WEIGHT]);
    }
  const linkFirst = [0];
  for (const each of links) linkFirst.push(linkFirst.at(-1)! + each.length);
  const flat = links.flat();
  const wires = rows.map((_, layer) => {
    const all = links.slice(starts[layer], starts[layer + 1]).flat();
    return new Set(all.map(([cell]) => cell).filter((cell) => layerOf[cell]! < layer)).size;
  });
  const entering = rows.map((): number[] => []);
  for (const { id, to } of edges) entering[layered.first[to]!]!.push(id);
  return {
    ...{ shape, layered, rows, cellOf, incoming, isPaired, entering, wires },
    starts: Int32Array.from(starts),
    items: Int32Array.from(items),
    layerOf: Int32Array.from(layerOf),
    linkFirst: Int32Array.from(linkFirst),
    linkTo: Int32Array.from(flat, ([cell]) => cell),
    linkPort: Float64Array.from(flat, ([, port]) => port),
    linkWeight: Float64Array.from(flat, ([, , weight]) => weight),
    weights: Float64Array.from(links, (each) => each.reduce((sum, [, , by]) => sum + by, 0)),
  };
}
