/** The fault of the expression, what it may mean, and whether both engines agree. */

import { GradientError } from "../../../engine_ts/src/errors.ts";
import { differentiate, prepareText } from "../../../engine_ts/src/introspect.ts";
import { interactionWords, inChosenLanguage } from "../interaction_words.ts";
import { suggestion } from "../loading.tsx";
import { attempt } from "../state/helpers.ts";
import { parity } from "../state/parity.ts";
import { editable, expanded, expression, loadProgram, shown, stood } from "../state/program.ts";
import { faultMessage } from "../words/sentences.ts";
import { cut, Rich } from "../words/text.tsx";

const Suggestion = suggestion.part((module) => module.Suggestion);

const text = inChosenLanguage(() => interactionWords.value.fault);

/** Most characters of a program in a button. */
const MOST = 32;

export function Fault({ fault }: { fault: GradientError }) {
  const refused = suggestion.loaded.value?.refusal.value ?? null;
  const span = refused?.span ?? fault.span;
  const isOfParts = expanded.value && fault.code === "non_finite" && hasResult();
  const isOfValues = shown.value.expression === expression.value;
  const last = isOfValues ? shown.value : (stood.value ?? shown.value);
  return (
    <div class="fault" id="fault" role="alert">
      <p>
        {span !== null && expression.value.trim() !== "" && (
          <strong>{text.column(span.start + 1)} </strong>
        )}
        <Rich text={refused?.told ?? faultMessage(text, fault, expression.value)} />
        {isOfParts && ` ${text.ofParts}`}
      </p>
      <Suggestion />
      {isOfParts && <button onClick={() => (expanded.value = false)}>{text.fold}</button>}
      <button class="plain" onClick={() => loadProgram(last)}>
        {isOfValues ? text.backToValues : text.backTo(cut(last.expression, MOST))}
      </button>
    </div>
  );
}

/** Whether the folded view has a result. */
function hasResult(): boolean {
  const { expression, values, parameters } = editable.peek();
  const request = { expression, values: new Map(Object.entries(values)), parameters };
  const folded = attempt(() =>
    differentiate(prepareText(expression), { ...request, view: "folded" }),
  );
  return !(folded instanceof GradientError);
}

/** An icon while both engines agree, with words for screen readers; a difference is described. */
export function ParityMark() {
  const text = interactionWords.value.parity;
  const now = parity.value;
  if (now.state === "differ") {
    return <p class="parity bad">{text.differ(now.where, now.here, now.there)}</p>;
  }
  const [icon, ...told] = text[now.state].split(" ");
  return (
    <p class={`parity ${now.state}`} data-state={now.state} title={told.join(" ")}>
      {icon} <span class="visually-hidden">{told.join(" ")}</span>
    </p>
  );
}
