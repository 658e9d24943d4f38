/** The fault of the expression, and what it may mean. */

import { GradientError } from "../../../engine_ts/src/errors.ts";
import { differentiate, prepareText } from "../../../engine_ts/src/introspect.ts";
import { interactionWords } from "../shared.tsx";
import { suggestion } from "../loading.tsx";
import { attempt } from "../state/helpers.ts";
import {
  beforeEdit,
  editable,
  expanded,
  expression,
  loadProgram,
  shown,
} from "../state/program.ts";
import { inChosenLanguage } from "../words.ts";
import { faultMessage } from "../words/sentences.ts";
import { cut, Rich } from "../words/text.tsx";

const Suggestion = suggestion.part((module) => module.Suggestion);

const text = inChosenLanguage(() => interactionWords.value.fault);

/** The maximum number of characters of a program in a button. */
const MOST = 32;

export function Fault({ fault }: { fault: GradientError }) {
  const refused = suggestion.loaded.value?.refusal.value ?? null;
  const span = refused?.span ?? fault.span;
  const isOfParts = expanded.value && fault.code === "non_finite" && hasResult();
  const isOfValues = shown.value.expression === expression.value;
  const last = isOfValues ? shown.value : (beforeEdit.value ?? shown.value);
  return (
    <div class="fault" id="fault" role="alert">
      <p>
        {span !== null && expression.value.trim() !== "" && (
          <strong>{text.column(span.start + 1)} </strong>
        )}
        <Rich text={refused?.message ?? faultMessage(text, fault, expression.value)} />
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
