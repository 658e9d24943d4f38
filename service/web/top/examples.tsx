/** A row of examples; a click takes one, and its sentence stands under the graph. */

import { batch, signal } from "@preact/signals";
import examples from "../../../schemas/examples.json";
import { deferredWords } from "../deferred_words.ts";
import { definedValues } from "../state/break.ts";
import { goTo, seeded } from "../state/play.ts";
import { expanded, expression, loadProgram } from "../state/program.ts";
import type { Request } from "../state/program.ts";
import { announcement, resetView, showsAccuracy } from "../state/view.ts";
import { words } from "../words.ts";

interface Preset {
  readonly name: string;
  /** In English. */
  readonly title: string;
  readonly about: string;
  readonly request: Request;
  readonly isPrimitive: boolean;
  /** Whether it is about the bits that are lost. */
  readonly isAccuracy: boolean;
}

/** The first ones, those of the lessons before all; the others are behind a button. */
const FIRST_EXAMPLES = [
  "sum-times-factor",
  "square-by-product",
  "diamond",
  "negative-gradient",
  "squared-error",
  "tanh-neuron",
  "dead-neuron",
  "logistic",
  "cross-entropy",
  "log-sum-exp",
];

const ACCURACY_EXAMPLES = [
  "roots-that-cancel",
  "saturated-tanh",
  "softplus-by-hand",
  "variance-below-zero",
  "lost-in-a-sum",
];

function presetOf(example: (typeof examples.examples)[number]): Preset {
  const { name, title, about, request: given } = example;
  const { expression, values } = given;
  const parameters = "parameters" in given ? (given.parameters ?? []) : [];
  const request = { expression, values: definedValues(values), parameters };
  const isAccuracy = ACCURACY_EXAMPLES.includes(name);
  return { name, title, about, request, isPrimitive: "view" in given, isAccuracy };
}

const all = examples.examples.map(presetOf);

const EXAMPLES: readonly Preset[] = [
  ...FIRST_EXAMPLES.map((name) => all.find((each) => each.name === name)!),
  ...all.filter(({ name }) => !FIRST_EXAMPLES.includes(name)),
];

const showsAllExamples = signal(false);

export function Examples() {
  const all = EXAMPLES;
  const text = words.value;
  const shown = all.filter(
    (each, at) => showsAllExamples.value || at < FIRST_EXAMPLES.length || isLoaded(each),
  );
  return (
    <div
      class={`slot${showsAllExamples.value ? " wraps" : ""}`}
      role="group"
      aria-label={text.examples}
    >
      <span class="lead">{text.examples}</span>
      <div class="line">
        {shown.map((preset) => (
          <button
            key={preset.name}
            class="chip"
            title={textOf(preset).about}
            aria-pressed={isLoaded(preset)}
            onClick={() => chooseExample(preset)}
          >
            {textOf(preset).title}
          </button>
        ))}
      </div>
      <button
        class="chip more"
        aria-expanded={showsAllExamples.value}
        onClick={() => (showsAllExamples.value = !showsAllExamples.value)}
      >
        {deferredWords.value.allExamples(all.length)}{" "}
        <span aria-hidden="true">{showsAllExamples.value ? "▴" : "▾"}</span>
      </button>
    </div>
  );
}

/** What is said of an example in the chosen language. */
function textOf(preset: Preset): { readonly title: string; readonly about: string } {
  return deferredWords.value.examples[preset.name] ?? preset;
}

function isLoaded({ request, isPrimitive }: Preset): boolean {
  const same = EXAMPLES.filter((each) => each.request.expression === request.expression);
  const isOnly = same.length === 1;
  return request.expression === expression.value && (isOnly || isPrimitive === expanded.value);
}

function chooseExample(preset: Preset): void {
  const { request, isPrimitive, isAccuracy } = preset;
  batch(() => {
    loadProgram(request);
    expanded.value = isPrimitive;
    showsAccuracy.value = isAccuracy;
    resetView();
    goTo(0);
    seeded.value = false;
    showsAllExamples.value = false;
  });
  announcement.value = () => textOf(preset).about;
}
