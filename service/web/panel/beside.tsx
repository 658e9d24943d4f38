/** A mistake beside what is right, as tables: by variable, and step by step. */

import { mistake, pitfallOf, side } from "../state/break.ts";
import { Heads } from "./heads.tsx";
import { stepsOf, walked } from "./outcome.ts";
import { known } from "../state/known.ts";
import { current, ticks } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { laterWords } from "../later_words.ts";
import { nameOf } from "../words/names.ts";
import { short } from "../words/numbers.ts";

/** By variable: what the mistake gives, and what is right. */
export function Gradients() {
  const text = laterWords.value.broken;
  const rows = gradientRows();
  return (
    <table class="beside">
      <Heads of={[text.variable, text.wrong, text.right]} />
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
  const given = known(wrong);
  return Object.entries(known(right)).map(([name, number]) => [name, given[name], number]);
}

/** The steps of both, one beside the other, in step with the stage. */
export function Steps() {
  const text = laterWords.value.broken;
  const found = walked.value;
  if (found === null) return null;
  const { edges } = shown.value.document;
  const steps = stepsOf(found);
  const here = side.value === "wrong" ? steps.indexOf(current.value?.edge as never) : -1;
  const at = here >= 0 ? here : ticks.value.findIndex((tick) => tick === current.value);
  return (
    <table class="beside">
      <Heads of={[text.step, text.wrong, text.right]} />
      <tbody>
        {steps.map((step, place) => {
          const right = edges[step.id]!;
          const isOnce = steps.findIndex(({ id }) => id === step.id) === place;
          return (
            <tr key={place} class={place === at ? "now" : ""}>
              <th scope="row">
                {nameOf(shown.value, step.to)} → {nameOf(shown.value, step.from)}
              </th>
              <td class={`mono ${step.harm === null ? "" : "bad"}`}>
                {short(step.contribution ?? 0)}
                {step.harm !== null && ` ${step.harm.word}`}
              </td>
              <td class="mono">{isOnce ? short(right.contribution ?? 0) : ""}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
