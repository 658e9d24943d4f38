/**
 * A graph that is too large to be readable -> the part around each step of a pass, at full size.
 *
 * The parts depend on the document and the window alone, so a pass can be scrubbed. Rows and layers
 * are those of the whole graph, so no two cards swap sides. All parts of a pass share a variant.
 */

import type { GradientDocument } from "../document.ts";
import { layeredGraph } from "../picture/layers.ts";
import type { Edge } from "../template.ts";
import { cellsIn } from "./cells.ts";
import type { Cells } from "./cells.ts";
import { placesIn } from "./places.ts";
import type { Plan, Stub } from "./places.ts";
import type { SizedTexts, Variant } from "./extents.ts";
import { isReadable } from "./search.ts";
import { KINDS, LINES } from "./texts.ts";
import type { CardKind, LabelLines, Texts } from "./texts.ts";

/** A part of a document: its nodes, and its plan with the document's ids. */
export interface Part {
  readonly nodes: ReadonlySet<number>;
  readonly plan: Plan;
}

/** The centre of a part: the ends of an arrow, or one node twice. */
export type Focus = Pick<Edge, "from" | "to">;

/** Smallest font size in a part, in pixels; above the readable minimum, as a reserve. */
const LEAST_IN_PART = 13.4;
/** The maximum number of cards in a part, and of misfits before it counts as full. */
const [MAX_CARDS, MAX_FAILS] = [24, 10];

const PART_VARIANTS: readonly Variant[] = [true, false].flatMap((isAcross) =>
  (
    [
      ["column", "column"],
      ["column", "pair"],
      ["pair", "pair"],
      ["pair", "line"],
      ["line", "line"],
    ] as const
  ).flatMap(([operation, leaf]) =>
    (isAcross ? ([2, 1] as const) : LINES).map((lines) => ({
      ...{ isAcross, operation, leaf, lines, bands: 1 },
    })),
  ),
);
/** The score of a part by the kind of its cards, and of one that runs from top to bottom. */
const SCORE: Partial<Record<CardKind, number>> = { line: 0.8, pair: 0.9 };
const DOWN_SCORE = 0.9;

interface Lens {
  readonly document: GradientDocument;
  readonly cells: Cells;
  readonly texts: Texts;
  readonly width: number;
  readonly height: number;
  readonly most: number;
}

/** A part keeps what it can of the previous one; every `FOLLOWED`-th is made from scratch. */
const FOLLOWED = 16;

/** Return a function that makes, on demand, the part around each of `foci`. */
export function partsOf(lens: Lens, foci: readonly Focus[]): (at: number) => Part {
  const { document, width, height, most } = lens;
  const touching = document.nodes.map((): Edge[] => []);
  for (const edge of document.edges) {
    touching[edge.from]!.push(edge);
    if (edge.to !== edge.from) touching[edge.to]!.push(edge);
  }
  const cut = cutter(lens, touching);
  const window = { width, height, least: LEAST_IN_PART, most };
  const grow = (focus: Focus, before: Part | undefined, variant: Variant) =>
    grown(touching, focus, before?.nodes, (nodes) => {
      const { cells, texts } = cut(nodes);
      return isReadable(cells, texts, window, variant);
    });
  const chosen = (focus: Focus) => {
    let [found, best]: [Variant, number] = [PART_VARIANTS.at(-1)!, 0];
    const ends = cut(new Set([focus.to, focus.from]));
    for (const variant of PART_VARIANTS) {
      if (!isReadable(ends.cells, ends.texts, window, variant)) continue;
      const factor = (SCORE[variant.operation] ?? 1) * (variant.isAcross ? 1 : DOWN_SCORE);
      const score = grow(focus, undefined, variant).size * factor;
      if (score > best) [found, best] = [variant, score];
    }
    return found;
  };
  const parts = new Map<number, Part>();
  let variant: Variant | null = null;
  const make = (focus: Focus, before: Part | undefined): Part => {
    if (before?.nodes.has(focus.to) && before.nodes.has(focus.from)) return before;
    variant ??= chosen(foci[0]!);
    const nodes = grow(focus, before, variant);
    return { nodes, plan: planOf(cut(nodes), { ...window, least: 12 }, variant) };
  };
  return (at) => {
    const last = Math.min(at, foci.length - 1);
    for (let next = last - (last % FOLLOWED); next <= last; next++)
      if (!parts.has(next))
        parts.set(next, make(foci[next]!, next % FOLLOWED > 0 ? parts.get(next - 1) : undefined));
    return parts.get(last)!;
  };
}

type Cut = ReturnType<ReturnType<typeof cutter>>;

function planOf(part: Cut, window: Parameters<typeof isReadable>[2], variant: Variant): Plan {
  const { cells, texts, stubs, ids } = part;
  let plan = placesIn(cells, texts, window, { variants: [variant], stubs });
  if (!plan.fits) plan = placesIn(cells, texts, window, { stubs });
  return {
    ...plan,
    cards: plan.cards.map((card) => ({ ...card, id: ids[card.id]! })),
    arrows: plan.arrows.map((arrow) => ({ ...arrow, id: part.edges[arrow.id]! })),
    stubs: plan.stubs.map((stub) => ({ ...stub, node: ids[stub.node]! })),
  };
}

/** Return the step's nodes and their neighbours, ring by ring, those of `before` first. */
function grown(
  touching: readonly (readonly Edge[])[],
  { from, to }: Focus,
  before: ReadonlySet<number> | undefined,
  fits: (nodes: ReadonlySet<number>) => boolean,
): Set<number> {
  const kept = new Set([to, from]);
  let fails = 0;
  const take = (node: number) => {
    if (kept.has(node) || kept.size >= MAX_CARDS || fails >= MAX_FAILS) return false;
    kept.add(node);
    if (fits(kept)) return true;
    kept.delete(node);
    fails++;
    return false;
  };
  for (const edge of touching[to]!) if (edge.to === to) take(edge.from);
  let ring = [...kept];
  while (ring.length > 0 && fails < MAX_FAILS) {
    const around = ring.flatMap((node) =>
      touching[node]!.map((edge) => (edge.from === node ? edge.to : edge.from)),
    );
    const isKnown = (node: number) => before?.has(node) === true;
    const known = around.filter(isKnown);
    ring = [...known, ...around.filter((node) => !isKnown(node))].filter(take);
  }
  return kept;
}

/** Return a function that cuts parts out of a document and caches them. */
function cutter({ document, cells: whole, texts }: Lens, touching: readonly (readonly Edge[])[]) {
  const known = new Map<string, ReturnType<typeof make>>();
  const make = (nodes: readonly number[]) => {
    const at = new Map(nodes.map((id, place) => [id, place]));
    const { layered } = whole;
    const all = nodes.flatMap((node) => touching[node]!);
    const near = [...new Set(all)].sort((one, other) => one.id - other.id);
    const kept = near.filter(({ from, to }) => at.has(from) && at.has(to));
    const shape = {
      ...document,
      nodes: nodes.map((id, place) => ({ ...document.nodes[id]!, id: place })),
      edges: kept.map((edge, id) => ({
        ...edge,
        id,
        from: at.get(edge.from)!,
        to: at.get(edge.to)!,
      })),
      root: at.get(document.root) ?? -1,
    };
    const edges = kept.map(({ id }) => id);
    const layers = [...new Set(nodes.map((id) => layered.first[id]!))].sort((a, b) => a - b);
    const places = nodes.map((id) => layers.indexOf(layered.first[id]!));
    const ports = edges.map((id) => layered.ports[id]!);
    const part = { ...layeredGraph(shape, places), ports };
    const owners = new Map([...part.lanes].map(([node, lane]) => [lane, nodes[node]!]));
    const rows = layers.map((): [place: number, item: number][] => []);
    for (const [item, first] of part.first.entries())
      for (let layer = first; layer <= part.last[item]!; layer++) {
        const owner = owners.get(item);
        const source = owner === undefined ? nodes[item]! : layered.lanes.get(owner)!;
        rows[layer]!.push([whole.cellOf(source, layers[layer]!), item]);
      }
    const sorted = rows.map((row) =>
      row.sort(([one], [other]) => one - other).map(([, item]) => item),
    );
    return {
      ...{ ids: nodes, edges },
      cells: cellsIn(shape, part, sorted),
      texts: partTexts(texts, nodes, edges),
      stubs: stubsOf(near, layered.ports, at),
    };
  };
  return (nodes: ReadonlySet<number>) => {
    const sorted = [...nodes].sort((one, other) => one - other);
    const key = sorted.join();
    const found = known.get(key) ?? make(sorted);
    known.set(key, found);
    return found;
  };
}

/** Return the text sizes of a part, picked on demand from those of the whole. */
function partTexts(texts: Texts, nodes: readonly number[], edges: readonly number[]): SizedTexts {
  const sizes = {} as Record<CardKind, readonly [Float64Array, Float64Array]>;
  const labelWidths = {} as Record<LabelLines, Float64Array>;
  const define = <Key extends string | number>(of: object, key: Key, make: () => unknown) => {
    let made: unknown;
    Object.defineProperty(of, key, { get: () => (made ??= make()) });
  };
  const pick = (all: Float64Array, ids: readonly number[]) =>
    Float64Array.from(ids, (id) => all[id]!);
  for (const kind of KINDS)
    define(sizes, kind, () => texts.sizes[kind].map((each) => pick(each, nodes)));
  for (const lines of LINES)
    define(labelWidths, lines, () => pick(texts.labelWidths[lines], edges));
  return { sizes, labelWidths };
}

/** Return the wires' ends at a part's border: one per port, and one per value used outside. */
function stubsOf(
  edges: readonly Edge[],
  ports: readonly number[],
  at: ReadonlyMap<number, number>,
): Stub[] {
  const found: Stub[] = [];
  const leaving = new Map<number, number[]>();
  for (const { id, from, to } of edges) {
    const [source, target] = [at.get(from), at.get(to)];
    if (target !== undefined && source === undefined)
      found.push({ node: target, port: ports[id]!, edges: [id] });
    if (source !== undefined && target === undefined)
      leaving.set(source, [...(leaving.get(source) ?? []), id]);
  }
  for (const [node, edgesOut] of leaving) found.push({ node, port: null, edges: edgesOut });
  return found;
}
