/** Parameters that learn: what to train, how boldly, and what each weight does. */

import { differentiate } from "../../../engine_ts/src/introspect.ts";
import { LESSONS } from "../state/lessons.ts";
import { parameters, shown, toggleParameter } from "../state/program.ts";
import {
  at,
  ended,
  learn,
  momentum,
  points,
  rate,
  rowsOf,
  setRate,
  trouble,
} from "../state/train.ts";
import { messageOf } from "../words/fault.ts";
import type { Fault } from "../words/fault.ts";
import { laterWords } from "../later_words.ts";
import { trainingWords } from "../training_words.ts";
import { Rich } from "../words/rich.tsx";
import { short } from "../words/numbers.ts";
import { DecisionMap } from "./decision_map.tsx";
import { NumberField } from "./number_field.tsx";
import { Rows } from "./rows.tsx";
import { Weight } from "./weight.tsx";

export function Train() {
  const text = trainingWords.value;
  const { expression } = shown.value;
  return (
    <>
      <div class="mistakes wraps" role="group" aria-label={text.lessons}>
        {LESSONS.map((lesson) => (
          <button
            key={lesson.name}
            class="chip"
            aria-pressed={lesson.request.expression === expression}
            onClick={() => learn(lesson)}
          >
            {text.names[lesson.name]}
          </button>
        ))}
      </div>
      {trouble.value === null ? <Running /> : <Marking />}
    </>
  );
}

/** Without parameters nothing moves, so ask which variables may. */
function Marking() {
  const text = trainingWords.value;
  const names = Object.keys(shown.value.values);
  const isUnmarked = parameters.value.length === 0;
  return (
    <>
      <h2>{isUnmarked ? text.which : text.stopped}</h2>
      {isUnmarked ? (
        <p class="small">{text.mark}</p>
      ) : (
        <p class="small">
          <Rich text={messageOf(laterWords.value.fault, trouble.value!, shown.value.expression)} />
        </p>
      )}
      <div class="wraps">
        {names.map((name) => (
          <button
            key={name}
            class="chip mono"
            aria-pressed={parameters.value.includes(name)}
            onClick={() => toggleParameter(name)}
          >
            {name}
          </button>
        ))}
      </div>
    </>
  );
}

function Running() {
  const text = trainingWords.value;
  const here = points.value[at.value];
  if (here === undefined) return null;
  const rows = rowsOf(shown.value.expression);
  const facts = [
    [text.stepFact, String(here.step), ""],
    [text.loss, short(here.loss), "d"],
    [text.size, here.gradient_norm === null ? "--" : short(here.gradient_norm), "g"],
  ] as const;
  return (
    <>
      <dl class="facts">
        {facts.map(([name, number, kind]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={`mono ${kind}`}>{number}</dd>
          </div>
        ))}
      </dl>
      <StepSize />
      {ended.value !== null && (
        <p class="verdict off small">
          {text.endedAt(ended.value.step)}{" "}
          <Rich text={messageOf(laterWords.value.fault, faultOf(ended.value.error))} />
        </p>
      )}
      <DecisionMap />
      {rows.length > 0 && <Rows rows={rows} />}
      <ul class="weights">
        {Object.keys(here.parameters).map((name) => (
          <Weight key={name} name={name} gradient={rows.length > 0 ? null : gradientBefore(name)} />
        ))}
      </ul>
      {shown.value.expression === LESSONS[0]!.request.expression && <Bold />}
    </>
  );
}

/** What ended the descent; its place in the text is said by the step. */
function faultOf({ code, message, ...data }: Readonly<Record<string, unknown>>): Fault {
  return { code: String(code), message: String(message), data, span: null };
}

/** The gradient by which the last step was made; null where there was none, or it had a momentum. */
function gradientBefore(name: string): number | null {
  const before = points.value[at.value - 1];
  if (before === undefined || momentum.value !== 0) return null;
  const { expression, values, parameters: marked, prepared, document } = shown.value;
  const then = new Map(Object.entries({ ...values, ...before.parameters }));
  const request = { expression, values: then, parameters: marked, view: document.view };
  return differentiate(prepared, request).gradients[name]!;
}

function StepSize() {
  const text = trainingWords.value;
  return (
    <div class="setting">
      <label for="rate">{text.rate}</label>
      <input
        type="range"
        id="rate"
        min="0"
        max="0.5"
        step="0.01"
        value={rate.value}
        onInput={(event) => (rate.value = Number(event.currentTarget.value))}
      />
      <NumberField
        class="number"
        label={text.rateNumber}
        text={String(rate.value)}
        take={setRate}
      />
    </div>
  );
}

/** The lessons' line: each step keeps a part of its loss that can be told beforehand. */
function Bold() {
  const text = trainingWords.value;
  return (
    <div class="tip-card">
      <h2>{text.bold}</h2>
      <p>{text.boldly}</p>
      <div class="acts">
        <button
          onClick={() =>
            learn({ ...LESSONS[0]!, settings: { ...LESSONS[0]!.settings, rate: 0.1 } })
          }
        >
          {text.setAndSee("0.1")}
        </button>
        <button onClick={() => learn(LESSONS.at(-1)!)}>{text.trainXor}</button>
      </div>
    </div>
  );
}
