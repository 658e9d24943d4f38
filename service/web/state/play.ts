/** The pass: its ticks, its progress, and the gradient that each card shows so far. */

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import type { Edge, Node } from "../../../engine_ts/src/template.ts";
import { clamp } from "./helpers.ts";
import { editable, expression, fault, shown, shownText, structure } from "./program.ts";
import { everyFrame, pass, reducedMotion, stopFrames, tab } from "./view.ts";
import type { Pass } from "./view.ts";

/** An action of the sort: a call, a call for a visited node, the end of a call, the reversal. */
export type SortAction = "enter" | "skip" | "append" | "reverse";

/** A tick of the timeline: a contribution backward, an operation forward, an action of the sort. */
export interface Tick {
  /** The node that receives a gradient, data or a call. */
  readonly node: number;
  /** The edge that the contribution or the call takes; null in the forward pass. */
  readonly edge: Edge | null;
  /** Only in the sort. */
  readonly action?: SortAction;
}

/** The ticks of the sort; empty until the module that computes them is loaded. */
export const sortTicks = signal<readonly Tick[]>([]);
/** Whether the sort calls the right operand first; the engine calls the left one first. */
export const rightFirst = signal(false);

/** An edge of another walk: its numbers belong to this visit, not to the document. */
export interface WalkEdge extends Edge {
  readonly defect: Defect | null;
}

/** Why a contribution is wrong. */
export interface Defect {
  readonly kind: "late" | "lost";
  /** Text after the contribution, including the separator. */
  readonly word: string;
  /** The first tick at which it shows, counted from 1. */
  readonly since: number;
}

/** A walk that is played instead of the correct one. */
interface StagedWalk {
  /** The document that was walked; other values need another walk. */
  readonly document: GradientDocument;
  readonly edges: readonly WalkEdge[];
  /** The label of the button that plays it. */
  readonly label: string;
  /** Return the sentence of a tick, counted from 0; null for the usual sentence. */
  readonly describe: (tick: number) => string | null;
}

/** What a card shows in addition to its numbers. */
export interface CardNote {
  /** Its place in the order of visits, from 1. */
  readonly visit: number | null;
  /** The error of its gradient at the end; empty if the gradient is correct. */
  readonly word: string;
}

export const stagedWalk = signal<StagedWalk | null>(null);
/** The notes by node; null without a mistake. */
export const cardNotes = signal<readonly CardNote[] | null>(null);

/** The share of a beat in which the number moves; the rest is for reading. */
const TRAVEL_SHARE = 0.75;
/** With more arrows, those that do not depend on each other are one beat: a wave front. */
const MAX_SINGLE = 20;
/** Milliseconds: a pass, the shortest and longest beat, and a long pass's longest first beat. */
const [WHOLE, LEAST, MOST, MAX_FIRST] = [12_000, 1_200, 1_500, 3_000];

/** The number of ticks that have begun; 0 is the seed. */
export const step = signal(0);
/** The number of ticks that had begun before the latest ones, which began together. */
const frontStart = signal(0);
/** The pulse's progress on the latest arrows; 1 is arrived. */
export const progress = signal(1);
export const playing = signal(false);
/** Whether the backward pass has begun; before, arrows point forward and cards show no grad. */
export const seeded = signal(false);
/** Whether the pass is over and the sentence summarises its results. */
export const isOver = signal(false);
/** Whether all gradients are shown, wherever the pulse is. */
export const revealed = signal(false);

/** Milliseconds of the first tick: the time to read its sentence. */
export const readingTime = signal(0);

/** The walk shown instead of the correct one; null if there is none for this document. */
export const otherWalk = computed(() =>
  stagedWalk.value?.document === shown.value.document ? stagedWalk.value : null,
);

export const ticks = computed((): readonly Tick[] => {
  const { nodes, edges, backward_order } = shown.value.document;
  if (pass.value === "sort") return sortTicks.value;
  if (pass.value === "forward") {
    const operations = nodes.filter(({ kind }) => kind === "operation");
    return operations.map(({ id }) => ({ node: id, edge: null }));
  }
  const into = Map.groupBy(edges, ({ to }) => to);
  const met = otherWalk.value?.edges ?? backward_order.flatMap((node) => into.get(node) ?? []);
  const flows = met.filter((edge) => carriesGradient(edge, nodes));
  return flows.map((edge) => ({ node: edge.from, edge }));
});

/**
 * Return whether an edge carries a gradient. None flows into a constant, which cannot be changed,
 * nor into a node that depends on constants alone and whose gradient is not finite.
 */
export function carriesGradient({ from }: Edge, nodes: readonly Node[]): boolean {
  return nodes[from]!.kind !== "constant" && nodes[from]!.grad !== null;
}

/** Ticks that are played at once, and their duration. */
interface Beat {
  /** The number of ticks that have begun once it begins. */
  readonly end: number;
  readonly duration: number;
}

const isLong = computed(() => ticks.value.length > MAX_SINGLE);

/** The schedule of a pass: time to read the first arrow; in a long pass a beat per wave front. */
export const beats = computed((): readonly Beat[] => {
  const ends = isLong.value ? frontEnds() : ticks.value.map((_, at) => at + 1);
  const first = Math.min(Math.max(readingTime.value, LEAST), isLong.value ? MAX_FIRST : Infinity);
  const share = (WHOLE - first) / Math.max(1, ends.length - 1);
  const other = clamp(share, isLong.value ? 0 : LEAST, MOST);
  return ends.map((end, at) => ({ end, duration: at === 0 ? first : other }));
});

/** Return the ends of the wave fronts: runs of ticks that do not depend on each other. */
function frontEnds(): number[] {
  const all = ticks.value;
  const { nodes, edges } = shown.value.document;
  const inputs = Map.groupBy(edges, ({ to }) => to);
  const reached = new Set<number>();
  const waits = ({ node, edge }: Tick) =>
    edge === null
      ? (inputs.get(node) ?? []).some(({ from }) => reached.has(from))
      : reached.has(edge.to);
  const isSingle = pass.value === "sort" || otherWalk.value !== null;
  const ends: number[] = [];
  for (const [at, tick] of all.entries()) {
    if (at > 0 && (isSingle || waits(tick))) {
      ends.push(at);
      reached.clear();
    }
    // A contribution to a leaf ends there.
    if (nodes[tick.node]!.kind === "operation") reached.add(tick.node);
  }
  return [...ends, all.length];
}

/** Whether wave fronts are played: too many arrows to read at once, so only a pause shows them. */
export const playsFronts = computed(() => playing.value && isLong.value);

/** The number of ticks that have arrived, without those in progress. */
export const arrived = computed(() =>
  Math.min(progress.value < 1 ? frontStart.value : step.value, ticks.value.length),
);

/** The latest ticks: one, or a wave front if it was played. */
export const lastTicks = computed(() => ticks.value.slice(frontStart.value, step.value));
/** Their edges; `currentNodes` are their receivers. */
export const currentFlows = computed(
  () => new Set(lastTicks.value.flatMap(({ edge }) => edge ?? [])),
);
export const currentNodes = computed(() => new Set(lastTicks.value.map(({ node }) => node)));

export const atEnd = computed(() => arrived.value >= ticks.value.length);

/** The tick in progress or last arrived; in a wave front, its last one. */
export const current = computed(() =>
  step.value > 0 ? (ticks.value[step.value - 1] ?? null) : null,
);

/** Edge id -> place in the pass; edges without a contribution are missing. */
export const tickOfEdge = computed(() => {
  const places = ticks.value.flatMap(({ edge }, at) => (edge ? [[edge.id, at + 1] as const] : []));
  return new Map(places.reverse()); // keeps the first place of an edge that is walked twice
});

/** Go to a place on the timeline; between two ticks the number is moving. */
export function goTo(place: number): void {
  batch(() => {
    seeded.value = true;
    isOver.value = place > ticks.value.length;
    step.value = clamp(Math.ceil(place), 0, ticks.value.length);
    frontStart.value = Math.max(0, step.value - 1);
    const share = 1 - (step.value - place);
    progress.value = share < 1 && !reducedMotion.matches ? Math.max(share, 0.001) : 1;
    playing.value = false;
  });
}

export function selectPass(to: Pass): void {
  batch(() => {
    pass.value = to;
    if (to === "sort") tab.value = "code";
    goTo(0);
  });
}

export function stepBack(): void {
  goTo(step.value - 1);
}

/** Go to the next tick, or to the end of the one in progress. */
export function stepOn(): void {
  goTo(progress.value < 1 ? step.value : step.value + 1);
}

/** Milliseconds spent in the current beat; infinite before the first one. */
let spent = Infinity;

/** Play from here; from the end, play again from the start. */
export function play(): void {
  if (fault.value !== null) return;
  batch(() => {
    seeded.value = true;
    if (atEnd.value) frontStart.value = step.value = 0;
    isOver.value = false;
    progress.value = 1;
    playing.value = true;
  });
  spent = Infinity;
}

export function pause(): void {
  batch(() => {
    playing.value = false;
    progress.value = 1;
  });
}

/** Advance by `elapsed` milliseconds, which may be several beats. */
function advance(elapsed: number): void {
  const durationOf = (at: number) => beats.value.find(({ end }) => end >= at)?.duration ?? 0;
  batch(() => {
    spent += elapsed;
    while (playing.value && spent >= durationOf(step.value)) {
      spent = spent === Infinity ? 0 : spent - durationOf(step.value);
      const next = beats.value.find(({ end }) => end > step.value);
      if (next === undefined) [playing.value, isOver.value, progress.value] = [false, true, 1];
      else [frontStart.value, step.value] = [step.value, next.end];
    }
    if (!playing.value) return;
    const share = spent / durationOf(step.value) / TRAVEL_SHARE;
    progress.value = reducedMotion.matches ? 1 : clamp(share, 0.001, 1);
  });
}

effect(() => {
  if (!playing.value) return;
  everyFrame("pass", (elapsed) => {
    advance(elapsed);
    return playing.peek();
  });
  return () => stopFrames("pass");
});

// A new graph has a new pass, which starts at its beginning.
let previousText = expression.peek();
effect(() => {
  const text = structure.value && shownText.value;
  if (text === previousText) return;
  previousText = text;
  goTo(0);
  seeded.value = false;
});

/** The gradient of a card so far. */
interface PartialGrad {
  /** The sum so far; null before the first contribution. */
  readonly grad: number | null;
  readonly arrived: number;
  readonly expected: number;
}

/** Whether every gradient is shown at once, as in training. */
export const showsAllGrads = computed(() => revealed.value || tab.value === "train");

/** Node id -> the gradient that has reached it. */
export const partialGrads = computed((): readonly PartialGrad[] => {
  const { nodes, root } = shown.value.document;
  const found = nodes.map((): PartialGrad => ({ grad: null, arrived: 0, expected: 0 }));
  const isBackward = pass.value === "backward";
  const until = isBackward ? arrived.value : 0;
  for (const [at, { edge }] of ticks.value.entries()) {
    if (edge === null || !isBackward) continue;
    const here = at < until;
    const [sender, before] = [found[edge.to]!, found[edge.from]!];
    // In a wrong order a node may send before its first contribution arrives.
    if (at < step.value && sender.grad === null)
      found[edge.to] = { ...sender, grad: edge.incoming_grad };
    found[edge.from] = {
      grad: here ? edge.running_grad : before.grad,
      arrived: before.arrived + Number(here),
      expected: before.expected + 1,
    };
  }
  if ((isBackward && seeded.value) || showsAllGrads.value)
    found[root] = { grad: nodes[root]!.grad, arrived: 1, expected: 1 };
  if (!showsAllGrads.value || otherWalk.value !== null) return found;
  return found.map(({ expected }, id) => ({ grad: nodes[id]!.grad, arrived: expected, expected }));
});

const NOTHING_YET: PartialGrad = { grad: null, arrived: 0, expected: 1 };

/** Return the gradient that has reached a variable; none while the program has no result. */
export function partialGradOf(id: number): PartialGrad {
  return editable.value === shown.value ? partialGrads.value[id]! : NOTHING_YET;
}

/** Node id -> whether its data is known; only the forward pass computes it again. */
export const isDataKnown = computed((): readonly boolean[] => {
  const { nodes } = shown.value.document;
  if (pass.value !== "forward") return nodes.map(() => true);
  const done = new Set(ticks.value.slice(0, arrived.value).map(({ node }) => node));
  return nodes.map(({ id, operation }) => operation === null || done.has(id));
});

/** The current edges; in another walk, each as it was last walked. */
export const currentEdges = computed((): readonly Edge[] => {
  const { edges } = shown.value.document;
  if (otherWalk.value === null) return edges;
  const now = [...edges];
  for (const [at, { edge }] of ticks.value.entries()) {
    if (edge && (at < step.value || now[edge.id] === edges[edge.id])) now[edge.id] = edge;
  }
  return now;
});

/** A node's state in the depth-first sort: on the call stack, in topo, or neither. */
interface SortMark {
  readonly at: "unseen" | "stack" | "topo";
  /** Its place in topo, from 1. */
  readonly place: number | null;
}

/** The marks by node, at this step; null in another pass. */
export const sortMarks = computed((): readonly SortMark[] | null => {
  if (pass.value !== "sort") return null;
  const found = shown.value.document.nodes.map((): SortMark => ({ at: "unseen", place: null }));
  let place = 0;
  for (const { node, action } of sortTicks.value.slice(0, arrived.value)) {
    if (action === "enter") found[node] = { at: "stack", place: null };
    else if (action === "append") found[node] = { at: "topo", place: ++place };
  }
  return found;
});

/** The node chosen by the user; null while the part follows the pass. */
export const chosenNode = signal<number | null>(null);

/** The nodes at both ends of the latest arrows; empty before the pass. */
export const activeNodes = computed((): ReadonlySet<number> => {
  const ticks = seeded.value ? lastTicks.value : [];
  return new Set(ticks.flatMap(({ edge, node }) => [edge?.to ?? node, node]));
});

/** The nodes at the ends of a step. */
interface Ends {
  readonly from: number;
  readonly to: number;
}

/** The ends of this step; or the chosen node, if any; or at first the result. */
export const focus = computed((): Ends => {
  const { root } = shown.value.document;
  if (chosenNode.value !== null) return { from: chosenNode.value, to: chosenNode.value };
  const tick = current.value;
  return { from: tick?.node ?? root, to: tick?.edge?.to ?? tick?.node ?? root };
});

// At the next step, the part follows the pass again; a new graph starts at its result.
effect(() => {
  void [step.value, pass.value, structure.value];
  untracked(() => (chosenNode.value = null));
});
