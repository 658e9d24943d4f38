/** Do the backward pass wrong: an order put together by hand, or a known pitfall beside what is right. */

import { GradientError } from "../../../engine_ts/src/errors.ts";
import { prepare } from "../../../engine_ts/src/introspect.ts";
import { TableHead, RadioGroup } from "../controls.tsx";
import { deferredWords } from "../deferred_words.ts";
import {
  changedValues,
  chooseMistake,
  definedValues,
  exampleOf,
  experimentOptions,
  fixedOf,
  mistake,
  MISTAKES,
  ORDER,
  pitfallOf,
  showSide,
  side,
} from "../state/break.ts";
import type { Side } from "../state/break.ts";
import { attempt } from "../state/helpers.ts";
import { current, play, ticks } from "../state/play.ts";
import { expression, shown } from "../state/program.ts";
import { faultMessage } from "../words/sentences.ts";
import { nameOf, Rich, short } from "../words/text.tsx";
import { walked, walkSteps } from "./outcome.ts";
import { Visits } from "./visits.tsx";

export function BreakIt() {
  const text = deferredWords.value.broken;
  return (
    <>
      <div class="mistakes wraps" role="group" aria-label={text.mistakes}>
        {MISTAKES.map((name) => (
          <button
            key={name}
            class="chip"
            aria-pressed={name === mistake.value}
            onClick={() => chooseMistake(name)}
          >
            {text.chips[name]}
          </button>
        ))}
      </div>
      {mistake.value === ORDER ? <Visits /> : <Pitfall key={mistake.value} />}
    </>
  );
}

function Pitfall() {
  const text = deferredWords.value.broken;
  const name = mistake.value;
  const { title, about, cure } = text.known[name] ?? pitfallOf(name);
  const example = exampleOf(name);
  const read = attempt(() => prepare(example.expression));
  const refused = read instanceof GradientError ? read : null;
  const isOther = ![example.expression, fixedOf(name)?.expression].includes(expression.value);
  const [change] = Object.entries(changedValues.value);
  return (
    <>
      <h2>{title}</h2>
      <p class="small">{about}</p>
      {experimentOptions.value?.mutate !== undefined && change !== undefined && (
        <p class="small">
          <Rich text={text.changes(change[0], short(change[1]))} />
        </p>
      )}
      {refused !== null && (
        <p class="verdict off small">
          {text.refused}{" "}
          <Rich text={faultMessage(deferredWords.value.fault, refused, example.expression)} />
        </p>
      )}
      <GradientComparison />
      <div class="actions">
        <button class="primary" onClick={play}>
          {side.value === "wrong" ? text.playWrong : text.playRight}
        </button>
        {refused === null && <Sides />}
      </div>
      <StepComparison />
      <p class="small">
        <b>{text.cure}:</b> <Rich text={cure} />
      </p>
      {isOther && (
        <div class="actions">
          <button onClick={() => showSide(refused === null ? "wrong" : "right", true)}>
            {text.example(example.expression)}
          </button>
        </div>
      )}
    </>
  );
}

function Sides() {
  const text = deferredWords.value.broken;
  return (
    <RadioGroup<Side>
      label={text.onStage}
      name="side"
      options={[
        ["wrong", `✕ ${text.wrong}`],
        ["right", `✓ ${text.right}`],
      ]}
      chosen={side.value}
      choose={showSide}
    />
  );
}

/** By variable: what the mistake gives, and what is right. */
function GradientComparison() {
  const text = deferredWords.value.broken;
  const rows = gradientRows();
  return (
    <table class="comparison">
      <TableHead of={[text.variable, text.wrong, text.right]} />
      <tbody>
        {rows.map(([name, wrong, right]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class={`mono ${wrong === right ? "" : "bad"}`}>
              {wrong === undefined ? "" : short(wrong)}
              {wrong === right ? "" : " ✕"}
            </td>
            <td class="mono good">{short(right)} ✓</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** From the walk where there is one; of a mistake in the program what the service publishes. */
function gradientRows(): (readonly [string, number | undefined, number])[] {
  const found = walked.value;
  if (found !== null) {
    const { gradients } = shown.value.document;
    return Object.entries(gradients).map(([name, right]) => [
      name,
      found.walk.gradients[name]!,
      right,
    ]);
  }
  const { wrong, right } = pitfallOf(mistake.value);
  const given = definedValues(wrong);
  return Object.entries(definedValues(right)).map(([name, number]) => [name, given[name], number]);
}

/** The steps of both, one beside the other, in step with the stage. */
function StepComparison() {
  const text = deferredWords.value.broken;
  const found = walked.value;
  if (found === null) return null;
  const { edges } = shown.value.document;
  const steps = walkSteps(found);
  const here = side.value === "wrong" ? steps.indexOf(current.value?.edge as never) : -1;
  const at = here >= 0 ? here : ticks.value.findIndex((tick) => tick === current.value);
  return (
    <table class="comparison">
      <TableHead of={[text.step, text.wrong, text.right]} />
      <tbody>
        {steps.map((step, place) => {
          const right = edges[step.id]!;
          const isOnce = steps.findIndex(({ id }) => id === step.id) === place;
          return (
            <tr key={place} class={place === at ? "now" : ""}>
              <th scope="row">
                {nameOf(shown.value, step.to)} → {nameOf(shown.value, step.from)}
              </th>
              <td class={`mono ${step.defect === null ? "" : "bad"}`}>
                {short(step.contribution ?? 0)}
                {step.defect !== null && ` ${step.defect.word}`}
              </td>
              <td class="mono">{isOnce ? short(right.contribution ?? 0) : ""}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
