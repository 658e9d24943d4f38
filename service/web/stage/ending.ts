/** A finished backward pass -> what it has found, and whether a new forward pass agrees. */

import type { Document } from "../../../engine_ts/src/document.ts";
import { over } from "../state/curves.ts";
import type { Shown } from "../state/program.ts";
import { laterWords } from "../later_words.ts";
import { briefly } from "../words/names.ts";
import { short, signed } from "../words/numbers.ts";

/** What the variable that matters most is raised by. */
const NUDGE = 0.1;

export function endingOf(shown: Shown): string | null {
  const { document, values } = shown;
  const text = laterWords.value.ending;
  const sorted = Object.entries(document.gradients).sort(
    ([, one], [, other]) => Math.abs(other) - Math.abs(one),
  );
  const [[name, gradient] = ["", 0]] = sorted;
  if (gradient === 0) return null;
  const result = over(shown, name)(values[name]! + NUDGE);
  if (result === null) return null;
  const [foretold, came] = [gradient * NUDGE, result - document.result].map((each) => signed(each));
  const told = text.nudge({
    name,
    gradient: short(gradient),
    by: String(NUDGE),
    before: short(document.result),
    after: short(result),
    foretold: foretold!,
    came: came!,
  });
  const negative = sorted.filter(([, each]) => each < 0);
  const stopped = sorted.find(([, each]) => each === 0)?.[0];
  if (stopped !== undefined) return `${told} ${text.zero(stopped, stopOf(shown, stopped))}`;
  return negative.length === 1 && sorted.length > 1
    ? `${told} ${text.down(negative[0]![0])}`
    : told;
}

/** The operation that lets nothing through to a variable; null where contributions cancel. */
function stopOf(shown: Shown, name: string): string | null {
  const { nodes, edges }: Document = shown.document;
  const seen = new Set(nodes.filter(({ label }) => label === name).map(({ id }) => id));
  for (const id of seen)
    for (const { from, to, local_grad } of edges) {
      if (from !== id) continue;
      if (nodes[to]!.grad !== 0) return local_grad === 0 ? briefly(shown, to) : null;
      seen.add(to);
    }
  return null;
}
