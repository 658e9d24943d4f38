/** A number beside the true one -> which rounding did it, and how, in a few sentences. */

import type {
  Accuracy,
  Culprit,
  NumberAccuracy,
  Part,
} from "../../../engine_ts/src/accuracy/accuracy.ts";
import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import type { AccuracyWords } from "./en.ts";
import { exact, nameOf, short, withMinus } from "./text.tsx";
import type { NamedDocument } from "./text.tsx";

/** What is smaller than its terms by more than this has cancelled. */
const CANCELS = 2 ** 8;
/** By operation: the slope of R3 that has nothing left where `out` is nearly 1. */
const FLAT: Readonly<Record<string, string>> = {
  tanh: "1 − out * out",
  sigmoid: "out * (1 − out)",
};

/** Tell what is true of a number, whose rounding it was and by which weight it counts. */
export function explain(
  text: AccuracyWords,
  shown: NamedDocument,
  { nodes, why: { node, number, error, culprits } }: Accuracy,
): string {
  const name = nameOf(shown, node);
  const beside = nodes[node]![number]!;
  const { true: truth, bits, reason } = beside;
  if (truth === null) return `${text.noTruth(number, name)}. ${text.reasons[reason!]}`;
  const has = shown.document.nodes[node]![number]!;
  const sentences = [text.right(number, name, bits ?? 0), told(text, beside, has, number)];
  const [culprit] = culprits;
  if (culprit !== undefined && has !== truth) {
    const { rounding, weight, share } = culprit;
    const marks = [marked(rounding, "data"), marked(weight, "data")] as const;
    const parts = [marked(share, number), marked(error, number)] as const;
    sentences.push(text.culprit(roundedOf(text, shown, culprit), ...marks, ...parts));
    sentences.push(plainly(text, shown, culprit, node, number, truth));
  }
  return [...sentences, given(text, shown.document)].filter((each) => each !== "").join(" ");
}

/** The number and the true one, with as many digits as tell them apart. */
function told(
  text: AccuracyWords,
  { true: truth, error }: NumberAccuracy,
  has: number,
  part: Part,
): string {
  const write = short(has) === short(truth!) ? exact : short;
  const [own, real] = [has, truth!].map((each) => `[${mark(part)}:${write(each)}]`) as [
    string,
    string,
  ];
  if (error === 0) return text.exactly(own);
  return has === truth ? text.nearest(own) : text.truly(own, real);
}

function mark(part: Part): "d" | "g" {
  return part === "data" ? "d" : "g";
}

function marked(number: number | null, part: Part): string {
  return `[${mark(part)}:${number === null ? "∞" : short(number)}]`;
}

function roundedOf(text: AccuracyWords, shown: NamedDocument, { kind, node, slot }: Culprit) {
  const name = nameOf(shown, node);
  if (kind === "data") return `\`${name}\``;
  const edge = shown.document.edges.find((each) => each.to === node && each.slot === slot);
  return text.rounded[kind](name, edge === undefined ? "" : nameOf(shown, edge.from));
}

/** What has happened to the digits, where that has a name. */
function plainly(
  text: AccuracyWords,
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
    const one = `[d:${exact(Math.sign(out))}]`;
    if (Math.abs(out) === 1) return text.saturated(nameOf(shown, at), one, formula);
    if (1 - Math.abs(out) < 1 / CANCELS) return text.flat(nameOf(shown, at), one, formula);
  }
  if (kind === "data" && isSum(operation)) {
    const size = Math.max(...terms.map(({ data }) => Math.abs(data)));
    const lost = terms.find(({ data }) => data !== 0 && Math.abs(data) < size);
    if (lost !== undefined && Math.abs(out) === size) {
      return text.absorbed(nameOf(shown, lost.id), nameOf(shown, at), `[d:${short(out)}]`);
    }
  }
  if (number === "grad") {
    const sent = edges.filter(({ from }) => from === node).map(({ contribution }) => contribution);
    const size = Math.max(...sent.map((each) => Math.abs(each ?? 0)));
    if (size <= Math.abs(truth) * CANCELS) return "";
    return text.cancelsAt(nameOf(shown, node), marked(size, number), marked(truth, number));
  }
  const where = cancelling(shown.document, at, node);
  if (where === null) return "";
  const left = marked(nodes[where.id]!.data, number);
  return text.cancels(nameOf(shown, where.id), marked(where.size, number), left);
}

/** The sum or difference, of those between two nodes, that is smallest beside its terms. */
function cancelling(document: GradientDocument, from: number, to: number) {
  const { nodes, edges } = document;
  const below = new Set([from]);
  for (const edge of edges) if (below.has(edge.from)) below.add(edge.to);
  const above = new Set([to]);
  for (const edge of edges.toReversed()) if (above.has(edge.to)) above.add(edge.from);
  const found = nodes
    .filter(
      ({ id, operation }) => id !== from && below.has(id) && above.has(id) && isSum(operation),
    )
    .map(({ id, data }) => {
      const terms = edges.filter((edge) => edge.to === id).map((edge) => nodes[edge.from]!.data);
      const size = Math.max(...terms.map(Math.abs));
      return { id, size, by: size / Math.abs(data) };
    });
  const most = found.reduce((best, each) => (each.by > best.by ? each : best), {
    ...{ id: to, size: 0, by: CANCELS },
  });
  return most.size === 0 ? null : most;
}

function isSum(operation: string | null): boolean {
  return operation === "+" || operation === "-";
}

/** Say what is computed with in place of a number that was typed, where one is no double. */
function given(text: AccuracyWords, { nodes }: GradientDocument): string {
  const leaf = nodes.find(({ operation, data }) => operation === null && !isExact(data));
  if (leaf === undefined) return "";
  return text.given(exact(leaf.data), withMinus(leaf.data.toPrecision(20)));
}

/** Whether the shortest text that is read as this double is its very value. */
function isExact(value: number): boolean {
  return value.toExponential(100).replace(/\.?0+e/, "e") === value.toExponential();
}
