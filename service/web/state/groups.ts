/** Document -> the cards that are drawn: a statement of two or more operations is one, until it is opened. */

import { computed, signal } from "@preact/signals";
import type { Document } from "../../../engine_ts/src/document.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { shown, structure } from "./program.ts";
import { tab } from "./view.ts";
import { way } from "./way.ts";

/** Up to so many nodes every operation and every variable is a card of its own, as in the first lessons. */
const FEW = 8;

/** A leaf inside the card of its only consumer. */
export interface Chip {
  readonly node: number;
  readonly edge: Edge;
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
  readonly edge: Edge;
  readonly from: number;
  readonly to: number;
  /** The chip beside which it lands: both are factors of one product. */
  readonly row: number | null;
}

export interface Groups {
  /** In the order of the forward pass. */
  readonly cards: readonly Card[];
  readonly wires: readonly Wire[];
  /** Node -> its card. */
  readonly cardOf: readonly number[];
}

/** The roots of the groups that are open. */
export const opened = signal<ReadonlySet<number>>(new Set());

export function toggleGroup(root: number): void {
  const open = new Set(opened.value);
  if (!open.delete(root)) open.add(root);
  opened.value = open;
}

/** A wrong order and the sort work on operations and leaves, so they show each. */
const isWhole = computed(() => tab.value === "break" || way.value === "sort");
/** The code does so with each operation. */
const isCode = computed(() => tab.value === "code");

export const groups = computed(() => {
  void structure.value;
  return groupsOf(shown.value.document, opened.value, isWhole.value, isCode.value);
});

function groupsOf(
  document: Document,
  open: ReadonlySet<number>,
  whole: boolean,
  isCode: boolean,
): Groups {
  const { nodes, edges } = document;
  const isApart = whole || nodes.length <= FEW;
  const statements = isApart || isCode ? [] : statementsOf(document);
  const cardOf = nodes.map(({ id }) => id);
  const frames = new Map<number, number>();
  const members = new Map<number, readonly number[]>();
  for (const statement of statements) {
    const root = statement.at(-1)!;
    if (!isGroup(document, statement) || statements.length === 1) continue;
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
}

function sameCard(uses: readonly Edge[], card: number, cardOf: readonly number[]): boolean {
  return uses.every(({ to }) => cardOf[to] === card);
}

function bySlot({ edge: one }: Chip, { edge: other }: Chip): number {
  return one.to - other.to || one.slot - other.slot;
}

/** The operations of each statement, in the order of the forward pass. */
function statementsOf({ expression, nodes }: Document): number[][] {
  const ends = [...(expression ?? "").matchAll(/[;\n]/g)].map(({ index }) => index);
  const place = (start: number) => ends.filter((end) => end < start).length;
  const operations = nodes.filter(({ kind }) => kind === "operation");
  const found = Map.groupBy(operations, ({ span }) => place(span?.start ?? 0));
  return [...found.values()].map((statement) => statement.map(({ id }) => id));
}

/** Whether it has two operations; what a derived one is built of counts as one. */
function isGroup({ nodes }: Document, statement: readonly number[]): boolean {
  const spans = statement.map((id) => nodes[id]!.span);
  return new Set(spans.map((span) => `${span?.start} ${span?.end}`)).size > 1;
}
