/** A mistake and its effect: the engine's experiment on the program shown, for the stage. */

import { computed, effect } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { experiment } from "../../../engine_ts/src/lab/experiment.ts";
import { interactionWords, inChosenLanguage } from "../interaction_words.ts";
import { experimentOptions, mistake, ORDER, order, side } from "../state/mistakes.ts";
import { attempt } from "../state/helpers.ts";
import { cardNotes, carriesGradient, stagedWalk } from "../state/play.ts";
import type { CardNote, Defect, WalkEdge } from "../state/play.ts";
import { fault, shown } from "../state/program.ts";
import { tab } from "../state/view.ts";
import { formulaOf, nameOf, short } from "../words/text.tsx";

const text = inChosenLanguage(() => interactionWords.value.broken);

/** The result of the experiment, or the engine's message if it fails; null without a mistake. */
export const outcome = computed(() => {
  const options = experimentOptions.value;
  if (options === null || fault.value !== null) return null;
  return attempt(() => experiment(shown.value.document, {}, options));
});

/** The same with the wrong walk: if data changed, the walk that reads it late. */
export const walked = computed(() => {
  const done = outcome.value;
  if (done === null || done instanceof GradientError) return null;
  return { experiment: done, walk: done.walks.at(-1)! };
});

type Walked = NonNullable<typeof walked.value>;

/** The error of each variable's gradient. */
export const gradientErrors = computed(() =>
  Object.entries(walked.value?.walk.differences ?? {}).map(
    ([name, by]) => [name, by ?? NaN] as const,
  ),
);

/** The visible steps of the walk: all but those into constants. */
export const walkSteps = computed(() => (walked.value === null ? [] : stepsOf(walked.value)));

function stepsOf({ experiment, walk: { ledger, lost } }: Walked): readonly WalkEdge[] {
  const { nodes, edges } = experiment.document;
  const seen = [...ledger.keys()].filter((at) => carriesGradient(edges[ledger[at]!.edge]!, nodes));
  const ticks = new Map(seen.map((at, place) => [at, place + 1]));

  function defectOf(at: number): Defect | null {
    const { edge, pass, contribution } = ledger[at]!;
    const { from, contribution: right } = edges[edge]!;
    const since = ticks.get(at)!;
    const reason = lost.find(({ step }) => step === at)?.reason;
    if (reason === "overwritten") {
      const by = ledger.findIndex((row, place) => place > at && edges[row.edge]!.from === from);
      return { kind: "lost", word: text.overwritten, since: ticks.get(by) ?? since };
    }
    if (reason !== undefined) return { kind: "late", word: text.late, since };
    if (pass > 1) return { kind: "lost", word: text.again, since };
    const missing = (right ?? 0) - contribution;
    if (missing === 0) return null;
    const isOrder = mistake.value === ORDER;
    const word = isOrder ? text.lost(short(missing)) : `≠ ${short(right ?? 0)}`;
    return { kind: "lost", word, since };
  }

  return seen.map((at) => {
    const { edge, pass, ...numbers } = ledger[at]!;
    return { ...edges[edge]!, ...numbers, defect: defectOf(at) };
  });
}

/** Return the notes on the cards, by node. */
function cardNotesOf(found: Walked | null): readonly CardNote[] {
  const { nodes, edges } = shown.value.document;
  const off = new Map(found === null ? [] : gradientErrors.value);
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

/** Describe a special step; null if the usual sentence is right. */
function describeStep(steps: readonly WalkEdge[], tick: number): string | null {
  const step = steps[tick];
  if (step === undefined) return null;
  const before = steps.slice(0, tick).findLast(({ from }) => from === step.from);
  const to = nameOf(shown.value, step.from);
  const [incoming, local, contribution] = formulaOf(step);
  const from = nameOf(shown.value, step.to);
  const sends = interactionWords.value.rules.sends({ from, to, incoming, local, contribution });
  if (experimentOptions.value?.accumulate === "replace" && before !== undefined)
    return text.tellReplaced(sends, short(before.running_grad ?? 0));
  if (step.defect?.kind === "late") return text.tellLate(sends, to);
  if (step.defect !== null && mistake.value === ORDER)
    return text.tellLost(sends, short(shown.value.document.edges[step.id]!.contribution ?? 0));
  if (before === undefined) return null;
  return `${sends}. ${interactionWords.value.rules.together(to, short(step.running_grad ?? 0))}`;
}

// While the tab is open, the stage shows the mistake.
effect(() => {
  const isOpen = tab.value === "break";
  const done = isOpen && side.value === "wrong" ? walked.value : null;
  cardNotes.value = isOpen && (mistake.value === ORDER || done !== null) ? cardNotesOf(done) : null;
  const edges = walkSteps.value;
  stagedWalk.value = done && {
    document: done.experiment.document,
    edges,
    label: mistake.value === ORDER ? text.run : text.playWrong,
    describe: (tick) => describeStep(edges, tick),
  };
});
