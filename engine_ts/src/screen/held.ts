/** Write new numbers into the places of a plan: while a value is dragged, nothing moves. */

import type { GradientDocument } from "../document.ts";
import type { Edge } from "../template.ts";
import { fitted, NO_NUMBER } from "./digits.ts";
import type { Plan } from "./places.ts";
import { cardSize, labelWidth, SUM_ROOM, sumOf, writtenOf } from "./texts.ts";
import type { CardText, LabelText, Texts } from "./texts.ts";

/** Rooms for a number that is too wide, without its sign; each next one is narrower. */
const NARROWER = ["00.000", "0.000", "0.00", "0.0", "0"];
const [PASSES, TRIES] = [5, 12];

/**
 * Write new numbers into a plan's places.
 *
 * A card or label has the room of its column, usually more than its text needs. If the room is too
 * small, a number loses digits, the same ones everywhere; as a last resort the letters shrink.
 * `before` are the texts that the plan was made for.
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
  const rooms = copiedRooms(before);
  const cards = now.cards.map((card): Changeable<CardText> => ({ ...card }));
  const labels = now.labels.map((label): Changeable<LabelText> => ({ ...label }));
  const { sizes, labelWidths } = before;
  const texts = { ...now, rooms, sizes, labelWidths, cards, labels };
  /** Size -> how often its number was cut. */
  const lost = new Map<number, number>();
  let changed = true;
  const lostBy = (number: number) => lost.get(Math.abs(number)) ?? 0;
  const put = (number: number | null) => {
    const text = now.write(number);
    const room = number === null ? undefined : NARROWER[lostBy(number) - 1];
    if (number === null || room === undefined) return text;
    return fitted(number, text, measure((number < 0 ? "−" : "") + room), measure);
  };
  const sumUpTo = (node: number, count: number) => sumOf(now.arriving[node]!, count, put);
  /** Cut the widest of `numbers` until they fit into `room`; return the scale of the letters. */
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
      rooms.incoming[id] = measure(label.incoming);
      rooms.local[id] = measure(label.local);
      rooms.contribution[id] = measure(label.contribution, true);
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
      rooms.data[id] = measure(card.data);
      const sums = running.map((number) => measure(put(number), true));
      rooms.grad[id] = Math.max(measure(card.grad, true), measure(NO_NUMBER), ...sums);
      const parts = Array.from({ length: count }, (_, at) => measure(sumUpTo(id, at + 1), true));
      const widest = count > 1 ? Math.max(...parts) : 0;
      const whole = count > 1 ? measure(`${sumUpTo(id, count)} = ${card.grad}`, true) : 0;
      // A sum without room is not shown.
      rooms.sum[id] = widest + SUM_ROOM <= room ? widest : 0;
      rooms.wholeSum[id] = whole + SUM_ROOM <= room ? whole : 0;
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
    rooms.sum[node]! > 0 ? sumUpTo(node, count) : "";
  const scaled = [...cards, ...labels].filter(({ scale }) => scale < 1).length;
  return { ...texts, write: put, sumText, cut: lost.size, scaled };
}

type Changeable<Text> = { -readonly [Key in keyof Text]: Text[Key] };
type ChangeableRooms = { -readonly [Key in keyof Texts["rooms"]]: number[] };

function copiedRooms({ rooms }: Texts): ChangeableRooms {
  const all = Object.entries(rooms).map(([name, widths]) => [name, [...widths]]);
  return Object.fromEntries(all) as ChangeableRooms;
}
