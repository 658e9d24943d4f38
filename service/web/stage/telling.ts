/** Graph + step -> the sentence that says what just happened. */

import { code, loaded } from "../lazy.tsx";
import { current, otherWalk, step, ticks, way } from "../state/play.ts";
import type { Shown } from "../state/program.ts";
import { cut, nameOf, partOf } from "../words/names.ts";
import { words } from "../words.ts";
import { short } from "../words/numbers.ts";

/** Say where the pulse is; before what is loaded later has come, only how the pass begins. */
export function tell(shown: Shown): string {
  const tick = current.value;
  if (way.value === "sort") return code.value?.tellSort(shown, tick) ?? "";
  const other = tick?.edge ? otherWalk.value?.tell(step.value - 1) : null;
  const told = other ?? (tick && loaded.value?.tellTick(shown, tick));
  if (told) return told;
  if (way.value === "forward") return words.value.seedForward;
  const first = ticks.value.length === 0 ? words.value.resultOne : words.value.seed;
  return `${capital(opening(shown))} ${first}`;
}

/** Say how the result comes about, from the last operation. */
function opening(shown: Shown): string {
  const { nodes, edges, root, result } = shown.document;
  const { operation, span } = nodes[root]!;
  if (operation === null) return `${words.value.is(nameOf(shown, root), short(result))}.`;
  const operands = edges.filter(({ to }) => to === root).map(({ from }) => from);
  const parts = operands.filter((id) => nodes[id]!.operation !== null);
  const told = [...new Set(parts)].map((id) =>
    words.value.is(nameOf(shown, id), short(nodes[id]!.data)),
  );
  const [left, right] = operands as [number, number];
  const start = told.length > 0 ? `${told.join(", ")}; ` : "";
  if (/^\w/.test(operation)) {
    const text = partOf(shown.expression, span) ?? nameOf(shown, root);
    return `${start}${words.value.is(cut(text), short(result))}.`;
  }
  const begins =
    nodes[left]!.operation === null || told.length > 1 ? `\`${nameOf(shown, left)}\` ` : "";
  return start + words.value.makes(operation, begins, nameOf(shown, right), short(result));
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
