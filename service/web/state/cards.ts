/** The graph without its numbers -> the cards that are drawn, and what arrives at them together. */

import { computed, signal } from "@preact/signals";
import type { Edge, Node } from "../../../engine_ts/src/template.ts";
import { shownText, structure } from "./program.ts";
import { pass, tab } from "./view.ts";

/** Up to so many nodes every operation and every variable is a card of its own, as in the first lessons. */
const FEW = 8;

/** An edge without its numbers, which change while this does not. */
export type EdgeEnds = Pick<Edge, "id" | "from" | "to" | "slot">;

/** A leaf inside the card of its only consumer. */
export interface Chip {
  readonly node: number;
  readonly edge: EdgeEnds;
}

export interface Card {
  /** The node whose data and gradient it shows. */
  readonly id: number;
  /** The operations in it; of a leaf, the leaf. */
  readonly members: readonly number[];
  readonly chips: readonly Chip[];
  /** The root of the opened group that it stands in. */
  readonly frame: number | null;
}

/** An edge between two cards. */
export interface Wire {
  readonly edge: EdgeEnds;
  readonly from: number;
  readonly to: number;
  /** The chip beside which it lands: both are factors of one product. */
  readonly row: number | null;
}

interface CardGraph {
  /** In the order of the forward pass. */
  readonly cards: readonly Card[];
  readonly wires: readonly Wire[];
  /** Node -> its card. */
  readonly cardOf: readonly number[];
}

/** The roots of the groups that are open. */
export const openGroups = signal<ReadonlySet<number>>(new Set());

export function toggleGroup(root: number): void {
  const open = new Set(openGroups.value);
  if (!open.delete(root)) open.add(root);
  openGroups.value = open;
}

/** A wrong order and the sort work on operations and leaves, so they show each. */
const isWhole = computed(() => tab.value === "break" || pass.value === "sort");
/** The code is shown with each operation. */
const isCode = computed(() => tab.value === "code");

/** What depends on the text, and on what is opened: no number is read here. */
export const cardGraph = computed((): CardGraph => {
  const { template } = structure.value;
  const nodes = template.nodes.map(({ row }) => row);
  const edges = template.edges.map(({ row }) => row);
  const open = openGroups.value;
  const isApart = isWhole.value || nodes.length <= FEW;
  const statements = isApart || isCode.value ? [] : statementsOf(shownText.value, nodes);
  const cardOf = nodes.map(({ id }) => id);
  const frames = new Map<number, number>();
  const members = new Map<number, readonly number[]>();
  for (const statement of statements) {
    const root = statement.at(-1)!;
    if (!isGroup(nodes, statement) || statements.length === 1) continue;
    for (const id of statement) {
      if (open.has(root)) frames.set(id, root);
      else cardOf[id] = root;
    }
    if (!open.has(root)) members.set(root, statement);
  }
  const uses = Map.groupBy(edges, ({ from }) => from);
  const chips = new Map<number, Chip[]>();
  for (const { id, kind } of nodes) {
    const [edge, ...more] = uses.get(id) ?? [];
    if (kind === "operation" || edge === undefined) continue;
    const isConstant = kind === "constant";
    if (!isConstant && isApart) continue;
    if (more.length > 0 && !(isConstant && sameCard(more, cardOf[edge.to]!, cardOf))) continue;
    cardOf[id] = cardOf[edge.to]!;
    // The formula of a closed group has its constants.
    if (isConstant && members.has(cardOf[id])) continue;
    const found = chips.get(cardOf[id]) ?? [];
    chips.set(cardOf[id], [...found, { node: id, edge }].sort(bySlot));
  }
  const cards = nodes
    .filter(({ id }) => cardOf[id] === id)
    .map(({ id }) => ({
      id,
      members: members.get(id) ?? [id],
      chips: chips.get(id) ?? [],
      frame: frames.get(id) ?? null,
    }));
  const wires = edges
    .filter(({ from, to }) => cardOf[from] !== cardOf[to])
    .map((edge) => {
      const [from, to] = [cardOf[edge.from]!, cardOf[edge.to]!];
      const row = members.has(to)
        ? (chips.get(to) ?? []).findIndex((chip) => chip.edge.to === edge.to)
        : -1;
      return { edge, from, to, row: row < 0 ? null : row };
    })
    .sort((one, other) => one.to - other.to || one.edge.id - other.edge.id);
  return { cards, wires, cardOf };
});

function sameCard(uses: readonly EdgeEnds[], card: number, cardOf: readonly number[]): boolean {
  return uses.every(({ to }) => cardOf[to] === card);
}

function bySlot({ edge: one }: Chip, { edge: other }: Chip): number {
  return one.to - other.to || one.slot - other.slot;
}

/** The operations of each statement, in the order of the forward pass. */
function statementsOf(text: string, nodes: readonly Node[]): number[][] {
  const ends = [...text.matchAll(/[;\n]/g)].map(({ index }) => index);
  const place = (start: number) => ends.filter((end) => end < start).length;
  const operations = nodes.filter(({ kind }) => kind === "operation");
  const found = Map.groupBy(operations, ({ span }) => place(span?.start ?? 0));
  return [...found.values()].map((statement) => statement.map(({ id }) => id));
}

/** Whether it has two operations; what a derived one is built of counts as one. */
function isGroup(nodes: readonly Node[], statement: readonly number[]): boolean {
  const spans = statement.map((id) => nodes[id]!.span);
  return new Set(spans.map((span) => `${span?.start} ${span?.end}`)).size > 1;
}

/** What arrives together: one contribution, or what a closed group has sent up to its next wire. */
interface Arrival {
  /** The contribution that is told. */
  readonly edge: Edge;
  /** All that arrives, in the order of the engine. */
  readonly edges: readonly Edge[];
  /** What each of them makes of its node's gradient; null for a sum that the engine never had. */
  readonly sums: readonly (number | null)[];
}

/** A tick of the sort: a call, a call of a visited node, the end of a call, the reversed list. */
export type SortAction = "enter" | "skip" | "append" | "reverse";

/**
 * One tick of the timeline: backward one contribution, forward one operation, of the sort an action; a
 * closed group is one operation, and sends what it has for its own leaves with its last wire.
 */
export interface Tick extends Partial<Omit<Arrival, "edge">> {
  /** The node that something arrives at. */
  readonly node: number;
  /** What sends it, or calls it; not forward. */
  readonly edge: Edge | null;
  /** Only of the sort. */
  readonly action?: SortAction;
}

/** Group what flows by card: groups in the order of their roots, which is a valid order. */
export function arrivalsOf(
  flows: readonly Edge[],
  backward_order: readonly number[],
  { cardOf, cards }: CardGraph,
): Arrival[] {
  const closed = new Set(cards.filter(({ members }) => members.length > 1).map(({ id }) => id));
  if (closed.size === 0)
    return flows.map((edge) => ({ edge, edges: [edge], sums: [edge.running_grad] }));
  const sent = Map.groupBy(flows, ({ to }) => cardOf[to]!);
  const parts: Edge[][] = [];
  for (const card of backward_order) {
    const edges = sent.get(card) ?? [];
    let part: Edge[] = [];
    const first = parts.length;
    for (const edge of edges) {
      part.push(edge);
      if (closed.has(card) && cardOf[edge.from] === card) continue;
      parts.push(part);
      part = [];
    }
    // What only concerns the group's own leaves comes with its last wire.
    if (part.length > 0 && parts.length > first) parts.at(-1)!.push(...part);
    else if (part.length > 0) parts.push(part);
  }
  return withSums(parts, flows, cardOf);
}

function withSums(
  parts: readonly Edge[][],
  flows: readonly Edge[],
  cardOf: readonly number[],
): Arrival[] {
  const due = Map.groupBy(flows, ({ from }) => from);
  const come = new Map<number, Set<Edge>>();
  return parts.map((edges) => {
    const sums = edges.map((edge) => {
      const found = (come.get(edge.from) ?? new Set()).add(edge);
      come.set(edge.from, found);
      const before = due.get(edge.from)!.slice(0, found.size);
      return before.every((each) => found.has(each)) ? before.at(-1)!.running_grad : null;
    });
    const edge = edges.findLast(({ from, to }) => cardOf[from] !== cardOf[to]) ?? edges.at(-1)!;
    return { edge, edges, sums };
  });
}
