/** The arrows at this moment of the wave: how wide each is, and which way it goes. */

import { computed } from "@preact/signals";
import { seeded, way } from "../state/play.ts";
import { edgesNow } from "../state/reach.ts";
import { drawn } from "../state/sight.ts";
import type { ArrowProps } from "./arrow.tsx";
import { placed } from "./frame.ts";
import { order, signOf, stateOf } from "./moment.ts";
import { FAINT, widthOf } from "./strokes.ts";

/** All arrows, in the order of the wave, which is the order in which Tab goes over them. */
export const arrows = computed((): ArrowProps[] => {
  const { routes } = placed.value;
  const now = edgesNow.value;
  const edges = drawn.value.wires.map(({ edge }) => now[edge.id]!);
  const largest = Math.max(
    Number.MIN_VALUE,
    ...now.map(({ contribution }) => Math.abs(contribution ?? 0)),
  );
  const flows = way.value !== "backward" || !seeded.value;
  return edges
    .filter(({ id }) => routes.has(id))
    .sort((one, other) => order(one) - order(other))
    .map((edge) => {
      const state = stateOf(edge);
      const isFaint = /idle|guess|forward/.test(state);
      const width =
        way.value !== "backward" && state === "now" ? 4 : widthOf(edge.contribution ?? 0, largest);
      const route = routes.get(edge.id)!;
      return {
        edge,
        state,
        sign: way.value === "backward" ? signOf(edge) : "plus",
        width: isFaint ? FAINT : width,
        route: flows ? route : route.toReversed(),
      };
    });
});
