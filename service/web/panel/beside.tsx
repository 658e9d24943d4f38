/** A mistake beside what is right, as tables: by variable, and step by step. */

import { GradientError } from "../../../engine_ts/src/errors.ts";
import { mistake, pitfallOf, side } from "../state/break.ts";
import { outcome, stepsOf } from "../state/outcome.ts";
import { current, ticks } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { laterWords } from "../words/later.ts";
import { nameOf } from "../words/names.ts";
import { short } from "../words/words.ts";

/** By variable: what the mistake gives, and what is right. */
export function Gradients() {
  const text = laterWords.value.broken;
  const rows = gradientRows();
  return (
    <table class="beside">
      <Head first={text.variable} />
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
  const found = outcome.value;
  if (found !== null && !(found instanceof GradientError)) {
    const { gradients } = shown.value.document;
    return Object.entries(gradients).map(([name, right]) => [
      name,
      found.walk.gradients[name]!,
      right,
    ]);
  }
  const { wrong, right } = pitfallOf(mistake.value);
  const known = Object.entries(right).filter(([, number]) => number !== undefined);
  return known.map(([name, number]) => [
    name,
    (wrong as Readonly<Record<string, number>>)[name],
    number as number,
  ]);
}

/** The steps of both, one beside the other, in step with the stage. */
export function Steps() {
  const text = laterWords.value.broken;
  const found = outcome.value;
  if (found === null || found instanceof GradientError) return null;
  const { edges } = shown.value.document;
  const steps = stepsOf(found);
  const here = side.value === "wrong" ? steps.indexOf(current.value?.edge as never) : -1;
  const at = here >= 0 ? here : ticks.value.findIndex((tick) => tick === current.value);
  return (
    <table class="beside">
      <Head first={text.step} />
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

/** What the rows are about, and the two sides. */
function Head({ first }: { first: string }) {
  const { wrong, right } = laterWords.value.broken;
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col">{wrong}</th>
        <th scope="col">{right}</th>
      </tr>
    </thead>
  );
}
