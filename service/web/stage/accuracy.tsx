/** How many bits of each number are right, and what a central difference is off by. */

import { batch, computed, effect } from "@preact/signals";
import { compare } from "../../../engine_ts/src/accuracy/accuracy.ts";
import type {
  Accuracy,
  AccuracyOptions,
  NumberAccuracy,
  Part,
  Why,
} from "../../../engine_ts/src/accuracy/accuracy.ts";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import type { Node } from "../../../engine_ts/src/template.ts";
import { attempt } from "../state/helpers.ts";
import { isDataKnown, otherWalk, partialGrads } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { announcement, selectedEdge, showsAccuracy } from "../state/view.ts";
import { translation } from "../words.ts";
import { explain } from "../words/accuracy.ts";
import { ACCURACY } from "../words/en.ts";
import { nameOf, short } from "../words/text.tsx";

const accuracyWords = computed(() => translation.value?.accuracy ?? ACCURACY);

/** Less than the engine would do, for a slider has to be followed. */
const LIMITS = { truth_work: 50_000, evaluations: 50_000 };

/** Compare what is shown with the truth; the engine's word where that is too much work. */
function compareShown(options: AccuracyOptions): Accuracy | GradientError {
  const { document, values } = shown.value;
  const given = new Map(Object.entries(values));
  return attempt(() => compare(document, given, document, options, LIMITS));
}

const compared = computed(() => compareShown({ most: 0 }));

/** The same with the rounding that most of a number's error comes from. */
function explained(why: Why): Accuracy | null {
  const found = compareShown({ why, most: 1 });
  return found instanceof GradientError ? null : found;
}

/** The same with other ways to each gradient. */
const witnessed = computed(() => compareShown({ most: 0, witnesses: true }));

const BITS = 53;

export function Bits({ node }: { node: Node }) {
  const found = compared.value;
  if (found instanceof GradientError || node.kind === "constant") return null;
  const { data, grad } = found.nodes[node.id]!;
  const { arrived, expected } = partialGrads.value[node.id]!;
  const isWhole = node.grad !== null && expected > 0 && arrived === expected;
  return (
    <div class="bits-row">
      {isDataKnown.value[node.id] && <Bar node={node} part="data" beside={data} />}
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
        explainNumber(id, part);
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
function explainNumber(node: number, number: Part): void {
  batch(() => {
    selectedEdge.value = null;
    announce(() => {
      const found = explained({ node, number });
      return found && explain(accuracyWords.value, shown.value, found);
    });
  });
  // On a phone the play bar stands over what is below.
  requestAnimationFrame(() =>
    document.querySelector(".sentence")?.scrollIntoView({ block: "nearest" }),
  );
}

effect(() => {
  if (showsAccuracy.value && compared.value instanceof GradientError)
    announce(() => accuracyWords.value.tooMuch);
});
effect(() => {
  if (showsAccuracy.value && announcement.peek() === null)
    announce(() => accuracyWords.value.invite);
});

function announce(sentence: () => string | null): void {
  announcement.value = () => (showsAccuracy.value ? sentence() : null);
}

/** Around the curve, and the line below it for what stands at its ends. */
const [WIDTH, HEIGHT, PAD, FLOOR] = [350, 148, 12, 18];

export function CentralDifferences({ name }: { name: string }) {
  const text = accuracyWords.value.quotients;
  const found = witnessed.value;
  if (found instanceof GradientError) return <p class="muted">{accuracyWords.value.tooMuch}</p>;
  const differences = found.witnesses!.variables[name]!.central.filter(
    ({ error }) => error !== null,
  );
  if (differences.length === 0) return <p class="muted">{text.none}</p>;
  const best = differences.reduce((least, each) =>
    absoluteError(each) < absoluteError(least) ? each : least,
  );
  const backward = absoluteError(found.gradients[name]!);
  const [widest, narrowest] = [differences[0]!.step, differences.at(-1)!.step];
  const across = logScale([narrowest, widest], PAD, WIDTH - PAD);
  const up = logScale([...differences.map(absoluteError), backward], HEIGHT - FLOOR - PAD, PAD);
  const points = differences.map((each) => `${across(each.step)} ${up(absoluteError(each))}`);
  return (
    <figure class="quotients">
      <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <path class="tangent" d={`M0 ${up(backward)}H${WIDTH}`} />
        <path class="plot" d={`M${points.join("L")}`} />
        <circle class="here" cx={across(best.step)} cy={up(absoluteError(best))} r="4.5" />
        <text x="6" y={HEIGHT - 6}>
          {short(narrowest)} ← {text.rounding}
        </text>
        <text x={WIDTH - 6} y={HEIGHT - 6} class="at-end">
          {text.truncation} → {short(widest)}
        </text>
      </svg>
      <figcaption class="legend">
        <b class="d">{text.title(name)}</b>
        <span>{text.best(short(absoluteError(best)), short(best.step))}</span>
        <b class="g">{text.backward(short(backward))}</b>
      </figcaption>
    </figure>
  );
}

function absoluteError({ error }: { readonly error: number | null }): number {
  return Math.abs(error!);
}

/** Where a size is drawn; what is 0 has no place on such a scale, and stands where the least does. */
function logScale(sizes: readonly number[], first: number, last: number) {
  const logs = sizes.filter((size) => size > 0).map(Math.log10);
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  return (size: number) => {
    const share = size === 0 ? 0 : (Math.log10(size) - low) / (high - low || 1);
    return Number((first + share * (last - first)).toFixed(1));
  };
}
