/** What arrows say, and where: long where there is room, and never one over another. */

import type { Edge } from "../../../engine_ts/src/template.ts";
import { clamp } from "../state/number.ts";
import { formulaOf } from "../words/names.ts";
import type { Point } from "./camera.ts";
import type { Placed } from "./place.ts";

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
/** How far the side of a card stands out into the gap. */
const SIDE = 5;
/** The gap between layers from which a label takes one line; its letters must not be under a card. */
const ROOMY = 118;
const APART = 5;
const ROUNDS = 12;

/** Write all labels of a graph, each as near to its arrow's middle as the others let it. */
export function labelsOf(
  edges: readonly Edge[],
  placed: Placed,
  says: (edge: Edge) => Says,
  harm: (edge: Edge) => string,
  turned: boolean,
): (Label | null)[] {
  const gap = placed.size.stride - placed.size.long;
  const labels = edges.map((edge): Label | null => {
    const what = says(edge);
    if (what === "nothing") return null;
    const [incoming, local, contribution] =
      what === "guess" ? ["?", "?", "?"] : fitting(edge, turned ? Infinity : gap - SIDE);
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
          : wrapped(first, second, gap, turned);
    // Where the graph is turned there is room for two lines.
    if (harm(edge) !== "" && turned) lines.splice(0, lines.length, second);
    if (harm(edge) !== "") lines.push([["word", harm(edge)]]);
    const { x, y } = placed.routes[edge.id]!.label;
    return sized(lines, { x: turned ? x : x + SIDE / 2, y });
  });
  return turned ? spread(shortened(labels, placed.width), placed.width) : spread(labels, null);
}

/** The formula with fewer digits where a line of it, alone with its sign, is wider than the gap. */
function fitting(edge: Edge, room: number): readonly [string, string, string] {
  const written = [4, 3, 2].map((digits) => formulaOf(edge, digits));
  const fits = (pieces: readonly string[]) =>
    pieces.every((piece) => (piece.length + 2) * LETTER <= room);
  return written.find(fits) ?? written.at(-1)!;
}

function sized(lines: readonly Line[], at: Point): Label {
  const letters = Math.max(...lines.map(lettersOf));
  const height = 11 + 13 * lines.length - Number(lines.length > 1) * 2;
  return { lines, width: letters * LETTER + PAD, height, at };
}

/** Of labels beside each other that are wider than the graph only the contributions. */
function shortened(labels: readonly (Label | null)[], width: number): (Label | null)[] {
  const rows = Map.groupBy(labels, (label) => label?.at.y);
  return labels.map((label) => {
    if (label === null || label.lines[0]![0]![0] !== "g") return label;
    const row = rows.get(label.at.y)!;
    const whole = row.reduce((sum, each) => sum + each!.width + APART, 0);
    return whole <= width ? label : sized(label.lines.slice(1), label.at);
  });
}

function wrapped(first: Line, second: Line, gap: number, turned: boolean): Line[] {
  const letters = lettersOf(first);
  if (!turned && letters * LETTER > gap - SIDE)
    return [[first[0]!, ["op", " ×"]], first.slice(2), second];
  const whole: Line = [...first, ["op", " "], ...second];
  return gap >= ROOMY && lettersOf(whole) * LETTER + PAD <= gap ? [whole] : [first, second];
}

function lettersOf(line: Line): number {
  return line.reduce((sum, [, text]) => sum + text.length, 0);
}

/**
 * Push apart what would overlap: up and down, or where the graph is turned, so that cards are above
 * and below, to the sides, within its width.
 */
function spread(labels: (Label | null)[], within: number | null): (Label | null)[] {
  const moved = [...labels];
  for (let turn = 0; turn < ROUNDS; turn++) {
    let rests = true;
    for (let one = 0; one < moved.length; one++) {
      for (let other = one + 1; other < moved.length; other++) {
        const apart = overlap(moved[one]!, moved[other]!, within !== null);
        if (apart === 0) continue;
        rests = false;
        moved[one] = shifted(moved[one]!, -apart / 2, within);
        moved[other] = shifted(moved[other]!, apart / 2, within);
      }
    }
    if (rests) break;
  }
  return moved;
}

/** How far the other has to go from the one: negative upwards or to the left. */
function overlap(one: Label | null, other: Label | null, sideways: boolean): number {
  if (one === null || other === null) return 0;
  const [x, y] = [other.at.x - one.at.x, other.at.y - one.at.y];
  const across = (one.width + other.width) / 2 - Math.abs(x);
  const down = (one.height + other.height) / 2 - Math.abs(y);
  if (sideways ? down <= 0 : across <= 0) return 0;
  const [gap, way] = sideways ? [across, x] : [down, y];
  return gap + APART <= 0 ? 0 : (gap + APART) * (way < 0 ? -1 : 1);
}

function shifted(label: Label, by: number, within: number | null): Label {
  const { x, y } = label.at;
  if (within === null) return { ...label, at: { x, y: y + by } };
  const half = label.width / 2;
  return { ...label, at: { x: clamp(x + by, half, within - half), y } };
}
