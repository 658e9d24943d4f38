/** What arrows say, and where: long where there is room, and never one over another. */

import type { Edge } from "../../../engine_ts/src/template.ts";
import { formulaOf } from "../words/names.ts";
import type { Placed, Point } from "./place.ts";

/** Pieces of a label with their kind: gradient, derivative, contribution, operator. */
export type Line = readonly (readonly [kind: "g" | "d" | "c" | "op" | "word", text: string])[];

export interface Label {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
  readonly at: Point;
}

/** What an arrow may say. */
export type Says = "all" | "sum" | "local" | "guess" | "nothing";

/** The width of a letter at the size of labels, and the room around them. */
const [LETTER, PAD] = [7.55, 15];
/** The gap between layers from which a label takes one line. */
const ROOMY = 118;
const APART = 5;
const ROUNDS = 12;

/** Write all labels of a graph, each as near to its arrow's middle as the others let it. */
export function labelsOf(
  edges: readonly Edge[],
  placed: Placed,
  says: (edge: Edge) => Says,
  harm: (edge: Edge) => string,
): (Label | null)[] {
  const roomy = placed.size.stride - placed.size.long >= ROOMY;
  const labels = edges.map((edge): Label | null => {
    const what = says(edge);
    if (what === "nothing") return null;
    const [incoming, local, contribution] = what === "guess" ? ["?", "?", "?"] : formulaOf(edge);
    const first: Line = [
      ["g", incoming],
      ["op", " × "],
      ["d", local],
    ];
    const second: Line = [
      ["op", "= "],
      ["c", contribution],
    ];
    const lines =
      what === "local"
        ? [first.slice(1)]
        : what === "sum"
          ? [second.slice(1)]
          : wrapped(first, second, roomy);
    if (harm(edge) !== "") lines.push([["word", harm(edge)]]);
    const letters = Math.max(...lines.map((line) => line.map(([, text]) => text).join("").length));
    const height = 11 + 13 * lines.length - Number(lines.length > 1) * 2;
    return { lines, width: letters * LETTER + PAD, height, at: placed.routes[edge.id]!.label };
  });
  return spread(labels);
}

function wrapped(first: Line, second: Line, roomy: boolean): Line[] {
  const letters = first.map(([, text]) => text).join("").length;
  return roomy && letters < 12 ? [[...first, ["op", " "], ...second]] : [first, second];
}

/** Push apart, up and down, what would overlap. */
function spread(labels: (Label | null)[]): (Label | null)[] {
  const moved = [...labels];
  for (let turn = 0; turn < ROUNDS; turn++) {
    let rests = true;
    for (const [at, one] of moved.entries()) {
      for (let other = at + 1; other < moved.length; other++) {
        const [upper, lower] = ordered(moved[at] ?? one, moved[other] ?? null);
        if (upper === null || lower === null) continue;
        const gap = (upper.height + lower.height) / 2 + APART - (lower.at.y - upper.at.y);
        if (gap <= 0 || Math.abs(upper.at.x - lower.at.x) >= (upper.width + lower.width) / 2)
          continue;
        rests = false;
        const isFirst = upper === moved[at];
        moved[isFirst ? at : other] = shifted(upper, -gap / 2);
        moved[isFirst ? other : at] = shifted(lower, gap / 2);
      }
    }
    if (rests) break;
  }
  return moved;
}

function ordered(one: Label | null, other: Label | null): [Label | null, Label | null] {
  if (one !== null && other !== null && other.at.y < one.at.y) return [other, one];
  return [one, other];
}

function shifted(label: Label, down: number): Label {
  return { ...label, at: { x: label.at.x, y: label.at.y + down } };
}
