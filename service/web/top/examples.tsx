/** A row of examples; a click takes one, and its sentence stands under the graph. */

import { batch, signal } from "@preact/signals";
import { expanded, expression, take } from "../state/program.ts";
import { goTo, seeded } from "../state/play.ts";
import { accurate, remark, resetView } from "../state/view.ts";
import { laterWords } from "../later_words.ts";
import { words } from "../words.ts";
import { EXAMPLES, FEW } from "./presets.ts";
import type { Preset } from "./presets.ts";

const showsAll = signal(false);

export function Examples() {
  const all = EXAMPLES;
  const text = words.value;
  const known = laterWords.value.examples;
  const shown = all.filter((each, at) => showsAll.value || at < FEW || isTaken(each));
  return (
    <div class={`slot${showsAll.value ? " wraps" : ""}`} role="group" aria-label={text.examples}>
      <span class="lead">{text.examples}</span>
      {shown.map((preset) => (
        <button
          key={preset.name}
          class="chip"
          title={known[preset.name]!.about}
          aria-pressed={isTaken(preset)}
          onClick={() => choose(preset)}
        >
          {known[preset.name]!.title}
        </button>
      ))}
      <button
        class="chip more"
        aria-expanded={showsAll.value}
        onClick={() => (showsAll.value = !showsAll.value)}
      >
        {showsAll.value ? laterWords.value.fewerExamples : laterWords.value.allExamples(all.length)}{" "}
        <span aria-hidden="true">{showsAll.value ? "▴" : "▾"}</span>
      </button>
    </div>
  );
}

function isTaken({ request, isPrimitive }: Preset): boolean {
  const same = EXAMPLES.filter((each) => each.request.expression === request.expression);
  const isOnly = same.length === 1;
  return request.expression === expression.value && (isOnly || isPrimitive === expanded.value);
}

export function choose({ name, request, isPrimitive, isAccuracy }: Preset): void {
  batch(() => {
    take(request);
    expanded.value = isPrimitive;
    accurate.value ||= isAccuracy;
    resetView();
    goTo(0);
    seeded.value = false;
    showsAll.value = false;
  });
  remark.value = () => laterWords.value.examples[name]!.about;
}
