/** A mistake and its effect: the engine's experiment on the program that is shown, for the stage. */

import { computed, effect } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { experiment } from "../../../engine_ts/src/lab/experiment.ts";
import type { Experiment, WrongWalk } from "../../../engine_ts/src/lab/experiment.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { deferredWords } from "../deferred_words.ts";
import { experimentOptions, mistake, ORDER, order, side } from "../state/break.ts";
import { attempt } from "../state/helpers.ts";
import { cardNotes, carriesGradient, stagedWalk } from "../state/play.ts";
import type { CardNote, Defect, WalkEdge } from "../state/play.ts";
import { fault, shown } from "../state/program.ts";
import { tab } from "../state/view.ts";
import { nameOf, short } from "../words/text.tsx";

export interface Outcome {
  readonly experiment: Experiment;
  /** The walk that is wrong, if one is: of changed data that of who reads it late. */
  readonly walk: WrongWalk;
}

/** What the mistake does; the engine's word where it cannot be walked; null where none is made. */
export const outcome = computed((): Outcome | GradientError | null => {
  const options = experimentOptions.value;
  if (options === null || fault.value !== null) return null;
  return attempt(() => {
    const done = experiment(shown.value.document, {}, options);
    return { experiment: done, walk: done.walks.at(-1)! };
  });
});

/** What the mistake does; null where it is not walked. */
export const walked = computed(() =>
  outcome.value instanceof GradientError ? null : outcome.value,
);

/** How far each variable's gradient is from the right one. */
export function gradientErrors({
  walk,
}: Outcome): readonly (readonly [name: string, by: number])[] {
  return Object.entries(walk.differences).map(([name, by]) => [name, by ?? NaN]);
}

/** The steps of the walk that a person sees: none into constants. */
export function walkSteps({ experiment: { document }, walk }: Outcome): readonly WalkEdge[] {
  const { nodes, edges } = document;
  const ticks = new Map<number, number>();
  for (const [at, { edge }] of walk.ledger.entries())
    if (carriesGradient(edges[edge]!, nodes)) ticks.set(at, ticks.size + 1);
  return [...ticks].map(([at, tick]) => {
    const { edge: id, pass, ...numbers } = walk.ledger[at]!;
    const edge = edges[id]!;
    return { ...edge, ...numbers, defect: defectOf(walk, edge, at, tick, ticks, edges) };
  });
}

function defectOf(
  walk: WrongWalk,
  edge: Edge,
  at: number,
  tick: number,
  ticks: ReadonlyMap<number, number>,
  edges: readonly Edge[],
): Defect | null {
  const text = deferredWords.value.broken;
  const { pass, contribution } = walk.ledger[at]!;
  const lost = walk.lost.find(({ step }) => step === at);
  if (lost?.reason === "overwritten") {
    const by = walk.ledger.findIndex(
      (later, place) => place > at && edges[later.edge]!.from === edge.from,
    );
    return { kind: "lost", word: text.overwritten, since: ticks.get(by) ?? tick };
  }
  if (lost !== undefined) return { kind: "late", word: text.late, since: tick };
  if (pass > 1) return { kind: "lost", word: text.again, since: tick };
  const missing = (edge.contribution ?? 0) - contribution;
  if (missing === 0) return null;
  const isOrder = mistake.value === ORDER;
  const word = isOrder ? text.lost(short(missing)) : `≠ ${short(edge.contribution ?? 0)}`;
  return { kind: "lost", word, since: tick };
}

/** What the cards show of it, by node. */
function cardNotesOf(found: Outcome | null): readonly CardNote[] {
  const { nodes, edges } = shown.value.document;
  const text = deferredWords.value.broken;
  const off = new Map(found === null ? [] : gradientErrors(found));
  const late = new Set(
    found?.walk.lost.filter(({ reason }) => reason === "late").map(({ edge }) => edges[edge]!.from),
  );
  return nodes.map(({ id, label, operation }) => {
    const place = order.value.indexOf(id);
    const by = operation === null && label !== null ? (off.get(label) ?? 0) : 0;
    const wrong = by < 0 ? text.short(short(-by)) : text.over(short(by));
    return {
      visit: mistake.value === ORDER && place >= 0 ? place + 1 : null,
      word: by !== 0 ? wrong : late.has(id) ? text.late : "",
    };
  });
}

/** Say what is special about a step; null where the usual sentence is right. */
function describeStep(steps: readonly WalkEdge[], tick: number): string | null {
  const text = deferredWords.value.broken;
  const step = steps[tick];
  if (step === undefined) return null;
  const before = steps.slice(0, tick).findLast(({ from }) => from === step.from);
  const to = nameOf(shown.value, step.from);
  const sends = deferredWords.value.rules.sends({
    from: nameOf(shown.value, step.to),
    to,
    incoming: short(step.incoming_grad ?? 0),
    local: short(step.local_grad ?? 0),
    contribution: short(step.contribution ?? 0),
  });
  if (experimentOptions.value?.accumulate === "replace" && before !== undefined)
    return text.tellReplaced(sends, short(before.running_grad ?? 0));
  if (step.defect?.kind === "late") return text.tellLate(sends, to);
  if (step.defect !== null && mistake.value === ORDER)
    return text.tellLost(sends, short(shown.value.document.edges[step.id]!.contribution ?? 0));
  if (before === undefined) return null;
  return `${sends}. ${deferredWords.value.rules.together(to, short(step.running_grad ?? 0))}`;
}

// The stage follows, while the room is open.
effect(() => {
  const isOpen = tab.value === "break";
  const done = isOpen && side.value === "wrong" ? walked.value : null;
  cardNotes.value = isOpen && (mistake.value === ORDER || done !== null) ? cardNotesOf(done) : null;
  if (done === null) stagedWalk.value = null;
  else {
    const edges = walkSteps(done);
    const { run, playWrong } = deferredWords.value.broken;
    const label = mistake.value === ORDER ? run : playWrong;
    const { document } = done.experiment;
    stagedWalk.value = { document, edges, label, describe: (tick) => describeStep(edges, tick) };
  }
});
