/** What is wrong with the expression, how to cure it, and buttons that do so. */

import { GradientError } from "../../../engine_ts/src/errors.ts";
import { differentiate, prepare } from "../../../engine_ts/src/introspect.ts";
import { attempt } from "../state/attempt.ts";
import { expanded, expression, held, shown, take } from "../state/program.ts";
import { Rich } from "../words/rich.tsx";
import { messageOf } from "../words/fault.ts";
import { cut } from "../words/names.ts";
import { cureOf } from "./cure.ts";
import { laterWords } from "../later_words.ts";

export function Fault({ fault }: { fault: GradientError }) {
  const text = laterWords.value.fault;
  const cured = cureOf(expression.value, fault);
  const isOfParts = expanded.value && fault.code === "non_finite" && hasResult();
  const last = shown.value.expression;
  return (
    <div class="slot cure" id="fault" role="alert">
      <p>
        {fault.span !== null && expression.value.trim() !== "" && (
          <strong>{text.column(fault.span.start + 1)} </strong>
        )}
        <Rich text={messageOf(laterWords.value.fault, fault, expression.value)} />
        {isOfParts && ` ${text.ofParts}`}
      </p>
      {cured !== null && (
        <button onClick={() => (expression.value = cured)}>{text.write(brief(cured))}</button>
      )}
      {isOfParts && <button onClick={() => (expanded.value = false)}>{text.fold}</button>}
      <button class="plain" onClick={() => take(shown.value)}>
        {last === expression.value ? text.backToValues : text.backTo(brief(last))}
      </button>
    </div>
  );
}

/** Whether there is a result where each operation is computed at once, not from its parts. */
function hasResult(): boolean {
  const { expression, values, parameters } = held.peek();
  const given = { expression, values: new Map(Object.entries(values)), parameters };
  const folded = attempt(() => differentiate(prepare(expression), { ...given, view: "folded" }));
  return !(folded instanceof GradientError);
}

/** A text as a button repeats it. */
function brief(text: string): string {
  return cut(text, 32);
}
