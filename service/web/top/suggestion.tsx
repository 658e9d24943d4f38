/** What an invalid text may mean: the reason it is refused, and programs to choose from. */

import { computed } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { rewrite } from "../../../engine_ts/src/language/rewrite.ts";
import type { Rewritten } from "../../../engine_ts/src/language/rewrite.ts";
import reasons from "../../../schemas/reasons.json" with { type: "json" };
import { interactionWords } from "../shared.tsx";
import { attempt } from "../state/helpers.ts";
import { expression } from "../state/program.ts";
import { words } from "../words.ts";
import type { LanguageCode } from "../words.ts";

/** Reasons for which the engine's own message is better: it names the character. */
const OF_CHARACTERS = [
  ...["unknown", "unknown_function", "unexpected", "unclosed", "unopened", "ended"],
  "no_program",
];

/** The possible meanings of the text; null if it is empty or too long. */
const meant = computed((): Rewritten | null => {
  if (expression.value.trim() === "") return null;
  const found = attempt(() => rewrite(expression.value));
  return found instanceof GradientError ? null : found;
});

/** The place and reason of the refusal, with a cure; null if the engine's message is better. */
export const refusal = computed(() => {
  const refused = meant.value?.refused ?? null;
  if (refused === null || OF_CHARACTERS.includes(refused.reason)) return null;
  const { sentence, cure } = reasons[refused.reason as keyof typeof reasons];
  const language = words.value.language as LanguageCode;
  return { span: refused.span, message: `${sentence[language]} ${cure[language]}` };
});

/** The programs that may be meant, with changes marked, each with a button. */
export function Suggestion() {
  if (meant.value === null) return null;
  const { expression: program, readings, refused, changes, needs } = meant.value;
  const isChanged = changes.length > 0;
  const programs = [isChanged ? program : (refused?.program ?? null), ...readings];
  return programs
    .filter((each) => each !== null)
    .map((each) => (
      <p key={each} class="suggestion">
        <span>
          <code>{isChanged ? marked(changes) : each}</code>
          {needs.length > 0 && (
            <>
              {" "}
              {interactionWords.value.fault.given} <code>{needs.join(", ")}</code>
            </>
          )}
        </span>
        <button onClick={() => (expression.value = each)}>
          {interactionWords.value.fault.use}
        </button>
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
