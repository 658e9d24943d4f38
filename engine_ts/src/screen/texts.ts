/** The texts of cards and labels, and their sizes, in `em` of the stage's font. */

import type { GradientDocument } from "../document.ts";
import type { Edge, Node } from "../template.ts";
import { digitsOf, NO_NUMBER } from "./digits.ts";
import type { Digits } from "./digits.ts";

/** Return the width of a text in `em`. */
export type Measure = (text: string, isBold?: boolean) => number;

/**
 * Kinds of cards: `words` has a row for the name, and two that begin with `data` and `grad`;
 * `column` has marks instead of these words; `pair` has both numbers in one row; `low` has data
 * next to the name; `line` has everything in one line.
 */
export const KINDS = ["words", "column", "pair", "low", "line"] as const;
export type CardKind = (typeof KINDS)[number];

/** Lines of a label: one, or one more for its result, or one per number. */
export const LINES = [1, 2, 3] as const;
export type LabelLines = (typeof LINES)[number];

export interface CardText {
  /** The name; a long one is shortened in the middle. */
  readonly name: string;
  readonly fullName: string;
  /** The operation's sign, if the card has a name. */
  readonly sign: string;
  readonly data: string;
  readonly grad: string;
  /** The scale of its font: less than 1 if a dragged number does not fit. */
  readonly scale: number;
}

export interface LabelText {
  readonly incoming: string;
  readonly local: string;
  readonly contribution: string;
  /** Whether a gradient flows along the arrow; if not, it has no label. */
  readonly hasGradient: boolean;
  readonly scale: number;
}

export interface TextOptions {
  /** The least width of a number that may change, as a text of that width. */
  readonly reserve?: string;
  /** Rows that a front end adds below the numbers of each card. */
  readonly extraRows?: number;
  /** The least width of a card. */
  readonly leastWidth?: number;
  /** Extra width next to each card's name, after its gradient, and after each label. */
  readonly extraTitle?: number;
  readonly extraGrad?: number;
  readonly extraLabel?: number;
  /** Edges shown instead of those with the same id. */
  readonly others?: readonly Edge[];
  readonly resultWord?: string;
}

/** Widths of the texts that may change. */
interface Widths {
  readonly data: readonly number[];
  readonly grad: readonly number[];
  readonly incoming: readonly number[];
  readonly local: readonly number[];
  readonly contribution: readonly number[];
  /** The widest partial sum, and the whole sum with its result; 0 if nothing is added. */
  readonly sum: readonly number[];
  readonly wholeSum: readonly number[];
}

/** By node or by edge. */
type Sizes = Float64Array;

export interface Texts {
  readonly document: GradientDocument;
  readonly measure: Measure;
  readonly options: TextOptions;
  readonly digits: Digits;
  readonly write: (number: number | null) => string;
  readonly cards: readonly CardText[];
  readonly labels: readonly LabelText[];
  /** By node, the edges that contribute to its gradient, in the order of the backward pass. */
  readonly arriving: readonly (readonly Edge[])[];
  /** Return the sum of a node's first `count` contributions, `3 + 3`; empty if it has only one. */
  readonly sumText: (node: number, count?: number) => string;
  readonly widths: Widths;
  readonly sizes: Readonly<Record<CardKind, readonly [widths: Sizes, heights: Sizes]>>;
  readonly labelWidths: Readonly<Record<LabelLines, Sizes>>;
  /** How many numbers were shortened, and how many texts have a smaller font. */
  readonly cut: number;
  readonly scaled: number;
}

const RESERVE = "−0.0";
const SIGNS: Readonly<Record<string, string>> = {
  "*": "×",
  "/": "÷",
  "-": "−",
  neg: "−",
  "**": "^",
};
/** The maximum number of letters of a name, and of those from its end. */
const [LONGEST, TAIL] = [14, 5];
/** The width around a sum; the least width of a number; the scale of a name's font. */
export const SUM_PADDING = 1.3;
const [LEAST_NUMBER, NAME] = [1.1, 1.12];
const ROW = 1.25;
/** With more contributions, only the sum so far and the arriving one are shown. */
const MAX_TERMS = 3;

/** Return a `measure` that caches all widths. */
export function cachedMeasure(measure: (text: string, isBold: boolean) => number): Measure {
  const known = [new Map<string, number>(), new Map<string, number>()] as const;
  return (text, isBold = false) => {
    const widths = known[isBold ? 1 : 0];
    let width = widths.get(text);
    if (width === undefined) widths.set(text, (width = measure(text, isBold)));
    return width;
  };
}

function signOf({ operation, name }: Node): string {
  return operation === null ? "" : (SIGNS[operation] ?? name ?? operation);
}

function shortName(name: string): string {
  const letters = [...name];
  if (letters.length <= LONGEST) return name;
  return [...letters.slice(0, LONGEST - TAIL - 1), "…", ...letters.slice(-TAIL)].join("");
}

/** The texts of a document before they are measured. */
type Written = Omit<Texts, "widths" | "sizes" | "labelWidths">;

export function writtenOf(
  document: GradientDocument,
  measure: Measure,
  options: TextOptions = {},
): Written {
  const { others = [] } = options;
  const { nodes, edges } = document;
  const digits = digitsOf(document, others);
  const { write } = digits;
  const cards = nodes.map((node): CardText => {
    const fullName = node.label ?? (node.kind === "constant" ? write(node.data) : signOf(node));
    const sign = node.label === null ? "" : signOf(node);
    const grad = node.grad === null ? "none" : write(node.grad);
    return { name: shortName(fullName), fullName, sign, data: write(node.data), grad, scale: 1 };
  });
  const labels = edges.map((edge) => labelTextOf(edge, write));
  const arriving = arrivingOf(document);
  const sumText = (node: number, count = arriving[node]!.length) =>
    sumOf(arriving[node]!, count, write);
  const base = { document, measure, options, digits, write, cards, labels, arriving, sumText };
  return { ...base, cut: 0, scaled: 0 };
}

/** Return all texts of a document with their sizes. */
export function textsOf(
  document: GradientDocument,
  measure: Measure,
  options: TextOptions = {},
): Texts {
  const { reserve = RESERVE, others = [] } = options;
  const { nodes } = document;
  const base = writtenOf(document, measure, options);
  const { write, cards, labels, arriving, sumText } = base;
  const [least, leastBold] = [false, true].map((isBold) =>
    reserve === "" ? 0 : measure(reserve, isBold),
  ) as [number, number];
  const reserved = (text: string, room: number, isBold = false) =>
    Math.max(measure(text, isBold), text.length > NO_NUMBER.length ? room : 0);
  const isFixed = ({ kind }: Node) => kind === "constant";
  const sums = (node: number) => arriving[node]!.map((_, at) => sumText(node, at + 1));
  const widths: Widths = {
    data: nodes.map((node, id) => Math.max(measure(cards[id]!.data), isFixed(node) ? 0 : least)),
    grad: nodes.map((node, id) => {
      const room = isFixed(node) || node.grad === null ? 0 : leastBold;
      const sums = arriving[id]!.map(({ running_grad }) => measure(write(running_grad), true));
      const text = Math.max(measure(cards[id]!.grad, true), measure(NO_NUMBER), room, ...sums);
      return text + (isFixed(node) ? 0 : (options.extraGrad ?? 0));
    }),
    incoming: labels.map(({ incoming }) => reserved(incoming, least)),
    local: labels.map(({ local }) => reserved(local, least)),
    contribution: labels.map(({ contribution, hasGradient }) =>
      Math.max(measure(contribution, true), hasGradient ? leastBold : 0),
    ),
    sum: nodes.map((_, id) =>
      arriving[id]!.length < 2
        ? 0
        : Math.max(...[...sums(id), ` = ${cards[id]!.grad}`].map((text) => measure(text, true))),
    ),
    wholeSum: nodes.map((_, id) =>
      arriving[id]!.length < 2 ? 0 : measure(`${sumText(id)} = ${cards[id]!.grad}`, true),
    ),
  };
  widen(widths, others, write, measure);
  return sized({ ...base, widths });
}

function labelTextOf(edge: Edge, write: Digits["write"]): LabelText {
  return {
    incoming: write(edge.incoming_grad),
    local: write(edge.local_grad),
    contribution: write(edge.contribution),
    hasGradient: edge.contribution !== null,
    scale: 1,
  };
}

/** Make the widths large enough for the numbers of `others`. */
function widen(
  { incoming, local, contribution, grad }: Widths,
  others: readonly Edge[],
  write: Digits["write"],
  measure: Measure,
): void {
  const grow = (widths: readonly number[], at: number, number: number | null, isBold: boolean) => {
    const wide = widths as number[]; // just made, so not shared yet
    wide[at] = Math.max(wide[at]!, measure(write(number), isBold));
  };
  for (const { id, from, ...edge } of others) {
    grow(incoming, id, edge.incoming_grad, false);
    grow(local, id, edge.local_grad, false);
    grow(contribution, id, edge.contribution, true);
    grow(grad, from, edge.running_grad, true);
  }
}

function arrivingOf({ nodes, edges, backward_order }: GradientDocument): Edge[][] {
  const operands = nodes.map((): Edge[] => []);
  for (const edge of edges) operands[edge.to]![edge.slot] = edge;
  const found = nodes.map((): Edge[] => []);
  for (const id of backward_order)
    for (const edge of operands[id]!) if (edge.contribution !== null) found[edge.from]!.push(edge);
  return found;
}

/** Return a gradient's sum after its first `count` contributions. */
export function sumOf(arriving: readonly Edge[], count: number, write: Digits["write"]): string {
  return termsOf(arriving, count, write).join(" + ").replaceAll("+ −", "− ");
}

function termsOf(arriving: readonly Edge[], count: number, write: Digits["write"]): string[] {
  if (arriving.length < 2 || count < 1) return [];
  const of = (at: number) => write(arriving[at]!.contribution);
  if (arriving.length <= MAX_TERMS) return arriving.map((_, at) => (at < count ? of(at) : "…"));
  return count === 1 ? [of(0), "…"] : [write(arriving[count - 2]!.running_grad), of(count - 1)];
}

type Unsized = Omit<Texts, "sizes" | "labelWidths">;

function sized(texts: Unsized): Texts {
  const { cards, labels } = texts;
  const sizes = Object.fromEntries(
    KINDS.map((kind) => {
      const all = cards.map((_, id) => cardSize(texts, id, kind));
      return [kind, [0, 1].map((side) => Float64Array.from(all, (size) => size[side]!))];
    }),
  ) as unknown as Texts["sizes"];
  const labelWidths = Object.fromEntries(
    LINES.map((lines) => [
      lines,
      Float64Array.from(labels, (_, id) => labelWidth(texts, id, lines)),
    ]),
  ) as Record<LabelLines, Sizes>;
  return { ...texts, sizes, labelWidths };
}

/** Return the width of a card's numbers when they are aligned in a column. */
export function numberWidth({ widths }: Pick<Texts, "widths">, id: number): number {
  return Math.max(widths.data[id]!, widths.grad[id]!, LEAST_NUMBER);
}

export function cardSize(
  texts: Unsized,
  id: number,
  kind: CardKind,
): [width: number, height: number] {
  const { measure, widths, cards, arriving, options, document } = texts;
  const { extraRows = 0, extraTitle = 0, leastWidth = 0, resultWord = "result" } = options;
  const { name, sign } = cards[id]!;
  const [data, grad, number] = [widths.data[id]!, widths.grad[id]!, numberWidth(texts, id)];
  const isSum = arriving[id]!.length > 1;
  const widest = Math.max(widths.sum[id]!, kind === "words" ? widths.wholeSum[id]! : 0);
  const sum = Math.max(leastWidth, isSum ? widest + SUM_PADDING : 0);
  const more = (Number(isSum) + extraRows) * ROW;
  const signWidth = sign === "" ? 0 : measure(sign) + 0.5;
  const title = measure(name, true) * NAME + signWidth + extraTitle;
  const tag = id === document.root ? measure(resultWord) * 0.8 + 0.6 : 0;
  switch (kind) {
    case "words":
      return [Math.max(title + 1.3 + tag, number + 4.1, sum), 4.75 + more];
    case "column":
      return [Math.max(title + 1, number + 2.3, sum), 4.6 + more];
    case "pair":
      return [Math.max(title + 1, data + grad + 4.1, sum), 3.2 + more];
    case "low":
      return [Math.max(title + data + 2.9, grad + 2.3, sum), 3.1 + more];
    case "line":
      return [Math.max(title + data + grad + 4.4, sum), 1.75 + more];
  }
}

export function labelWidth(texts: Unsized, id: number, lines: LabelLines): number {
  const { measure, widths, labels, options } = texts;
  if (!labels[id]!.hasGradient) return 0;
  const [incoming, local] = [widths.incoming[id]!, widths.local[id]!];
  const contribution = widths.contribution[id]! + (options.extraLabel ?? 0);
  const times = measure("× ") + local;
  const result = measure("= ") + contribution;
  if (lines === 1) return incoming + measure(" ") + times + measure(" ") + result;
  if (lines === 2) return Math.max(incoming + measure(" ") + times, result);
  return Math.max(incoming, times, result);
}
