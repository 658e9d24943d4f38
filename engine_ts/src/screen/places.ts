/**
 * Variant + font size -> the places of cards, arrows and labels in pixels.
 *
 * Spare space in the window is given to cards, turns and the distances across; leaves at a row's
 * ends move out towards the corners, so that the picture fills the window.
 */

import type { Cells } from "./cells.ts";
import { pathText, roundedLines } from "./paths.ts";
import type { Path, Piece, Place } from "./paths.ts";
import { LABEL_GAP, LINE } from "./extents.ts";
import type { Placed, SizedTexts, Variant } from "./extents.ts";
import { bestVariant, MARGIN } from "./search.ts";
import type { SearchOptions, Window } from "./search.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface PlacedCard extends Box {
  /** The node's id. */
  readonly id: number;
}

interface PlacedLabel extends Box {
  readonly align: "left" | "center" | "right";
}

/** An arrow, from the card of the operand to that of the operation. */
export interface PlacedArrow {
  /** The edge's id. */
  readonly id: number;
  readonly path: Path;
  /** The path as SVG text. */
  readonly d: string;
  /** Where it enters the operation's card, and where it leaves the operand's card. */
  readonly tip: Place;
  readonly tail: Place;
  /** The largest width of its label, in `em`. */
  readonly room: number;
  readonly label: PlacedLabel;
}

/** A wire's end at the border of a part of a graph, at a card's port or at its other side. */
export interface Stub {
  readonly node: number;
  /** The port, -1, 0 or 1; null if the wire leaves the node. */
  readonly port: number | null;
  /** The edges that it represents. */
  readonly edges: readonly number[];
}

export interface Plan {
  readonly width: number;
  readonly height: number;
  readonly variant: Variant;
  /** The font size in pixels. */
  readonly size: number;
  /** Whether the font size is readable. */
  readonly fits: boolean;
  readonly cards: readonly PlacedCard[];
  readonly arrows: readonly PlacedArrow[];
  readonly stubs: readonly (Stub & { readonly d: string })[];
  readonly count: number;
}

/** The length of an arrow's head, in `em`. */
const HEAD = 0.6;

/** Return the best layout for a window. */
export function placesIn(
  cells: Cells,
  texts: SizedTexts,
  window: Window,
  options: SearchOptions & { readonly stubs?: readonly Stub[] } = {},
): Plan {
  const { plan, size, count } = bestVariant(cells, texts, window, options);
  const frame = spread(plan, cells, texts, size, window);
  return {
    ...{ width: window.width, height: window.height, variant: plan.variant, size, count },
    fits: size >= window.least - 1e-6,
    cards: cells.shape.nodes.map(({ id }) => cardOf(frame, id)),
    arrows: cells.shape.edges.map((edge) => arrowOf(frame, edge)),
    stubs: (options.stubs ?? []).map((stub) => ({ ...stub, d: stubOf(frame, stub) })),
  };
}

/** A plan stretched to the window, in `em`; `at` converts a place to pixels. */
interface Frame {
  readonly plan: Placed;
  readonly cells: Cells;
  readonly texts: SizedTexts;
  readonly size: number;
  /** The window, in `em`, along and across. */
  readonly window: { readonly along: number; readonly across: number };
  /** By layer: the end of its cards, the start of the straight pieces before, the cards' length. */
  readonly ends: Float64Array;
  readonly turns: Float64Array;
  readonly thick: Float64Array;
  /** The maximum extra length of a card, if layers run from top to bottom. */
  readonly grown: number;
  /** By cell, its middle across; by band, its start across. */
  readonly middles: Float64Array;
  readonly tops: readonly number[];
  /** The offset that centres the picture. */
  readonly shift: { readonly along: number; readonly across: number };
  readonly at: (along: number, across: number) => Place;
}

/** The maximum growth of a card, as a share of its length. */
const MAX_GROWN = 0.34;

function spread(
  plan: Placed,
  cells: Cells,
  texts: SizedTexts,
  size: number,
  { width, height }: Window,
): Frame {
  const { bands, bandOf, side, straight, turn, variant } = plan;
  const { isAcross } = variant;
  const layers = cells.rows.length;
  const [along, across] = isAcross ? [width / size, height / size] : [height / size, width / size];
  const perBand = Math.ceil(layers / bands.length);
  const spare = Math.max(0, along - MARGIN - plan.along);
  const grown = isAcross
    ? Math.min((spare * 0.3) / perBand, 2.2)
    : Math.min((spare / layers) * 0.25, 0.9);
  const thick = plan.thick.map((each) => each + Math.min(grown, each * MAX_GROWN));
  const growth = bands.map((_, band) =>
    thick.reduce(
      (sum, each, layer) => sum + (bandOf[layer] === band ? each - plan.thick[layer]! : 0),
      0,
    ),
  );
  const steps = Math.max(1, perBand - (bands.length > 1 ? 0 : 1));
  const more = Math.min(Math.max(0, spare - Math.max(...growth)) / steps, isAcross ? 9 : 5);
  const ends = new Float64Array(layers);
  const turns = new Float64Array(layers);
  let [end, length] = [side, 0];
  for (let layer = 0; layer < layers; layer++) {
    if (layer > 0) {
      if (bandOf[layer] !== bandOf[layer - 1]) end = side;
      turns[layer] = end + turn + more * 0.6;
      end = turns[layer]! + straight[layer]! + more * 0.4;
    }
    end += thick[layer]!;
    ends[layer] = end;
    length = Math.max(length, end + side);
  }
  const free = Math.max(0, across - MARGIN - plan.across);
  const tops: number[] = [];
  let top = 0;
  for (const band of bands) {
    top +=
      band.before +
      (band.isFirst ? Math.min(free / bands.length, 3) * Number(bands.length > 1) : 0);
    tops.push(top);
    top += band.across;
  }
  const most = isAcross ? 2.6 : 2.2;
  const factor =
    bands.length > 1 ? 1 : Math.min(Math.max(1, (across - MARGIN) / plan.across), most);
  const middles = plan.middles.map(
    (middle, cell) => middle * factor + tops[bandOf[cells.layerOf[cell]!]!]!,
  );
  if (bands.length === 1) pushOut(cells, plan, middles, across - MARGIN);
  const [low, high] = reachOf(plan, middles);
  const shift = { along: (along - length) / 2, across: (across - high + low) / 2 - low };
  const at = (a: number, c: number): Place => {
    const [x, y] = [(a + shift.along) * size, (c + shift.across) * size];
    return isAcross ? [x, y] : [y, x];
  };
  const inEm = { along, across };
  return {
    plan,
    cells,
    texts,
    size,
    window: inEm,
    ends,
    turns,
    thick,
    grown,
    middles,
    tops,
    shift,
    at,
  };
}

/** Return the smallest and the largest coordinate, across the layers, of all cells' extents. */
function reachOf({ before, after }: Placed, middles: Float64Array): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const [cell, middle] of middles.entries()) {
    low = Math.min(low, middle - before[cell]!);
    high = Math.max(high, middle + after[cell]!);
  }
  return [low, high];
}

/** A leaf moves by this share of the way to the window's edge, at most `MAX_OUT` `em`. */
const [OUT, MAX_OUT] = [0.75, 8];

function pushOut(
  { layered, starts, items, incoming }: Cells,
  plan: Placed,
  middles: Float64Array,
  across: number,
): void {
  let [low, high] = reachOf(plan, middles);
  const free = Math.max(0, across - (high - low));
  low -= free / 2;
  high += free / 2;
  const isLeaf = (cell: number) =>
    items[cell]! < layered.cards && incoming[items[cell]!]!.every((edge) => edge < 0);
  const way = (left: number) => Math.min(Math.max(0, left) * OUT, MAX_OUT);
  for (let layer = 0; layer < starts.length - 1; layer++) {
    const [first, last] = [starts[layer]!, starts[layer + 1]! - 1];
    if (first === last) continue;
    if (isLeaf(first))
      middles[first] = middles[first]! - way(middles[first]! - plan.before[first]! - low);
    if (isLeaf(last))
      middles[last] = middles[last]! + way(high - middles[last]! - plan.after[last]!);
  }
}

/** Return a card's width and height, grown by its share of the spare space. */
function sizeOf({ plan, cells, texts, grown, thick }: Frame, id: number) {
  const { isAcross, operation, leaf } = plan.variant;
  const isOperation = cells.shape.nodes[id]!.kind === "operation";
  const [widths, heights] = texts.sizes[isOperation ? operation : leaf];
  const [w, h] = [widths[id]!, heights[id]!];
  if (!isAcross) return { w, h: h + Math.min(grown, h * MAX_GROWN) };
  const isShort = !isOperation && leaf === "line"; // a pill is no wider than its text
  return { w: isShort ? w : thick[cells.layered.first[id]!]!, h };
}

function cardOf(frame: Frame, id: number): PlacedCard {
  const { plan, cells, size, ends, middles, at } = frame;
  const layer = cells.layered.first[id]!;
  const middle = middles[cells.cellOf(id, layer)]!;
  const { w, h } = sizeOf(frame, id);
  const [x, y] = plan.variant.isAcross
    ? at(ends[layer]! - w, middle - h / 2)
    : at(ends[layer]! - h, middle - w / 2);
  return { id, x, y, w: w * size, h: h * size };
}

/** Return where arrows enter a card, along the layers. */
function startOf(frame: Frame, id: number): number {
  const { plan, cells, ends, thick } = frame;
  const layer = cells.layered.first[id]!;
  const length = plan.variant.isAcross ? thick[layer]! : sizeOf(frame, id).h;
  return ends[layer]! - length;
}

/** Distance from the end of an arrow's line to its card. */
const AWAY = 0.08;

function arrowOf(frame: Frame, { id, from, to }: Cells["shape"]["edges"][number]): PlacedArrow {
  const { plan, cells, ends, turns, middles, at } = frame;
  const { layered, cellOf } = cells;
  const [source, layer] = [layered.first[from]!, layered.first[to]!];
  const start = startOf(frame, to);
  const target = middles[cellOf(to, layer)]! + layered.ports[id]! * plan.port;
  let [along, across] = [ends[source]!, middles[cellOf(from, source)]!];
  const tail = at(along, across);
  const path: Piece[] = [["M", tail]];
  for (let next = source + 1; next <= layer; next++) {
    const turn = turns[next]!;
    const isLast = next === layer;
    const middle = isLast ? target : middles[cellOf(layered.sources[id]!, next)]!;
    if (plan.bandOf[next] !== plan.bandOf[next - 1]) {
      const own = cellOf(next - 1 === source ? from : layered.sources[id]!, next - 1);
      path.push(...aroundTheEnd(frame, [along, across], own, next, middle));
    } else if (Math.abs(middle - across) < 0.02) path.push(["L", at(turn, middle)]);
    else {
      const half = (along + turn) / 2;
      path.push(["C", at(half, across), at(half, middle), at(turn, middle)]);
    }
    along = isLast ? start - AWAY : ends[next]!;
    across = middle;
    path.push(["L", at(along, across)]);
  }
  const [label, room] = labelOf(frame, { id, to }, start, target);
  return { id, path, d: pathText(path), tip: at(start, target), tail, room, label };
}

/** Route a wire from the end of a band to the start of the next one, on its own track. */
function aroundTheEnd(
  { plan, cells, turns, tops, size, at }: Frame,
  [along, across]: readonly [number, number],
  own: number,
  layer: number,
  middle: number,
): Piece[] {
  const { starts, linkFirst, linkTo, layerOf } = cells;
  const coming = new Set<number>();
  for (let link = linkFirst[starts[layer]!]!; link < linkFirst[starts[layer + 1]!]!; link++)
    if (layerOf[linkTo[link]!]! < layer) coming.add(linkTo[link]!);
  const wires = [...coming].sort((one, other) => plan.middles[one]! - plan.middles[other]!);
  const place = wires.indexOf(own);
  const out = 0.5 + 0.5 * (wires.length - 1 - place);
  const track = tops[plan.bandOf[layer]!]! - 0.45 - 0.5 * place;
  const turn = turns[layer]!;
  const corners = [
    [along, across],
    [along + out, across],
    [along + out, track],
    [turn - 0.9 - out, track],
    [turn - 0.9 - out, middle],
    [turn, middle],
  ] as const;
  return roundedLines(
    corners.map(([a, c]) => at(a, c)),
    size * 0.4,
  );
}

/** Return a label's box and width: all the free space, so that a changing number fits. */
function labelOf(
  frame: Frame,
  { id, to }: { readonly id: number; readonly to: number },
  start: number,
  middle: number,
): [label: PlacedLabel, room: number] {
  const { plan, cells, size, turns, at } = frame;
  const { isAcross, lines } = plan.variant;
  const turn = turns[cells.layered.first[to]!]!;
  const own = plan.labels[id]!;
  if (isAcross) {
    const room = Math.max(own, start - turn - HEAD);
    const [x, y] = at((turn + start - HEAD - room) / 2, middle - plan.above);
    const h = (plan.above + plan.below) * size;
    return [{ x, y, w: room * size, h, align: "center" }, room];
  }
  const isLeft = cells.layered.ports[id]! < 0;
  const room = Math.max(own, own + slackOf(frame, to, isLeft) / 2);
  const edge = isLeft ? middle - LABEL_GAP - room : middle + LABEL_GAP;
  const [x, y] = at(start - lines * LINE - 0.12, edge);
  const align = isLeft ? "right" : "left";
  return [{ x, y, w: room * size, h: lines * LINE * size, align }, room];
}

/** Return the free width between a card and its neighbour, if layers run from top to bottom. */
function slackOf(
  { plan, cells, middles, window, shift }: Frame,
  id: number,
  isLeft: boolean,
): number {
  const layer = cells.layered.first[id]!;
  const cell = cells.cellOf(id, layer);
  const [before, after] = [
    (each: number) => middles[each]! - plan.before[each]!,
    (each: number) => middles[each]! + plan.after[each]!,
  ];
  const other = isLeft ? cell - 1 : cell + 1;
  if (other < cells.starts[layer]! || other >= cells.starts[layer + 1]!) {
    const free = isLeft ? before(cell) + shift.across : window.across - shift.across - after(cell);
    return Math.max(0, 2 * (free - 0.2));
  }
  return Math.max(0, (isLeft ? before(cell) - after(other) : before(other) - after(cell)) - 0.3);
}

function stubOf(frame: Frame, { node, port }: Stub): string {
  const { plan, cells, ends, middles, window, shift, at } = frame;
  const layer = cells.layered.first[node]!;
  const middle = middles[cells.cellOf(node, layer)]! + (port ?? 0) * plan.port;
  const from = port === null ? ends[layer]! : startOf(frame, node) - AWAY;
  const to =
    port === null
      ? Math.min(from + 1, window.along - shift.along)
      : Math.max(from - 1.2, -shift.along);
  return pathText([
    ["M", at(from, middle)],
    ["L", at(to, middle)],
  ]);
}
