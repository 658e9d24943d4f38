/** What a text that was refused may mean: each program with its changes marked, to be taken. */

import { rewrite } from "../../../engine_ts/src/language/rewrite.ts";
import type { Rewritten } from "../../../engine_ts/src/language/rewrite.ts";
import { deferredWords } from "../deferred_words.ts";
import { expression } from "../state/program.ts";

export function Suggestion({ text }: { text: string }) {
  const found = rewrite(text);
  const programs = found.changes.length > 0 ? [found.expression ?? ""] : found.readings;
  return (
    <>
      {programs.map((program) => (
        <p class="suggestion">
          <code>{found.changes.length > 0 ? marked(text, found) : program}</code>{" "}
          <button onClick={() => (expression.value = program)}>
            {deferredWords.value.fault.use}
          </button>
        </p>
      ))}
    </>
  );
}

/** The program, with what is not as it was written. */
function marked(text: string, { changes }: Rewritten) {
  const characters = [...text];
  const kept = (start: number, end?: number) => characters.slice(start, end).join("");
  const pieces = changes.map(({ span, replacement }, place) => [
    kept(changes[place - 1]?.span.end ?? 0, span.start),
    <mark>{replacement}</mark>,
  ]);
  return [...pieces, kept(changes.at(-1)!.span.end)];
}
