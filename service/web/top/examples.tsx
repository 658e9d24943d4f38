/** A row of examples; a click loads one, and its sentence appears below the graph. */

import { batch, signal } from "@preact/signals";
import examples from "../../../schemas/examples.json" with { type: "json" };
import { Chip, More } from "../controls.tsx";
import { interactionWords } from "../interaction_words.ts";
import { definedValues } from "../state/mistakes.ts";
import { goTo, seeded } from "../state/play.ts";
import { expanded, expression, loadProgram } from "../state/program.ts";
import { announcement, turnBack, showsAccuracy } from "../state/view.ts";
import { words } from "../words.ts";

type Example = (typeof examples.examples)[number];

/** The first examples, beginning with the lessons'; the others are behind a button. */
const FIRST_EXAMPLES = ["sum-times-factor", "square-by-product", "diamond", "tanh-neuron"];

/** Examples about lost bits. */
const ACCURACY_EXAMPLES = [
  "roots-that-cancel",
  "saturated-tanh",
  "softplus-by-hand",
  "variance-below-zero",
  "lost-in-a-sum",
];

const EXAMPLES: readonly Example[] = [
  ...FIRST_EXAMPLES.map((name) => examples.examples.find((each) => each.name === name)!),
  ...examples.examples.filter(({ name }) => !FIRST_EXAMPLES.includes(name)),
];

const showsAllExamples = signal(false);

export function Examples() {
  const { allExamples } = interactionWords.value;
  const { examples: lead } = words.value;
  const isAll = showsAllExamples.value;
  return (
    <div class={`slot${isAll ? " wraps" : ""}`} role="group" aria-label={lead}>
      <span class="lead">{lead}</span>
      <div class="line">
        {EXAMPLES.filter((each, at) => isAll || at < FIRST_EXAMPLES.length || isLoaded(each)).map(
          (each) => (
            <Chip
              key={each.name}
              title={textOf(each).about}
              isOn={isLoaded(each)}
              press={() => chooseExample(each)}
            >
              {textOf(each).title}
            </Chip>
          ),
        )}
      </div>
      <More of={showsAllExamples}>{allExamples(EXAMPLES.length)}</More>
    </div>
  );
}

/** Return an example's texts in the chosen language. */
function textOf(example: Example): { readonly title: string; readonly about: string } {
  const own = interactionWords.value.examples[example.name]?.split(" | ");
  return own === undefined ? example : { title: own[0]!, about: own[1]! };
}

/** Whether an example is loaded; if several share its expression, also in its view. */
function isLoaded({ request }: Example): boolean {
  const same = EXAMPLES.filter((each) => each.request.expression === request.expression);
  const isAsked = same.length === 1 || "view" in request === expanded.value;
  return request.expression === expression.value && isAsked;
}

function chooseExample(example: Example): void {
  const { name, request } = example;
  batch(() => {
    loadProgram({ parameters: [], ...request, values: definedValues(request.values) });
    expanded.value = "view" in request;
    showsAccuracy.value = ACCURACY_EXAMPLES.includes(name);
    turnBack();
    goTo(0);
    seeded.value = false;
    showsAllExamples.value = false;
  });
  announcement.value = () => textOf(example).about;
}
