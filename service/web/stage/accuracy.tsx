/** How many bits of each number are correct, which rounding lost the rest; central differences. */

import { batch, computed, effect } from "@preact/signals";
import { compare } from "../../../engine_ts/src/accuracy/accuracy.ts";
import type {
  Accuracy,
  AccuracyOptions,
  Culprit,
  NumberAccuracy,
  Part,
} from "../../../engine_ts/src/accuracy/accuracy.ts";
import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import type { Node } from "../../../engine_ts/src/template.ts";
import { attempt } from "../state/helpers.ts";
import { isDataKnown, otherWalk, partialGrads } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { announcement, selectedEdge, showsAccuracy } from "../state/view.ts";
import { inChosenLanguage, wordsOf } from "../words.ts";
import { ACCURACY } from "../words/en.ts";
import { exact, nameOf, short, withMinus } from "../words/text.tsx";
import type { NamedDocument } from "../words/text.tsx";

const text = inChosenLanguage(wordsOf("accuracy", ACCURACY));

/** Less work than the engine allows, to keep up with a slider. */
const LIMITS = { truth_work: 50_000, evaluations: 50_000 };

/** Compare the numbers shown with the exact values; return an error if that exceeds `LIMITS`. */
function compareShown(options: AccuracyOptions): Accuracy | GradientError {
  const { document, values } = shown.value;
  const given = new Map(Object.entries(values));
  return attempt(() => compare(document, given, document, options, LIMITS));
}

const compared = computed(() => compareShown({ most: 0 }));

/** The same comparison, with other ways to compute each gradient. */
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
      {isDataKnown.value[node.id] && <Bar node={node} part="data" accuracy={data} />}
      {isWhole && otherWalk.value === null && <Bar node={node} part="grad" accuracy={grad!} />}
    </div>
  );
}

interface BarProps {
  readonly node: Node;
  readonly part: Part;
  readonly accuracy: NumberAccuracy;
}

function Bar({ node: { id }, part, accuracy: { true: truth, bits } }: BarProps) {
  // If the error is not finite, no bit is correct.
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

/** Explain a number's error until the next step. */
function explainNumber(node: number, number: Part): void {
  batch(() => {
    selectedEdge.value = null;
    announce(() => {
      // Only the rounding that contributes most to the error. Any claim returns its node's kinks.
      const claimed = number === "grad" ? { [node]: 0 } : {};
      const found = compareShown({ why: { node, number }, most: 1, claimed });
      return found instanceof GradientError ? null : explain(shown.value, found);
    });
  });
  // On a phone the play bar may cover the sentence.
  requestAnimationFrame(() =>
    document.querySelector(".sentence")?.scrollIntoView({ block: "nearest" }),
  );
}

effect(() => {
  if (showsAccuracy.value && compared.value instanceof GradientError) announce(() => text.tooMuch);
});
effect(() => {
  if (showsAccuracy.value && announcement.peek() === null) announce(() => text.invite);
});

function announce(sentence: () => string | null): void {
  announcement.value = () => (showsAccuracy.value ? sentence() : null);
}

/** In pixels; `PAD` is the margin of the curve, `FLOOR` the height of the text below it. */
const [WIDTH, HEIGHT, PAD, FLOOR] = [350, 148, 12, 18];

export function CentralDifferences({ name }: { name: string }) {
  const { quotients } = text;
  const found = witnessed.value;
  if (found instanceof GradientError) return <p class="muted">{text.tooMuch}</p>;
  const differences = found.witnesses!.variables[name]!.central.filter(
    ({ error }) => error !== null,
  );
  if (differences.length === 0) return <p class="muted">{quotients.none}</p>;
  const [best] = differences.toSorted((one, other) => absoluteError(one) - absoluteError(other));
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
        <circle class="here" cx={across(best!.step)} cy={up(absoluteError(best!))} r="4.5" />
        <text x="6" y={HEIGHT - 6}>
          {short(narrowest)} ← {quotients.rounding}
        </text>
        <text x={WIDTH - 6} y={HEIGHT - 6} class="at-end">
          {quotients.truncation} → {short(widest)}
        </text>
      </svg>
      <figcaption class="legend">
        <b class="d">{quotients.title(name)}</b>
        <span>{quotients.best(short(absoluteError(best!)), short(best!.step))}</span>
        <b class="g">{quotients.backward(short(backward))}</b>
      </figcaption>
    </figure>
  );
}

function absoluteError({ error }: { readonly error: number | null }): number {
  return Math.abs(error!);
}

/** Map sizes to places on a logarithmic scale; 0 gets the place of the smallest other size. */
function logScale(sizes: readonly number[], first: number, last: number) {
  const logs = sizes.filter((size) => size > 0).map(Math.log10);
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  return (size: number) => {
    const share = size === 0 ? 0 : (Math.log10(size) - low) / (high - low || 1);
    return Number((first + share * (last - first)).toFixed(1));
  };
}

/** A sum smaller than its terms by more than this factor has cancelled. */
const CANCELS = 2 ** 8;
/** By operation: the formula of R3 whose digits cancel if `out` is nearly 1. */
const FLAT: Readonly<Record<string, string>> = {
  tanh: "1 − out * out",
  sigmoid: "out * (1 − out)",
};

/** Return sentences on a number's error: which rounding caused it, and with which weight. */
function explain(
  shown: NamedDocument,
  { nodes, why: { node, number, error, culprits }, claims }: Accuracy,
): string {
  const name = nameOf(shown, node);
  const accuracy = nodes[node]![number]!;
  const { true: truth, bits, reason } = accuracy;
  if (truth === null) return `${text.noTruth(number, name)}. ${text.reasons[reason!]}`;
  const has = shown.document.nodes[node]![number]!;
  const right = bits === BITS ? text.allRight(number, name) : text.right(bits ?? 0, number, name);
  const sentences = [right, comparison(accuracy, has, number)];
  const [kink] = number === "grad" ? claims[node]!.kinks : [];
  if (kink !== undefined) sentences.push(text.atKink(nameOf(shown, kink)));
  const [culprit] = culprits;
  if (culprit !== undefined && has !== truth) {
    const [rounding, weight] = [culprit.rounding, culprit.weight].map((each) =>
      marked(each, "data"),
    );
    const [share, whole] = [culprit.share, error].map((each) => marked(each, number));
    const part = share === whole ? text.wholeShare(share!) : text.share(share!, whole!);
    sentences.push(text.culprit(roundedOf(shown, culprit), rounding!, weight!, part));
    sentences.push(plainly(shown, culprit, node, number, truth));
  }
  return [...sentences, given(shown.document)].filter((each) => each !== "").join(" ");
}

/** Return the number and its exact value, with enough digits to differ. */
function comparison({ true: truth, error }: NumberAccuracy, has: number, part: Part): string {
  const write = short(has) === short(truth!) ? exact : short;
  const own = marked(has, part, write);
  if (error === 0) return text.exactly(own);
  return has === truth ? text.nearest(own) : text.truly(own, marked(truth, part, write));
}

function marked(number: number | null, part: Part, write: (number: number) => string = short) {
  return `[${part === "data" ? "d" : "g"}:${number === null ? "∞" : write(number)}]`;
}

function roundedOf(shown: NamedDocument, { kind, node, slot }: Culprit) {
  const name = nameOf(shown, node);
  if (kind === "data") return `\`${name}\``;
  const edge = shown.document.edges.find((each) => each.to === node && each.slot === slot);
  return text.rounded[kind]({ from: name, to: edge === undefined ? "" : nameOf(shown, edge.from) });
}

/** Describe how the digits were lost; empty if that has no name. */
function plainly(
  shown: NamedDocument,
  { kind, node: at }: Culprit,
  node: number,
  number: Part,
  truth: number,
): string {
  const { nodes, edges } = shown.document;
  const { operation, data: out } = nodes[at]!;
  const formula = FLAT[operation!];
  const terms = edges.filter(({ to }) => to === at).map(({ from }) => nodes[from]!);
  if (kind === "data" && number === "grad" && formula !== undefined) {
    const one = marked(Math.sign(out), "data", exact);
    if (Math.abs(out) === 1) return text.absorbed(nameOf(shown, at), one, formula);
    if (1 - Math.abs(out) < 1 / CANCELS) return text.flat(nameOf(shown, at), one, formula);
  }
  if (kind === "data" && isSum(operation)) {
    const size = Math.max(...terms.map(({ data }) => Math.abs(data)));
    const lost = terms.find(({ data }) => data !== 0 && Math.abs(data) < size);
    if (lost !== undefined && Math.abs(out) === size) {
      return text.absorbed(nameOf(shown, at), marked(out, "data"), nameOf(shown, lost.id));
    }
  }
  if (number === "grad") {
    const sent = edges.filter(({ from }) => from === node).map(({ contribution }) => contribution);
    const size = Math.max(...sent.map((each) => Math.abs(each ?? 0)));
    if (size <= Math.abs(truth) * CANCELS) return "";
    return text.cancels(nameOf(shown, node), marked(size, number), marked(truth, number));
  }
  const where = cancelling(shown.document, at, node);
  if (where === null) return "";
  const left = marked(nodes[where.id]!.data, number);
  return text.cancels(nameOf(shown, where.id), marked(where.size, number), left);
}

/** Find the sum or difference between two nodes that is smallest relative to its terms. */
function cancelling(document: GradientDocument, from: number, to: number) {
  const { nodes, edges } = document;
  const below = new Set([from]);
  for (const edge of edges) if (below.has(edge.from)) below.add(edge.to);
  const above = new Set([to]);
  for (const edge of edges.toReversed()) if (above.has(edge.to)) above.add(edge.from);
  let [found, most] = [null as { id: number; size: number } | null, CANCELS];
  for (const { id, operation, data } of nodes) {
    if (id === from || !below.has(id) || !above.has(id) || !isSum(operation)) continue;
    const terms = edges.filter((edge) => edge.to === id).map((edge) => nodes[edge.from]!.data);
    const size = Math.max(...terms.map(Math.abs));
    const by = size / Math.abs(data);
    if (by > most) [found, most] = [{ id, size }, by];
  }
  return found;
}

function isSum(operation: string | null): boolean {
  return operation === "+" || operation === "-";
}

/** Name the double that replaces a typed number, if one is not exact. */
function given({ nodes }: GradientDocument): string {
  const leaf = nodes.find(({ operation, data }) => operation === null && !isExact(data));
  if (leaf === undefined) return "";
  return text.given(exact(leaf.data), withMinus(leaf.data.toPrecision(20)));
}

/** Whether the shortest text of a double is its exact value. */
function isExact(value: number): boolean {
  return value.toExponential(100).replace(/\.?0+e/, "e") === value.toExponential();
}
