/** Sentences about a tick of the pass, and about the result of a finished backward pass. */

import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { interactionWords } from "../shared.tsx";
import { ticks } from "../state/play.ts";
import type { Tick } from "../state/play.ts";
import { dataOf } from "../state/program.ts";
import type { ShownProgram } from "../state/program.ts";
import { words } from "../words.ts";
import { explainContribution, slopeOf } from "../words/sentences.ts";
import { cut, nameOf, shortNameOf, signed, sourceOf, write } from "../words/text.tsx";

/** Describe a tick: the contribution sent backward, or the operation computed forward. */
export function describeTick(shown: ShownProgram, { node, edge }: Tick): string {
  if (edge !== null) return describeSent(shown, edge);
  const { span, data } = shown.document.nodes[node]!;
  const name = nameOf(shown, node);
  const text = cut(sourceOf(shown.expression, span) ?? name);
  if (name === text) return `${words.value.is(name, write(data))}.`;
  return interactionWords.value.rules.computed(name, text, write(data));
}

function describeSent(shown: ShownProgram, edge: Edge): string {
  const { nodes, edges } = shown.document;
  const other =
    edges.find(({ to, slot }) => to === edge.to && slot !== edge.slot)?.from ?? edge.from;
  const arriving = ticks.value.filter(({ node }) => node === edge.from);
  return explainContribution(interactionWords.value.rules, {
    operation: nodes[edge.to]!.operation!,
    slot: edge.slot,
    from: shortNameOf(shown, edge.to),
    to: nameOf(shown, edge.from),
    other: nameOf(shown, other),
    incoming: write(edge.incoming_grad),
    local: write(edge.local_grad),
    contribution: write(edge.contribution),
    slope: slopeOf(shown, edge),
    arrived: arriving.findIndex((tick) => tick.edge === edge) + 1,
    expected: new Set(arriving.map((tick) => tick.edge!.id)).size, // a second pass sends them again
    sum: write(edge.running_grad),
    isDead: edge.local_grad === 0,
  });
}

/** How much the variable with the largest gradient is raised; how many equal ones are named. */
const [NUDGE, MAX_TIED] = [0.1, 3];

export function describeEnd(shown: ShownProgram): string | null {
  const { document, values } = shown;
  const text = interactionWords.value.ending;
  const sorted = Object.entries(document.gradients).sort(
    ([, one], [, other]) => Math.abs(other) - Math.abs(one),
  );
  const [[name, gradient] = ["", 0]] = sorted;
  if (gradient === 0) return null;
  const result = dataOf(shown)({ [name]: values[name]! + NUDGE });
  if (result === null) return null;
  const tied = listOf(sorted.filter(([, each]) => Math.abs(each) === Math.abs(gradient)));
  const most = tied === "" ? text.one(name) : text.tied(tied);
  const effect = `${most} ${describeChange(name, NUDGE, gradient, result - document.result)}`;
  const negative = sorted.filter(([, each]) => each < 0);
  const stopped = sorted.find(([, each]) => each === 0)?.[0];
  if (stopped !== undefined) {
    const by = blockerOf(shown, stopped);
    return `${effect} ${by === null ? text.zero(stopped) : text.blocked(stopped, by)}`;
  }
  return negative.length === 1 && sorted.length > 1
    ? `${effect} ${text.down(negative[0]![0])}`
    : effect;
}

/** Describe the effect of a variable's change: the predicted one and the actual one. */
export function describeChange(name: string, by: number, gradient: number, change: number): string {
  const { nudged, straight, bent } = interactionWords.value.curve;
  const [predicted, actual] = [signed(by * gradient), signed(change)];
  return `${nudged(name, signed(by), predicted, actual)} ${predicted === actual ? straight : bent}`;
}

/** List the names of variables for a sentence; empty for a single one. */
function listOf(tied: readonly (readonly [name: string, gradient: number])[]): string {
  if (tied.length < 2) return "";
  const names = tied.slice(0, MAX_TIED).map(([name]) => `\`${name}\``);
  const all = tied.length > MAX_TIED ? [...names, "…"] : names;
  return new Intl.ListFormat(words.value.language).format(all);
}

/** Return the operation that blocks a variable's gradient; null if contributions cancel. */
function blockerOf(shown: ShownProgram, name: string): string | null {
  const { nodes, edges }: GradientDocument = shown.document;
  const seen = new Set(nodes.filter(({ label }) => label === name).map(({ id }) => id));
  for (const id of seen)
    for (const { from, to, local_grad } of edges) {
      if (from !== id) continue;
      if (nodes[to]!.grad !== 0) return local_grad === 0 ? shortNameOf(shown, to) : null;
      seen.add(to);
    }
  return null;
}
