/** What arrows say at this moment of the wave, each in its place. */

import { computed } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { large } from "../lazy.tsx";
import { guesses } from "../state/guesses.ts";
import { placeOf, way } from "../state/play.ts";
import { expanded } from "../state/program.ts";
import { showsAll } from "../state/reach.ts";
import { drawn } from "../state/sight.ts";
import { chosen, stage, tab } from "../state/view.ts";
import { formulaOf } from "../words/names.ts";
import { arrows } from "./arrows.ts";
import { cornersOf } from "./camera.ts";
import { leastLetters, moving, placed, projection } from "./frame.ts";
import { around, labelsOf } from "./labels.ts";
import type { Label, Line } from "./labels.ts";
import { harmOf, isShown, signOf } from "./moment.ts";
import { strokeOf } from "./strokes.ts";

/** What an arrow may say. */
type Says = "all" | "sum" | "local" | "guess" | "nothing";

/** While a larger graph is trained its arrows say nothing: all of them would speak at once. */
const MOST_LABELS = 25;

/** Into one card so many arrows say all that they carry; of more, those that are read or under way. */
const MOST_SAYING = 2;
/** A graph of so few cards has room for all. */
const FEW = 8;

/** Where labels stand while nothing moves: they are not placed anew for each frame. */
export const labels = computed((): ReadonlyMap<number, Label> => {
  if (moving.value) return new Map();
  const project = projection.value;
  const strokes = arrows.value.map(({ edge, route, width, state }) => ({
    edge,
    isNow: state === "now",
    stroke: strokeOf(route.map(project), width),
  }));
  const { cards, wires } = drawn.value;
  const mates = Map.groupBy(wires, ({ from }) => from);
  const crowded = new Set(
    cards.length <= FEW
      ? []
      : wires
          .filter(({ from }) => mates.get(from)!.length > MOST_SAYING)
          .map(({ edge }) => edge.id),
  );
  const speakers = strokes.flatMap(({ edge, isNow, stroke }) => {
    const lines = linesOf(edge, saysOf(edge));
    const isAsked = isNow || chosen.value === edge.id;
    return lines.length === 0 || (crowded.has(edge.id) && !isAsked)
      ? []
      : [{ edge: edge.id, lines, stroke, isNow }];
  });
  const boxes = [...placed.value.boxes.values()].map((box) =>
    around(cornersOf(box).map(project), 4),
  );
  if (large.value !== null) boxes.push(...large.value.taken.value);
  const { width, height } = stage.value;
  const window = { left: 2, right: width - 2, top: 2, bottom: height - 2 };
  return labelsOf(speakers, strokes, boxes, window, leastLetters.value);
});

function saysOf(edge: Edge): Says {
  if (chosen.value === edge.id) return isShown(edge) || showsAll.value ? "all" : "local";
  if (way.value === "sort") return "nothing";
  if (way.value === "forward") return expanded.value && edge.differentiable ? "local" : "nothing";
  if (!placeOf.value.has(edge.id)) return "nothing";
  if (tab.value === "train") return placeOf.value.size > MOST_LABELS ? "nothing" : "sum";
  if (isShown(edge) || showsAll.value) return "all";
  if (guesses.value.isOpen && tab.value === "predict") return "guess";
  return expanded.value ? "local" : "nothing";
}

/** What it says, in full and then in short. */
function linesOf(edge: Edge, says: Says): Line[] {
  if (says === "nothing") return [];
  const [incoming, local, contribution] = formulaOf(edge);
  const minus = (number: number | null) => ((number ?? 0) < 0 ? " minus" : "");
  const brought = `c ${signOf(edge)}`;
  if (says === "guess") return [[["op", "? × ? = ?"]], [["op", "?"]]];
  if (says === "local")
    return [
      [
        ["op", "× "],
        ["d", local],
      ],
    ];
  const harm = harmOf(edge)?.word ?? "";
  const word: Line =
    harm === ""
      ? []
      : [
          ["op", " "],
          ["word", harm],
        ];
  const short: Line = [[brought, contribution], ...word];
  if (says === "sum") return [short];
  const full: Line = [
    [`g${minus(edge.incoming_grad)}`, incoming],
    ["op", " × "],
    ["d", local],
    ["op", " = "],
    ...short,
  ];
  return word.length === 0 ? [full, short] : [full, short, short.slice(0, 1)];
}
