/** Write new numbers into the places of a plan: while a value is dragged, nothing moves. */

import type { GradientDocument } from "../document.ts";
import type { Edge } from "../template.ts";
import { fitted, NO_NUMBER } from "./digits.ts";
import type { Plan } from "./places.ts";
import { cardSize, labelWidth, SUM_PADDING, sumOf, writtenOf } from "./texts.ts";
import type { CardText, LabelText, Texts } from "./texts.ts";

/** A number that is too wide is shortened to the width of one of these, without its sign. */
const NARROWER = ["00.000", "0.000", "0.00", "0.0", "0"];
const [PASSES, TRIES] = [5, 12];

/**
 * Write new numbers into a plan's places.
 *
 * A card or label is as wide as its column, usually wider than its text. A number that does not fit
 * loses digits, the same ones everywhere; as a last resort the font shrinks. `before` are the texts
 * that the plan was made for.
 */
export function heldTexts(
  before: Texts,
  document: GradientDocument,
  plan: Pick<Plan, "cards" | "arrows" | "size" | "variant">,
  others: readonly Edge[] = [],
): Texts {
  const { measure } = before;
  const now = writtenOf(document, measure, { ...before.options, others });
  const { variant, size } = plan;
  const widths = copiedWidths(before);
  const cards = now.cards.map((card): Changeable<CardText> => ({ ...card }));
  const labels = now.labels.map((label): Changeable<LabelText> => ({ ...label }));
  const { sizes, labelWidths } = before;
  const texts = { ...now, widths, sizes, labelWidths, cards, labels };
  /** Magnitude -> how often its number was shortened. */
  const lost = new Map<number, number>();
  let changed = true;
  const lostBy = (number: number) => lost.get(Math.abs(number)) ?? 0;
  const put = (number: number | null) => {
    const text = now.write(number);
    const sample = number === null ? undefined : NARROWER[lostBy(number) - 1];
    if (number === null || sample === undefined) return text;
    return fitted(number, text, measure((number < 0 ? "−" : "") + sample), measure);
  };
  const sumUpTo = (node: number, count: number) => sumOf(now.arriving[node]!, count, put);
  /** Shorten the widest of `numbers` until `need` is at most `room`; return the font's scale. */
  const fit = (numbers: readonly number[], write: () => void, need: () => number, room: number) => {
    write();
    for (let turn = 0; turn < TRIES && need() > room + 1e-6; turn++) {
      const width = (number: number) => measure(put(number));
      const able = numbers.filter((each) => lostBy(each) < NARROWER.length && width(each) > 0.6);
      if (able.length === 0) break;
      const widest = able.reduce((one, other) => (width(other) > width(one) ? other : one));
      lost.set(Math.abs(widest), lostBy(widest) + 1);
      changed = true;
      write();
    }
    return Math.min(1, room / need());
  };
  const fitLabel = ({ id, room }: Plan["arrows"][number]) => {
    const label = labels[id]!;
    const { incoming_grad, local_grad, contribution } = document.edges[id]!;
    if (incoming_grad === null || local_grad === null || contribution === null) return;
    const write = () => {
      label.incoming = put(incoming_grad);
      label.local = put(local_grad);
      label.contribution = put(contribution);
      widths.incoming[id] = measure(label.incoming);
      widths.local[id] = measure(label.local);
      widths.contribution[id] = measure(label.contribution, true);
    };
    const numbers = [incoming_grad, local_grad, contribution];
    label.scale = fit(numbers, write, () => labelWidth(texts, id, variant.lines), room);
  };
  const fitCard = ({ id, w }: Plan["cards"][number]) => {
    const card = cards[id]!;
    const { data, grad, kind } = document.nodes[id]!;
    const room = w / size;
    const { name, fullName } = before.cards[id]!;
    if (kind === "constant") Object.assign(card, { name, fullName });
    const count = now.arriving[id]!.length;
    const running = now.arriving[id]!.flatMap(({ running_grad }) => running_grad ?? []);
    const write = () => {
      card.data = put(data);
      if (grad !== null) card.grad = put(grad);
      widths.data[id] = measure(card.data);
      const sums = running.map((number) => measure(put(number), true));
      widths.grad[id] = Math.max(measure(card.grad, true), measure(NO_NUMBER), ...sums);
      const parts = Array.from({ length: count }, (_, at) => measure(sumUpTo(id, at + 1), true));
      const widest = count > 1 ? Math.max(...parts) : 0;
      const whole = count > 1 ? measure(`${sumUpTo(id, count)} = ${card.grad}`, true) : 0;
      // A sum that does not fit is not shown.
      widths.sum[id] = widest + SUM_PADDING <= room ? widest : 0;
      widths.wholeSum[id] = whole + SUM_PADDING <= room ? whole : 0;
    };
    const numbers = [data, ...running, ...(grad === null ? [] : [grad])];
    const as = kind === "operation" ? variant.operation : variant.leaf;
    card.scale = fit(numbers, write, () => cardSize(texts, id, as)[0], room);
  };
  for (let pass = 0; pass < PASSES && changed; pass++) {
    changed = false;
    plan.arrows.forEach(fitLabel);
    plan.cards.forEach(fitCard);
  }
  const sumText = (node: number, count = now.arriving[node]!.length) =>
    widths.sum[node]! > 0 ? sumUpTo(node, count) : "";
  const scaled = [...cards, ...labels].filter(({ scale }) => scale < 1).length;
  return { ...texts, write: put, sumText, cut: lost.size, scaled };
}

type Changeable<Text> = { -readonly [Key in keyof Text]: Text[Key] };
type ChangeableWidths = { -readonly [Key in keyof Texts["widths"]]: number[] };

function copiedWidths({ widths }: Texts): ChangeableWidths {
  const all = Object.entries(widths).map(([name, widths]) => [name, [...widths]]);
  return Object.fromEntries(all) as ChangeableWidths;
}
