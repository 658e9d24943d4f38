/** One sentence that says what just happened; the only part of the page that is read aloud by itself. */

import { computed, effect, untracked } from "@preact/signals";
import { fault, shown } from "../state/program.ts";
import { atEnd, beat, isOver, otherWalk, playing, speed, step, way } from "../state/play.ts";
import { chosen, remark } from "../state/view.ts";
import { loaded } from "../lazy.tsx";
import { Rich } from "../words/rich.tsx";
import { tell } from "./telling.ts";

/** Milliseconds in which a word is read, and that a tick takes at least. */
const [WORD, LEAST] = [260, 1_400];

// The wave goes on, so what was read or tried before is over.
effect(() => {
  void [step.value, way.value, shown.value.prepared];
  untracked(() => {
    chosen.value = null;
    remark.value = null;
  });
});

const sentence = computed(() => {
  const later = loaded.value;
  const text = later?.laterWords.value;
  if (fault.value !== null) return text?.fault.follows ?? "";
  const program = shown.value;
  const edge = chosen.value === null ? undefined : program.document.edges[chosen.value];
  if (edge !== undefined && later && text) return later.derivative(text, program, edge);
  const isTold = isOver.value && way.value === "backward" && otherWalk.value === null;
  return remark.value?.() ?? ((isTold && later?.endingOf(program)) || tell(program));
});

// A tick takes as long as its sentence is read.
effect(() => {
  beat.value = Math.max(LEAST, WORD * sentence.value.split(" ").length);
});

export function Sentence() {
  const isQuick = playing.value && speed.value > 1 && !atEnd.value;
  return (
    <p
      class={`say${fault.value === null ? "" : " soft"}`}
      role="status"
      aria-live={isQuick ? "off" : "polite"}
    >
      <Rich text={sentence.value} />
    </p>
  );
}
