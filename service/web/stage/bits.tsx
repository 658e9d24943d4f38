/** Under a card's numbers: how many of their bits are right, and on a click what became of the others. */

import { batch, effect } from "@preact/signals";
import type { Beside } from "../../../engine_ts/src/accuracy/accuracy.ts";
import type { Part } from "../../../engine_ts/src/accuracy/asks.ts";
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
import { onKey } from "./arrow.tsx";
import { bandOf } from "./card.tsx";
import type { Size } from "./size.ts";

const BITS = 53;
/** The bar's height, and its distance from the card's sides. */
const [HIGH, ASIDE] = [3.5, 8];
/** What its number takes, where there is room for one. */
const DIGITS = 14;

export function Bits({ node, size }: { node: Node; size: Size }) {
  const found = compared.value;
  if (found instanceof GradientError || node.kind === "constant") return null;
  const { data, grad } = found.nodes[node.id]!;
  const { arrived, expected } = reaches.value[node.id]!;
  const isWhole = node.grad !== null && expected > 0 && arrived === expected;
  return (
    <>
      {computedData.value[node.id] && <Bar node={node} part="data" beside={data} size={size} />}
      {isWhole && otherWalk.value === null && (
        <Bar node={node} part="grad" beside={grad!} size={size} />
      )}
    </>
  );
}

interface BarProps {
  readonly node: Node;
  readonly part: Part;
  readonly beside: Beside;
  readonly size: Size;
}

function Bar({ node: { id }, part, beside: { true: truth, bits }, size }: BarProps) {
  const text = accuracyWords.value;
  // An error that is no double leaves none.
  const right = bits ?? 0;
  const [half, high] = [size.cardWidth / 2, size.cardHeight / 2];
  const isTold = size.kind === "full" || size.kind === "medium";
  const floor = bandOf(size) - high;
  const y = high - HIGH - (size.kind === "dense" ? 2 : 4);
  const left = part === "data" ? -half : 0;
  const width = half - 2 * ASIDE - (isTold ? DIGITS : 0);
  const name = nameOf(shown.value, id);
  const ask = () => tell(id, part);
  return (
    <g
      class={`bits ${part}`}
      role="button"
      tabindex={0}
      aria-label={truth === null ? text.noTruth(part, name) : text.bits(part, name, right)}
      onClick={ask}
      onKeyDown={onKey(ask)}
    >
      <rect
        class="hit"
        x={left + 2}
        y={floor + 2}
        width={half - 4}
        height={high - floor - 4}
        rx="6"
      />
      <rect class="bed" x={left + ASIDE} y={y} width={width} height={HIGH} />
      <rect class="right" x={left + ASIDE} y={y} width={(width * right) / BITS} height={HIGH} />
      {isTold && (
        <text class="count" x={left + half - ASIDE} y={high - 2.5}>
          {truth === null ? "?" : right}
        </text>
      )}
    </g>
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
