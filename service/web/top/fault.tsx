/** What is wrong with the expression, buttons that fix it, and whether both engines agree. */

import { GradientError } from "../../../engine_ts/src/errors.ts";
import { differentiate, prepare } from "../../../engine_ts/src/introspect.ts";
import { deferredWords } from "../deferred_words.ts";
import { attempt } from "../state/helpers.ts";
import { parity } from "../state/parity.ts";
import { editable, expanded, expression, loadProgram, shown } from "../state/program.ts";
import { faultMessage } from "../words/sentences.ts";
import { cut, Rich } from "../words/text.tsx";

export function Fault({ fault }: { fault: GradientError }) {
  const text = deferredWords.value.fault;
  const cured = fixFor(expression.value, fault);
  const isOfParts = expanded.value && fault.code === "non_finite" && hasResult();
  const last = shown.value.expression;
  return (
    <div class="slot fault" id="fault" role="alert">
      <p>
        {fault.span !== null && expression.value.trim() !== "" && (
          <strong>{text.column(fault.span.start + 1)} </strong>
        )}
        <Rich text={faultMessage(deferredWords.value.fault, fault, expression.value)} />
        {isOfParts && ` ${text.ofParts}`}
      </p>
      {cured !== null && (
        <button onClick={() => (expression.value = cured)}>{text.write(brief(cured))}</button>
      )}
      {isOfParts && <button onClick={() => (expanded.value = false)}>{text.fold}</button>}
      <button class="plain" onClick={() => loadProgram(shown.value)}>
        {last === expression.value ? text.backToValues : text.backTo(brief(last))}
      </button>
    </div>
  );
}

/** Whether there is a result where each operation is computed at once, not from its parts. */
function hasResult(): boolean {
  const { expression, values, parameters } = editable.peek();
  const given = { expression, values: new Map(Object.entries(values)), parameters };
  const folded = attempt(() => differentiate(prepare(expression), { ...given, view: "folded" }));
  return !(folded instanceof GradientError);
}

/** A text as a button repeats it. */
function brief(text: string): string {
  return cut(text, 32);
}

/** What beginners write for what: signs from keyboards, books and other languages. */
const SIGNS: Readonly<Record<string, string>> = {
  "^": "**",
  "²": " ** 2",
  "³": " ** 3",
  "×": "*",
  "·": "*",
  "⋅": "*",
  "÷": "/",
  "−": "-",
  "–": "-",
  "[": "(",
  "]": ")",
  "{": "(",
  "}": ")",
};

function fixFor(expression: string, { code, span, message }: GradientError): string | null {
  if (span === null) return null;
  const points = [...expression];
  const [before, wrong, after] = [
    points.slice(0, span.start).join(""),
    points.slice(span.start, span.end).join(""),
    points.slice(span.end).join(""),
  ];
  const sign = code === "unexpected_character" ? SIGNS[wrong] : undefined;
  if (sign !== undefined) return before + sign + after;
  if (/put `\*` between/.test(message)) return `${before.trimEnd()} * ${wrong}${after}`;
  const meant = /did you mean `(\w+)`/.exec(message)?.[1];
  if (meant !== undefined) return before + meant + after;
  if (code === "unexpected_end") return closeParentheses(expression);
  return null;
}

/** Close what was opened, if that is all that is missing. */
function closeParentheses(expression: string): string | null {
  const open = expression.split("(").length - expression.split(")").length;
  const last = expression.trimEnd().at(-1) ?? "";
  return open > 0 && /[\w)]/.test(last) ? expression.trimEnd() + ")".repeat(open) : null;
}

/** An icon while nothing is wrong, with its words for who cannot see it; what differs is said. */
export function ParityMark() {
  const text = deferredWords.value.parity;
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
