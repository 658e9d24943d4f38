/** An arrow at this moment of the wave: its state, what it says, and what is wrong with it. */

import type { Edge } from "../../../engine_ts/src/template.ts";
import { groups } from "../state/groups.ts";
import { guesses } from "../state/guesses.ts";
import { arrived, current, placeOf, progress, seeded, way } from "../state/play.ts";
import { computedData } from "../state/reach.ts";
import type { Carried, Harm } from "../state/staged.ts";
import { tab } from "../state/view.ts";
import { formulaOf } from "../words/names.ts";
import type { ArrowState, Sign } from "./arrow.tsx";

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

export function signOf({ contribution }: Edge): Sign {
  return contribution === null || contribution === 0 ? "zero" : contribution > 0 ? "plus" : "minus";
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
