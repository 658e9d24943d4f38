/** Variable -> the rule by which its gradient is found; never the number. */

import type { Words } from "./en/first.ts";
import type { LaterWords } from "./en/later.ts";
import { briefly, nameOf } from "./names.ts";
import type { Differentiated } from "./names.ts";
import { slopeOf } from "./slope.ts";

export function hintFor(
  first: Words,
  later: LaterWords,
  shown: Differentiated,
  name: string,
): string {
  const { nodes, edges } = shown.document;
  const id = nodes.findIndex(({ label, kind }) => label === name && kind !== "operation");
  const uses = edges.filter(({ from, differentiable }) => from === id && differentiable);
  const [use] = uses;
  if (use === undefined) return first.resultOne;
  if (uses.length > 1) return later.hintTwice(name);
  const other = edges.find(({ to, slot }) => to === use.to && slot !== use.slot)?.from ?? id;
  const { operation } = nodes[use.to]!;
  return later.hint(
    operation!,
    use.slot,
    briefly(shown, use.to),
    nameOf(shown, other),
    slopeOf(shown, use),
  );
}
