/** What a card says, and as much of it as there is room for. */

import type { Card, EdgeEnds } from "../state/cards.ts";
import { guesses } from "../state/guesses.ts";
import { currentEdges, currentFlows, isDataKnown, partialGrads } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { tab } from "../state/view.ts";
import { words } from "../words.ts";
import { cut, nameOf, short, sourceOf, WAITING } from "../words/text.tsx";
import { drawnGraph } from "./viewport.ts";

/** A number in its letters, with what it says by its colour. */
export interface NumberText {
  readonly text: string;
  readonly size: number;
  readonly tone: string;
}

/** A card's name, and what it is: a leaf of some kind, the result, or the operation that has a name. */
export function headingOf(id: number): { name: string; tag: string } {
  const { document } = shown.value;
  const { kind, label, operation, data } = document.nodes[id]!;
  const text = words.value.stage;
  if (kind === "constant") return { name: short(data), tag: text.constant };
  if (kind !== "operation") return { name: label!, tag: text[kind] };
  if (label !== null) return { name: label, tag: operation! };
  return { name: operation!, tag: id === document.root ? text.result : "" };
}

export function dataText(id: number, width: number, size: number, least = size): NumberText {
  if (!isDataKnown.value[id]) return { text: WAITING, size, tone: "wait" };
  const [text, letters] = fitNumber(shown.value.document.nodes[id]!.data, width, size, least);
  return { text, size: letters, tone: "" };
}

export function gradText(id: number, width: number, size: number, least = size): NumberText {
  const { label, grad: final } = shown.value.document.nodes[id]!;
  const { grad } = partialGrads.value[id]!;
  const { isOpen, right } = guesses.value;
  const isPredicted = isOpen && tab.value === "predict";
  const isRight = isPredicted && label !== null && right.has(label);
  const value = isRight ? (final ?? 0) : grad;
  if (value === null) {
    return { text: isPredicted ? "?" : WAITING, size, tone: "wait" };
  }
  const mark = isRight ? " ✓" : "";
  const [text, letters] = fitNumber(value, width - textWidth(mark, size), size, least);
  const sign = value < 0 ? "minus" : value === 0 ? "zero" : "";
  return { text: text + mark, size: letters, tone: isRight ? "right" : sign };
}

/** Whether what arrives now comes along this edge. */
export function isUnderWay({ id }: EdgeEnds): boolean {
  return currentFlows.value.has(currentEdges.value[id]!);
}

/** A small card's last line: what comes to a chip of it, or what it is, its chips, its part of the text. */
export function lastLineOf(card: Card, width: number, size: number): string {
  const { nodes } = shown.value.document;
  const active = card.chips.find(({ edge }) => isUnderWay(edge));
  const chips = card.chips.map(({ node }) => nodes[node]!.label ?? short(nodes[node]!.data));
  if (active !== undefined) {
    const name = fitText(nodes[active.node]!.label ?? "", size, width / 2);
    const room = width - textWidth(`${name} `, size);
    return `${name} ${gradText(active.node, room, size).text}`;
  }
  if (nodes[card.id]!.derived) chips.unshift(words.value.stage.derived);
  return fitText(chips.length > 0 ? chips.join(" ") : headingOf(card.id).tag, size, width);
}

/** The whole card in a sentence, for those who hear it. */
export function describeCard({ id, members, frame }: Card): string {
  const text = words.value.stage;
  const program = shown.value;
  const { span, kind, data, derived } = program.document.nodes[id]!;
  const name = nameOf(program, id);
  const part =
    kind === "operation" ? sourceOf(program.expression, span)?.replace(/^\w+ *= */, "") : null;
  const { grad } = partialGrads.value[id]!;
  const namesAt = (end: "from" | "to", other: "from" | "to") => {
    const wires = drawnGraph.value.wires.filter((wire) => wire[other] === id);
    const ids = new Set(wires.map((wire) => wire[end]));
    return [...ids].map((each) => nameOf(program, each)).join(", ");
  };
  const [from, to] = [namesAt("from", "to"), namesAt("to", "from")];
  return [
    `${part && part !== name ? `${name} = ${part}` : name}: data ${isDataKnown.value[id] ? short(data) : WAITING}`,
    `grad ${grad === null ? WAITING : short(grad)}`,
    from && text.from(from),
    to && text.to(to),
    members.length > 1 ? text.group(members.length) : frame === id ? text.openGroup : "",
    derived ? text.derived : "",
  ]
    .filter((each) => each !== "")
    .join("; ");
}

/** The width of a letter of the widest of our fonts of one width, in its sizes. */
const LETTER = 0.62;

export function textWidth(text: string, size: number): number {
  return text.length * size * LETTER;
}

/** Cut a text to a width; of less than three letters nothing is left. */
export function fitText(text: string, size: number, width: number): string {
  const most = Math.floor(width / (size * LETTER));
  return text.length <= most || most >= 3 ? cut(text, Math.max(most, 1)) : "";
}

/** A number with fewer digits, but three, then in smaller letters, then with two or one, until it fits. */
function fitNumber(
  value: number,
  width: number,
  size: number,
  least: number,
): readonly [text: string, size: number] {
  const small = Math.min(size, Math.max(least, 0.8 * size));
  for (const most of [
    [4, 3],
    [2, 1],
  ])
    for (const letters of [size, small, least])
      for (const digits of most) {
        const text = short(value, digits);
        if (textWidth(text, letters) <= width) return [text, letters];
      }
  return ["…", least];
}
