/**
 * Cells + texts -> the extent of each cell in a variant, and its natural place across the layers.
 *
 * Each arrow's last piece, before the card that it enters, is straight and carries the label. A
 * card's extent includes these labels, so no other card's line comes nearer to a label than its own
 * arrow. All lengths are in `em`.
 */

import type { Cells } from "./cells.ts";
import type { CardKind, LabelLines, Texts } from "./texts.ts";

/** A way to lay out a graph: its direction, and the kinds of its cards and labels. */
export interface Variant {
  readonly isAcross: boolean;
  readonly operation: CardKind;
  readonly leaf: CardKind;
  readonly lines: LabelLines;
  /** A deep thin graph may be wrapped into two or three bands, as text is into lines. */
  readonly bands: number;
}

/** The text sizes that a layout reads, of a document or of a part of it. */
export type SizedTexts = Pick<Texts, "sizes" | "labelWidths">;

interface Band {
  readonly isFirst: boolean;
  /** The number of wires from the band before, and the space above this band for them. */
  readonly wires: number;
  readonly before: number;
  length: number;
  across: number;
}

/** Extents of cells, and total lengths: `along` the layers is exact, `across` a lower bound. */
export interface Extents {
  readonly variant: Variant;
  /** By edge, its label's width; then how far labels reach above and below their line. */
  readonly labels: Float64Array;
  readonly above: number;
  readonly below: number;
  /** Distance from the middle of a card to its ports. */
  readonly port: number;
  /** By cell, its extent before and after its middle, across the layers. */
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** By layer, the length of its cards and of the straight pieces before them. */
  readonly thick: Float64Array;
  readonly straight: Float64Array;
  /** The length along the layers for turns of wires. */
  readonly turn: number;
  readonly bandOf: Int32Array;
  readonly bands: readonly Band[];
  /** The space at the ends of bands, for wires to the next band. */
  readonly side: number;
  readonly along: number;
  readonly across: number;
}

export interface Placed extends Extents {
  /** By cell, its middle across the layers, from the start of its band. */
  readonly middles: Float64Array;
}

export const LINE = 1.22;
export const LABEL_GAP = 0.3;
/** The space on each side of a wire that passes a layer. */
const LANE = 0.3;
const WIRE = 0.5;
const gapOf = ({ isAcross }: Variant) => (isAcross ? 0.6 : 0.75);

export function extentsOf(cells: Cells, texts: SizedTexts, variant: Variant): Extents {
  const { isAcross, lines } = variant;
  const { shape, layered, starts, items, incoming, isPaired, entering, wires } = cells;
  const labels = texts.labelWidths[lines];
  const [operations, leaves] = [texts.sizes[variant.operation], texts.sizes[variant.leaf]];
  const above = (lines === 3 ? 2 : 1) * LINE + 0.12;
  const below = lines === 1 ? 0 : LINE + 0.12;
  const port = isAcross ? Math.max(0.95, (above + below + 0.45) / 2) : 0.62;
  const before = new Float64Array(items.length);
  const after = new Float64Array(items.length);
  const layers = starts.length - 1;
  const thick = new Float64Array(layers);
  const full = new Float64Array(layers);
  for (let layer = 0; layer < layers; layer++)
    for (let cell = starts[layer]!; cell < starts[layer + 1]!; cell++) {
      const item = items[cell]!;
      if (item >= layered.cards) before[cell] = after[cell] = LANE;
      else {
        const [widths, heights] = shape.nodes[item]!.kind === "operation" ? operations : leaves;
        const half = (isAcross ? heights[item]! : widths[item]!) / 2;
        const [first, second] = incoming[item]!;
        const off = isPaired[item] ? port : 0;
        const reach = (edge: number) => (edge < 0 ? 0 : off + LABEL_GAP + labels[edge]!);
        before[cell] = after[cell] = half;
        if (isAcross && (first >= 0 || second >= 0)) {
          before[cell] = Math.max(half, off + above);
          after[cell] = Math.max(half, off + below);
        } else if (!isAcross) {
          // A single label is on the right of its line.
          if (isPaired[item]) before[cell] = Math.max(half, reach(first));
          after[cell] = Math.max(half, reach(isPaired[item] ? second : first));
        }
        thick[layer] = Math.max(thick[layer]!, isAcross ? widths[item]! : heights[item]!);
      }
      const gap = cell > starts[layer]! ? gapOf(variant) : 0;
      full[layer] = full[layer]! + before[cell]! + after[cell]! + gap;
    }
  const turn = isAcross ? 1.25 : 1.1;
  const straight = new Float64Array(layers);
  for (let layer = 1; layer < layers; layer++) {
    const widest = entering[layer]!.reduce((most, edge) => Math.max(most, labels[edge]!), 0);
    straight[layer] = isAcross ? widest + 0.4 : lines * LINE + 0.6;
    if (entering[layer]!.length === 0) straight[layer] = 0.4;
  }
  const lengths = thick.map((each, layer) => each + (layer > 0 ? turn + straight[layer]! : 0));
  const bandOf = bandsOf(lengths, wires, variant.bands);
  const bands: Band[] = [];
  for (const [layer, band] of bandOf.entries()) {
    const isFirst = band === 0;
    const count = isFirst ? 0 : wires[layer]!;
    const room = isFirst ? 0 : 0.9 + WIRE * count;
    bands[band] ??= { isFirst, wires: count, before: room, length: 0, across: 0 };
    bands[band].length += lengths[layer]!;
    bands[band].across = Math.max(bands[band].across, full[layer]!);
  }
  const side = bands.length > 1 ? 0.6 + WIRE * Math.max(...bands.map((band) => band.wires)) : 0;
  return {
    ...{ variant, labels, above, below, port, before, after, thick, straight, turn },
    ...{ bandOf, bands, side },
    along: Math.max(...bands.map(({ length }) => length)) + 2 * side,
    across: bands.reduce((sum, band) => sum + band.before + band.across, 0),
  };
}

/** Split layers into bands of about the same length, where few wires pass. */
function bandsOf(lengths: Float64Array, wires: readonly number[], count: number): Int32Array {
  const total = lengths.reduce((sum, each) => sum + each, 0);
  const starts: number[] = [];
  for (let band = 1; band < count; band++) {
    let [found, least, at] = [-1, Infinity, 0];
    for (const [layer, length] of lengths.entries()) {
      const off = Math.abs(at - (band * total) / count) + 1.5 * wires[layer]!;
      if (layer > (starts.at(-1) ?? 0) && off < least) [found, least] = [layer, off];
      at += length;
    }
    if (found > 0) starts.push(found);
  }
  return Int32Array.from(lengths, (_, layer) => starts.filter((start) => start <= layer).length);
}

const TURNS = 14;

/** Place each row as near to its neighbours as order and extents allow, until nothing moves. */
export function placed(cells: Cells, extents: Extents): Placed {
  const { starts, linkFirst, linkTo, linkPort, linkWeight, weights } = cells;
  const { before, after, port, bandOf } = extents;
  const middles = new Float64Array(before.length);
  const wanted = new Float64Array(before.length);
  const layers = starts.length - 1;
  const settle = rowSettler(cells, extents, wanted, middles);
  for (let layer = 0; layer < layers; layer++) settle(layer);
  for (let turn = 0; turn < TURNS; turn++) {
    let moved = 0;
    for (let step = 0; step < layers; step++) {
      const layer = turn % 2 === 1 ? layers - 1 - step : step;
      for (let cell = starts[layer]!; cell < starts[layer + 1]!; cell++) {
        let sum = 0;
        for (let link = linkFirst[cell]!; link < linkFirst[cell + 1]!; link++)
          sum += linkWeight[link]! * (middles[linkTo[link]!]! + linkPort[link]! * port);
        wanted[cell] = weights[cell]! > 0 ? sum / weights[cell]! : middles[cell]!;
      }
      moved = Math.max(moved, settle(layer));
    }
    if (moved < 0.002 && turn % 2 === 1) break;
  }
  straightenLanes(cells, extents, middles);
  const lows = extents.bands.map(() => Infinity);
  const highs = extents.bands.map(() => -Infinity);
  const bandOfCell = (cell: number) => bandOf[cells.layerOf[cell]!]!;
  for (const [cell, middle] of middles.entries()) {
    const band = bandOfCell(cell);
    lows[band] = Math.min(lows[band]!, middle - before[cell]!);
    highs[band] = Math.max(highs[band]!, middle + after[cell]!);
  }
  for (const cell of middles.keys()) middles[cell] = middles[cell]! - lows[bandOfCell(cell)]!;
  const bands = extents.bands.map((band, at) => ({ ...band, across: highs[at]! - lows[at]! }));
  const across = bands.reduce((sum, band) => sum + band.before + band.across, 0);
  return { ...extents, middles, bands, across };
}

/**
 * Return a function that places a row: each cell at its wanted place, or cells that would overlap
 * as a pool at the mean of their wanted places (pool adjacent violators, which is exact). It
 * returns the largest move of a cell.
 */
function rowSettler(
  { starts, weights }: Cells,
  { variant, before, after }: Extents,
  wanted: Float64Array,
  middles: Float64Array,
): (layer: number) => number {
  const gap = gapOf(variant);
  const [sums, masses] = [new Float64Array(wanted.length), new Float64Array(wanted.length)];
  const counts = new Int32Array(wanted.length);
  return (layer) => {
    const [first, end] = [starts[layer]!, starts[layer + 1]!];
    const distance = (cell: number) => (cell > first ? after[cell - 1]! + gap + before[cell]! : 0);
    let [pools, at] = [0, 0];
    for (let cell = first; cell < end; cell++) {
      at += distance(cell);
      let mass = weights[cell]! || 0.01;
      let sum = mass * (wanted[cell]! - at);
      let count = 1;
      while (pools > 0 && sums[pools - 1]! / masses[pools - 1]! >= sum / mass) {
        pools--;
        sum += sums[pools]!;
        mass += masses[pools]!;
        count += counts[pools]!;
      }
      [sums[pools], masses[pools], counts[pools]] = [sum, mass, count];
      pools++;
    }
    let [cell, moved] = [first, 0];
    at = 0;
    for (let pool = 0; pool < pools; pool++)
      for (let place = 0; place < counts[pool]!; place++, cell++) {
        at += distance(cell);
        const middle = sums[pool]! / masses[pool]! + at;
        moved = Math.max(moved, Math.abs(middle - middles[cell]!));
        middles[cell] = middle;
      }
    return moved;
  };
}

/** Give a lane the same place in all its layers, if its neighbours allow it. */
function straightenLanes(
  { layered, cellOf, starts }: Cells,
  { variant, before, after }: Extents,
  middles: Float64Array,
): void {
  const gap = gapOf(variant);
  for (const lane of layered.lanes.values()) {
    const [first, last] = [layered.first[lane]!, layered.last[lane]!];
    let [low, high, sum] = [-Infinity, Infinity, 0];
    for (let layer = first; layer <= last; layer++) {
      const cell = cellOf(lane, layer);
      const [above, below] = [cell - 1, cell + 1];
      if (above >= starts[layer]!)
        low = Math.max(low, middles[above]! + after[above]! + gap + before[cell]!);
      if (below < starts[layer + 1]!)
        high = Math.min(high, middles[below]! - before[below]! - gap - after[cell]!);
      sum += middles[cell]!;
    }
    if (low > high) continue;
    const middle = Math.min(high, Math.max(low, sum / (last - first + 1)));
    for (let layer = first; layer <= last; layer++) middles[cellOf(lane, layer)] = middle;
  }
}
