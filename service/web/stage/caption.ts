/** What a card says: its name, what it is, and as much of its gradient as is known. */

import type { Card } from "../state/groups.ts";
import { guesses } from "../state/guesses.ts";
import { current } from "../state/play.ts";
import type { Shown } from "../state/program.ts";
import { computedData, reaches } from "../state/reach.ts";
import { drawn } from "../state/sight.ts";
import { tab } from "../state/view.ts";
import { nameOf, partOf } from "../words/names.ts";
import { words } from "../words.ts";
import { short, WAITING } from "../words/numbers.ts";
import { fitted, numberIn, widthOf } from "./fit.ts";

/** A number in its letters, with what it says by its colour. */
export interface Figure {
  readonly text: string;
  readonly size: number;
  readonly tone: string;
}

/** A card's name and what stands beside it: the first of these that fits, or the beginning of the first. */
export function band(
  { document, expression }: Shown,
  { id, members }: Card,
): {
  name: string;
  tags: readonly string[];
} {
  const { kind, label, operation, span, data } = document.nodes[id]!;
  const text = words.value.stage;
  if (kind === "constant") return { name: short(data), tags: [text.constant] };
  const name = label ?? operation ?? "";
  if (kind !== "operation") return { name, tags: [text[kind]] };
  if (id === document.root && label === null && members.length === 1)
    return { name, tags: [text.result] };
  const part = (partOf(expression, span) ?? operation!).replace(/^\w+ *= */, "");
  if (members.length > 1) return { name, tags: [part.replaceAll(" ", "")] };
  return { name, tags: label === null ? [part] : [part, operation!] };
}

export function dataOf(
  shown: Shown,
  id: number,
  width: number,
  size: number,
  least: number,
): Figure {
  if (!computedData.value[id]) return { text: WAITING, size, tone: "wait" };
  const [text, letters] = numberIn(shown.document.nodes[id]!.data, width, size, least);
  return { text, size: letters, tone: "" };
}

export function gradOf(
  shown: Shown,
  id: number,
  width: number,
  size: number,
  least: number,
): Figure {
  const { label, grad: final } = shown.document.nodes[id]!;
  const { grad } = reaches.value[id]!;
  const { isOpen, right } = guesses.value;
  const isPredicted = isOpen && tab.value === "predict";
  const isRight = isPredicted && label !== null && right.has(label);
  const value = isRight ? (final ?? 0) : grad;
  if (value === null) {
    return { text: isPredicted ? "?" : WAITING, size, tone: "wait" };
  }
  const mark = isRight ? " ✓" : "";
  const [text, letters] = numberIn(value, width - widthOf(mark, size), size, least);
  const sign = value < 0 ? "minus" : value === 0 ? "zero" : "";
  return { text: text + mark, size: letters, tone: isRight ? "right" : sign };
}

/** A small card's last line: what comes to a chip of it, or what it is, its chips, its part of the text. */
export function noteOf(shown: Shown, card: Card, width: number, size: number): string {
  const { nodes } = shown.document;
  const lit = card.chips.find(({ edge }) => current.value?.edges?.includes(edge));
  const chips = card.chips.map(({ node }) => nodes[node]!.label ?? short(nodes[node]!.data));
  if (lit !== undefined) {
    const name = fitted(nodes[lit.node]!.label ?? "", size, width / 2);
    const room = width - widthOf(`${name} `, size);
    return `${name} ${gradOf(shown, lit.node, room, size, size).text}`;
  }
  if (nodes[card.id]!.derived) chips.unshift(words.value.stage.derived);
  return fitted(chips.length > 0 ? chips.join(" ") : band(shown, card).tags[0]!, size, width);
}

/** The whole card in a sentence, for those who hear it. */
export function sentenceOf(shown: Shown, { id, members, frame }: Card): string {
  const text = words.value.stage;
  const { nodes } = shown.document;
  const { span, kind, data, derived } = nodes[id]!;
  const name = nameOf(shown, id);
  const part =
    kind === "operation" ? partOf(shown.expression, span)?.replace(/^\w+ *= */, "") : null;
  const { grad } = reaches.value[id]!;
  const names = (ids: readonly number[]) =>
    [...new Set(ids)].map((each) => nameOf(shown, each)).join(", ");
  const { wires } = drawn.value;
  const from = names(wires.filter((wire) => wire.to === id).map((wire) => wire.from));
  const to = names(wires.filter((wire) => wire.from === id).map((wire) => wire.to));
  return [
    `${part && part !== name ? `${name} = ${part}` : name}: data ${computedData.value[id] ? short(data) : WAITING}`,
    `grad ${grad === null ? WAITING : short(grad)}`,
    from && text.from(from),
    to && text.to(to),
    members.length > 1 ? text.group(members.length) : frame === id ? text.openGroup : "",
    derived ? text.derived : "",
  ]
    .filter((each) => each !== "")
    .join("; ");
}
