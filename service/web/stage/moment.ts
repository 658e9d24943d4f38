/** An arrow at this moment of the wave: its state, what it says, and what is wrong with it. */

import type { Edge } from "../../../engine_ts/src/template.ts";
import { groups } from "../state/groups.ts";
import { guesses } from "../state/guesses.ts";
import { arrived, current, placeOf, progress, seeded, way } from "../state/play.ts";
import { expanded } from "../state/program.ts";
import { computedData, showsAll } from "../state/reach.ts";
import type { Carried, Harm } from "../state/staged.ts";
import { chosen, tab } from "../state/view.ts";
import { formulaOf } from "../words/names.ts";
import type { ArrowState, Sign } from "./arrow.tsx";
import type { Line } from "./labels.ts";

/** What an arrow may say. */
export type Says = "all" | "sum" | "local" | "guess" | "nothing";

/** While a larger graph is trained its arrows say nothing: all of them would speak at once. */
const MOST_LABELS = 25;

/** In the order of the wave, which is the order in which Tab goes over them. */
export function order(edge: Edge): number {
  return placeOf.value.get(edge.id) ?? Infinity;
}

export function isShown(edge: Edge): boolean {
  return order(edge) <= arrived.value || (current.value?.edge === edge && progress.value < 1);
}

export function stateOf(edge: Edge): ArrowState {
  if (way.value === "forward") {
    const isNow = current.value?.node === groups.value.cardOf[edge.to];
    return isNow ? "now" : computedData.value[edge.to] ? "forward" : "idle";
  }
  if (tab.value === "train") return "done";
  if (current.value?.edge === edge) return "now";
  if (isShown(edge)) return harmOf(edge)?.kind ?? "done";
  if (guesses.value.isOpen && tab.value === "predict") return "guess";
  return seeded.value ? "idle" : "forward";
}

export function saysOf(edge: Edge): Says {
  if (chosen.value === edge.id) return isShown(edge) || showsAll.value ? "all" : "local";
  if (way.value === "forward") return expanded.value && edge.differentiable ? "local" : "nothing";
  if (!placeOf.value.has(edge.id)) return "nothing";
  if (tab.value === "train") return placeOf.value.size > MOST_LABELS ? "nothing" : "sum";
  if (isShown(edge) || showsAll.value) return "all";
  if (guesses.value.isOpen && tab.value === "predict") return "guess";
  return expanded.value ? "local" : "nothing";
}

export function signOf({ contribution }: Edge): Sign {
  return contribution === null || contribution === 0 ? "zero" : contribution > 0 ? "plus" : "minus";
}

/** What it says, in full and then in short. */
export function linesOf(edge: Edge, says: Says): Line[] {
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
  const word: Line = harm === "" ? [] : [["word", ` ${harm}`]];
  const short: Line = [[brought, contribution], ...word];
  if (says === "sum") return [short];
  const full: Line = [
    [`g${minus(edge.incoming_grad)}`, incoming],
    ["op", " × "],
    ["d", local],
    ["op", " = "],
    ...short,
  ];
  return [full, short];
}

/** What is wrong with it, once that has come about; of the right walk nothing is. */
export function harmOf(edge: Edge): Harm | null {
  const { harm = null } = edge as Partial<Carried>;
  return harm !== null && harm.since <= arrived.value ? harm : null;
}

export function formulaText(edge: Edge): string {
  const [incoming, local, contribution] = formulaOf(edge);
  return `${incoming} × ${local} = ${contribution} ${harmOf(edge)?.word ?? ""}`.trimEnd();
}
