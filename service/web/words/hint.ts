/** Variable -> the rule by which its gradient is found; never the number. */

import type { Words } from "./en/first.ts";
import { briefly, nameOf } from "./names.ts";
import type { Differentiated } from "./names.ts";
import { hint } from "./rules.ts";
import type { RuleWords } from "./rules.ts";
import { slopeOf } from "./slope.ts";

export function hintFor(
  first: Words,
  rules: RuleWords,
  shown: Differentiated,
  name: string,
): string {
  const { nodes, edges } = shown.document;
  const id = nodes.findIndex(({ label, kind }) => label === name && kind !== "operation");
  const uses = edges.filter(({ from, differentiable }) => from === id && differentiable);
  const [use] = uses;
  if (use === undefined) return first.resultOne;
  if (uses.length > 1) return rules.hintTwice(name);
  const other = edges.find(({ to, slot }) => to === use.to && slot !== use.slot)?.from ?? id;
  const { operation } = nodes[use.to]!;
  return hint(
    rules,
    operation!,
    use.slot,
    briefly(shown, use.to),
    nameOf(shown, other),
    slopeOf(shown, use),
  );
}
