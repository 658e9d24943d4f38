/** Variable -> the rule by which its gradient is found; never the number. */

import type { Shown } from "../state/program.ts";
import { laterWords } from "./later.ts";
import { briefly, nameOf } from "./names.ts";
import { slopeOf } from "./slope.ts";
import { words } from "./words.ts";

export function hintFor(shown: Shown, name: string): string {
  const { nodes, edges } = shown.document;
  const id = nodes.findIndex(({ label, kind }) => label === name && kind !== "operation");
  const uses = edges.filter(({ from, differentiable }) => from === id && differentiable);
  const [first] = uses;
  if (first === undefined) return words.value.resultOne;
  if (uses.length > 1) return laterWords.value.hintTwice(name);
  const other = edges.find(({ to, slot }) => to === first.to && slot !== first.slot)?.from ?? id;
  const { operation } = nodes[first.to]!;
  return laterWords.value.hint(
    operation!,
    first.slot,
    briefly(shown, first.to),
    nameOf(shown, other),
    slopeOf(shown, first),
  );
}
