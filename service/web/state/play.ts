/** The pulse: which way it goes, how far it has come, and what it has revealed. */

import { batch, computed, effect, signal } from "@preact/signals";
import type { Edge, Node } from "../../../engine_ts/src/template.ts";
import { beatsOf } from "./beats.ts";
import type { Tick } from "./beats.ts";
import { groups } from "./groups.ts";
import { clamp } from "./number.ts";
import { expression, fault, shown, structure } from "./program.ts";
import { beats } from "./sorted.ts";
import { staged } from "./staged.ts";
import { reducedMotion, tab } from "./view.ts";
import { way } from "./way.ts";
import type { Way } from "./way.ts";

export { way, WAYS } from "./way.ts";
export type { Way } from "./way.ts";

/** The share of a tick in which the pulse is on its way; the rest is for reading. */
const ON_ITS_WAY = 0.45;

/** How many ticks have begun; 0 is the seed. */
export const step = signal(0);
/** How far the pulse is on the arrow of the current tick; 1 is arrived. */
export const progress = signal(1);
export const playing = signal(false);
export const speed = signal(1);
/** Whether the backward pass has begun: before, arrows show how the data came, and nothing has a grad. */
export const seeded = signal(false);
/** Whether the wave has come to its end, and what it has found is told. */
export const isOver = signal(false);
/** Whether all gradients are shown, wherever the pulse is. */
export const revealed = signal(false);

/** Milliseconds that a tick takes: as long as its sentence is read. */
export const beat = signal(1_400);

/** Milliseconds since the pulse has arrived. */
let waited = 0;

/** The walk that is shown in place of the right one; null where none of this very document is. */
export const otherWalk = computed(() =>
  staged.value?.document === shown.value.document ? staged.value : null,
);

export const ticks = computed((): readonly Tick[] => {
  const { nodes, edges, backward_order } = shown.value.document;
  if (way.value === "sort") return beats.value;
  if (way.value === "forward") {
    const { cardOf } = groups.value;
    const operations = nodes.filter(({ id, kind }) => kind === "operation" && cardOf[id] === id);
    return operations.map(({ id }) => ({ node: id, edge: null }));
  }
  const into = Map.groupBy(edges, ({ to }) => to);
  const met = otherWalk.value?.edges ?? backward_order.flatMap((node) => into.get(node) ?? []);
  const flows = met.filter((edge) => isFlow(edge, nodes));
  const sent = beatsOf(flows, shown.value.document, groups.value);
  return sent.map((beat) => ({ node: beat.edge.from, ...beat }));
});

/**
 * Constants are not told what they are worth: nothing could be done about it. Nor is what has none
 * but constants below it and a gradient that is no double, whichever contribution made it so.
 */
export function isFlow({ from }: Edge, nodes: readonly Node[]): boolean {
  return nodes[from]!.kind !== "constant" && nodes[from]!.grad !== null;
}

/** How many ticks have arrived; the one under way has not. */
export const arrived = computed(() =>
  Math.min(progress.value < 1 ? step.value - 1 : step.value, ticks.value.length),
);

export const atEnd = computed(() => arrived.value >= ticks.value.length);

/** The tick under way or last arrived. */
export const current = computed(() =>
  step.value > 0 ? (ticks.value[step.value - 1] ?? null) : null,
);

/** The place of each edge in the wave, by id; an edge that carries nothing has none. */
export const placeOf = computed(() => {
  const places = ticks.value.flatMap(({ edge, edges = edge ? [edge] : [] }, at) =>
    edges.map(({ id }) => [id, at + 1] as const),
  );
  return new Map(places.reverse()); // of an edge that is taken twice, the first
});

export function goTo(place: number): void {
  batch(() => {
    seeded.value = true;
    isOver.value = place > ticks.value.length;
    step.value = clamp(place, 0, ticks.value.length);
    progress.value = 1;
    playing.value = false;
  });
}

export function turn(to: Way): void {
  batch(() => {
    way.value = to;
    if (to === "sort") tab.value = "code";
    goTo(0);
  });
}

/** Play from here, or once more from the start. */
export function play(): void {
  if (fault.value !== null) return;
  batch(() => {
    seeded.value = true;
    if (atEnd.value) step.value = 0;
    isOver.value = false;
    progress.value = 1;
    playing.value = true;
  });
}

export function pause(): void {
  batch(() => {
    playing.value = false;
    progress.value = 1;
  });
}

/** Go on by some milliseconds. */
function advance(elapsed: number): void {
  batch(() => {
    const [pace, isStill] = [beat.value / speed.value, reducedMotion.matches];
    const isFirst = step.value === 0;
    if (progress.value < 1)
      progress.value = Math.min(1, progress.value + elapsed / (pace * ON_ITS_WAY));
    else if ((waited += elapsed) >= pace * (isStill ? 1 : isFirst ? 0 : 1 - ON_ITS_WAY)) {
      waited = 0;
      if (atEnd.value) [playing.value, isOver.value] = [false, true];
      else [step.value, progress.value] = [step.value + 1, isStill ? 1 : 0.001];
    }
  });
}

effect(() => {
  if (!playing.value) return;
  let before = performance.now();
  let frame = requestAnimationFrame(function next(now) {
    advance(Math.max(0, now - before));
    before = now;
    if (playing.peek()) frame = requestAnimationFrame(next);
  });
  return () => cancelAnimationFrame(frame);
});

// Where groups open or close, the wave stays at its arrow, or at its card.
let told = ticks.peek();
effect(() => {
  const before = told[step.peek() - 1];
  const isSame = told.length === ticks.value.length;
  told = ticks.value;
  if (isSame || before === undefined) return;
  const { edge, node } = before;
  const { cardOf } = groups.peek();
  const at = edge
    ? (placeOf.peek().get(edge.id) ?? step.peek())
    : told.findIndex((tick) => tick.node === cardOf[node]) + 1;
  step.value = Math.min(at, told.length);
});

// Another graph has another wave, which begins anew.
let seen = expression.peek();
effect(() => {
  const text = structure.value && shown.value.expression;
  if (text === seen) return;
  seen = text;
  goTo(0);
  seeded.value = false;
});
