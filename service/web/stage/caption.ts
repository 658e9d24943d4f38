/** What a card says: its name, what it is, and as much of its gradient as is known. */

import { guesses } from "../state/guesses.ts";
import type { Shown } from "../state/program.ts";
import { reaches } from "../state/reach.ts";
import { tab } from "../state/view.ts";
import { cut, partOf } from "../words/names.ts";
import { words } from "../words.ts";
import { short } from "../words/numbers.ts";
import type { Kind } from "./size.ts";

/** Letters that fit in a card's band, by its size. */
const LETTERS: Readonly<Record<Kind, number>> = { full: 15, medium: 11, dense: 11, stacked: 6 };

/** The name on the left of the band, and the tag on the right. */
export function band(shown: Shown, id: number, size: Kind): { name: string; tag: string } {
  const { nodes, root } = shown.document;
  const { kind, label, operation, span, data } = nodes[id]!;
  const text = words.value.stage;
  if (kind === "constant") return { name: short(data), tag: "" };
  const name = cut(label ?? operation ?? "", LETTERS[size] - 3);
  if (kind !== "operation") return { name, tag: fitting(name, size, [text[kind]]) };
  const part = partOf(shown.expression, span)?.replace(/^\w+ *= */, "") ?? operation!;
  if (id === root && label === null) return { name, tag: fitting(name, size, [text.result]) };
  return { name, tag: fitting(name, size, [part, label === null ? "" : operation!]) };
}

/** Take the first that fits beside the name. */
function fitting(name: string, size: Kind, tags: readonly string[]): string {
  return tags.find((tag) => name.length * 1.5 + tag.length <= LETTERS[size]) ?? "";
}

/** Digits that fit into half a card. */
export function digitsOf(size: Kind): number {
  return size === "stacked" ? 3 : 4;
}

export function gradOf(shown: Shown, id: number, size: Kind): string {
  const { label } = shown.document.nodes[id]!;
  const { grad } = reaches.value[id]!;
  const { isOpen, right } = guesses.value;
  const isPredicted = isOpen && tab.value === "predict";
  if (isPredicted && label !== null && right.has(label)) {
    return `${short(shown.document.nodes[id]!.grad ?? 0, digitsOf(size))} ✓`;
  }
  if (grad !== null) return short(grad, digitsOf(size));
  return isPredicted ? "?" : words.value.stage.waiting;
}

export function markOf(shown: Shown, id: number): "" | "right" | "wrong" {
  const { label } = shown.document.nodes[id]!;
  const { isOpen, right } = guesses.value;
  return isOpen && tab.value === "predict" && label !== null && right.has(label) ? "right" : "";
}
