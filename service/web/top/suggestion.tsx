/** What a refused text may mean: each program with its changes marked, and a button. */

import { rewrite } from "../../../engine_ts/src/language/rewrite.ts";
import type { Rewritten } from "../../../engine_ts/src/language/rewrite.ts";
import { deferredWords } from "../deferred_words.ts";
import { expression } from "../state/program.ts";

export function Suggestion() {
  const { expression: program, readings, changes } = rewrite(expression.value);
  const isChanged = changes.length > 0;
  return (isChanged ? [program ?? ""] : readings).map((each) => (
    <p class="suggestion">
      <code>{isChanged ? marked(changes) : each}</code>{" "}
      <button onClick={() => (expression.value = each)}>{deferredWords.value.fault.use}</button>
    </p>
  ));
}

/** The program, with changed parts marked. */
function marked(changes: Rewritten["changes"]) {
  const characters = [...expression.value];
  const kept = (start: number, end?: number) => characters.slice(start, end).join("");
  const pieces = changes.map(({ span, replacement }, place) => [
    kept(changes[place - 1]?.span.end ?? 0, span.start),
    <mark>{replacement}</mark>,
  ]);
  return [...pieces, kept(changes.at(-1)!.span.end)];
}
