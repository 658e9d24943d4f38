/** Under a card's numbers: how many of their bits are right, and on a click what became of the others. */

import { batch, effect } from "@preact/signals";
import type { NumberAccuracy, Part } from "../../../engine_ts/src/accuracy/accuracy.ts";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import type { Node } from "../../../engine_ts/src/template.ts";
import { accuracyWords } from "../accuracy_words.ts";
import { compared, explained } from "../state/accuracy.ts";
import { otherWalk } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { computedData, reaches } from "../state/reach.ts";
import { accurate, chosen, remark } from "../state/view.ts";
import { explain } from "../words/accuracy.ts";
import { nameOf } from "../words/names.ts";

const BITS = 53;

export function Bits({ node }: { node: Node }) {
  const found = compared.value;
  if (found instanceof GradientError || node.kind === "constant") return null;
  const { data, grad } = found.nodes[node.id]!;
  const { arrived, expected } = reaches.value[node.id]!;
  const isWhole = node.grad !== null && expected > 0 && arrived === expected;
  return (
    <div class="bits-row">
      {computedData.value[node.id] && <Bar node={node} part="data" beside={data} />}
      {isWhole && otherWalk.value === null && <Bar node={node} part="grad" beside={grad!} />}
    </div>
  );
}

interface BarProps {
  readonly node: Node;
  readonly part: Part;
  readonly beside: NumberAccuracy;
}

function Bar({ node: { id }, part, beside: { true: truth, bits } }: BarProps) {
  const text = accuracyWords.value;
  // An error that is no double leaves none.
  const right = bits ?? 0;
  const name = nameOf(shown.value, id);
  return (
    <button
      class={`bits ${part}`}
      aria-label={truth === null ? text.noTruth(part, name) : text.bits(part, name, right)}
      onClick={(event) => {
        event.stopPropagation();
        tell(id, part);
      }}
    >
      <i class="bed">
        <i class="right" style={`width:${(100 * right) / BITS}%`} />
      </i>
      <span class="count">{truth === null ? "?" : right}</span>
    </button>
  );
}

/** Say what is true of a number, as long as that is asked for and the wave rests. */
function tell(node: number, number: Part): void {
  batch(() => {
    chosen.value = null;
    say(() => {
      const found = explained({ node, number });
      return found && explain(accuracyWords.value, shown.value, found);
    });
  });
  // On a phone the play bar stands over what is below.
  requestAnimationFrame(() => document.querySelector(".say")?.scrollIntoView({ block: "nearest" }));
}

effect(() => {
  if (accurate.value && compared.value instanceof GradientError)
    say(() => accuracyWords.value.tooMuch);
});
effect(() => {
  if (accurate.value && remark.peek() === null) say(() => accuracyWords.value.invite);
});

function say(sentence: () => string | null): void {
  remark.value = () => (accurate.value ? sentence() : null);
}
