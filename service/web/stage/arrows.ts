/** The arrows at this moment of the wave: how wide each is, and which way it goes. */

import { computed } from "@preact/signals";
import { seeded, way } from "../state/play.ts";
import { edgesNow } from "../state/reach.ts";
import { drawn } from "../state/sight.ts";
import type { ArrowProps } from "./arrow.tsx";
import { placed } from "./frame.ts";
import { order, signOf, stateOf } from "./moment.ts";
import { FAINT, widthOf } from "./strokes.ts";

/** The width of what carries no gradient, and of what is under way there. */
const [PLAIN, NOW] = [2, 4];

/** All arrows, in the order of the wave, which is the order in which Tab goes over them. */
export const arrows = computed((): ArrowProps[] => {
  const { routes } = placed.value;
  const now = edgesNow.value;
  const edges = drawn.value.wires.map(({ edge }) => now[edge.id]!);
  const largest = Math.max(
    Number.MIN_VALUE,
    ...now.map(({ contribution }) => Math.abs(contribution ?? 0)),
  );
  const flows = way.value === "forward" || !seeded.value;
  return edges
    .filter(({ id }) => routes.has(id))
    .sort((one, other) => order(one) - order(other))
    .map((edge) => {
      const state = stateOf(edge);
      const isFaint = /idle|guess|forward/.test(state);
      const isPlain = way.value !== "backward";
      const carried = widthOf(edge.contribution ?? 0, largest);
      const width = !isPlain ? carried : state === "now" ? NOW : PLAIN;
      const route = routes.get(edge.id)!;
      return {
        edge,
        state,
        sign: isPlain ? "plus" : signOf(edge),
        width: isFaint ? FAINT : width,
        route: flows ? route : route.toReversed(),
      };
    });
});
