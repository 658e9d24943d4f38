/** What is wrong with the expression, how to cure it, and buttons that do so. */

import type { GradientError } from "../../../engine_ts/src/errors.ts";
import { expression, shown, take } from "../state/program.ts";
import { Rich } from "../words/rich.tsx";
import { messageOf } from "../words/fault.ts";
import { cureOf } from "./cure.ts";
import { laterWords } from "../words/later.ts";

export function Fault({ fault }: { fault: GradientError }) {
  const text = laterWords.value.fault;
  const cured = cureOf(expression.value, fault);
  const last = shown.value.expression;
  return (
    <div class="slot cure" id="fault" role="alert">
      <p>
        {fault.span !== null && expression.value.trim() !== "" && (
          <strong>{text.column(fault.span.start + 1)} </strong>
        )}
        <Rich text={messageOf(fault, expression.value)} />
      </p>
      {cured !== null && (
        <button onClick={() => (expression.value = cured)}>{text.write(brief(cured))}</button>
      )}
      <button class="plain" onClick={() => take(shown.value)}>
        {last === expression.value ? text.backToValues : text.backTo(brief(last))}
      </button>
    </div>
  );
}

function brief(text: string): string {
  return text.length > 32 ? `${text.slice(0, 31)}…` : text;
}
