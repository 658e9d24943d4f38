/** The graph: its cards and arrows as they are at this moment of the wave. */

import { computed } from "@preact/signals";
import { shown } from "../state/program.ts";
import { fault } from "../state/program.ts";
import { atEnd, current, progress, seeded, way } from "../state/play.ts";
import { edgesNow, showsAll } from "../state/reach.ts";
import { active, drawn } from "../state/sight.ts";
import { notes } from "../state/staged.ts";
import { chosen, stage, tab } from "../state/view.ts";
import { words } from "../words.ts";
import { exact } from "../words/numbers.ts";
import { nameOf } from "../words/names.ts";
import { Arrow, Wire } from "./arrow.tsx";
import type { ArrowProps } from "./arrow.tsx";
import { cornersOf } from "./camera.ts";
import { Card } from "./card.tsx";
import { Floor } from "./floor.tsx";
import { isBeyond, leastLetters, moving, placed, projection } from "./frame.ts";
import { around, labelsOf } from "./labels.ts";
import type { Label } from "./labels.ts";
import { formulaText, isShown, linesOf, order, saysOf, signOf, stateOf } from "./moment.ts";
import { FAINT, strokeOf, widthOf } from "./strokes.ts";

/** Into one card so many arrows say all that they carry; of more, those that are read or under way. */
const MOST_SAYING = 2;
/** A graph of so few cards has room for all. */
const FEW = 8;

/** All arrows, in the order of the wave, which is the order in which Tab goes over them. */
const arrows = computed((): ArrowProps[] => {
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

/** Where labels stand while nothing moves: they are not placed anew for each frame. */
const labels = computed((): ReadonlyMap<number, Label> => {
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
  const { width, height } = stage.value;
  // The buttons and the map, where they are.
  if (isBeyond.value) {
    boxes.push({ left: width - 210, right: width, top: height - 138, bottom: height });
    boxes.push({ left: 0, right: 270, top: height - 56, bottom: height });
  }
  const window = { left: 2, right: width - 2, top: 2, bottom: height - 2 };
  return labelsOf(speakers, strokes, boxes, window, leastLetters.value);
});

export function Graph() {
  const program = shown.value;
  const { document } = program;
  const text = words.value.stage;
  const { boxes } = placed.value;
  const [sender] = active.value;
  const isUnderWay = fault.value === null && progress.value < 1;
  const isHidden = tab.value === "predict";
  return (
    <div
      class={`picture${moving.value ? " moves" : ""}`}
      role="group"
      aria-label={text.graphOf(program.expression, exact(document.result))}
    >
      <Floor />
      <svg class="wires" aria-hidden="true">
        {arrows.value.map((arrow) => (
          <Wire key={arrow.edge.id} {...arrow} />
        ))}
      </svg>
      <svg class="edges">
        {arrows.value.map((arrow) => (
          <Arrow
            key={arrow.edge.id}
            {...arrow}
            label={labels.value.get(arrow.edge.id) ?? null}
            name={text.edge(
              isShown(arrow.edge) || (showsAll.value && !isHidden)
                ? formulaText(arrow.edge)
                : "? × ? = ?",
              nameOf(program, arrow.edge.to),
              nameOf(program, arrow.edge.from),
            )}
          />
        ))}
      </svg>
      {drawn.value.cards
        .filter(({ id }) => boxes.has(id))
        .map((card) => (
          <Card
            key={card.id}
            card={card}
            box={boxes.get(card.id)!}
            isRoot={card.id === document.root}
            isNext={isUnderWay && current.value?.node === card.id}
            isSending={isUnderWay && sender === card.id && sender !== current.value?.node}
            visit={notes.value?.[card.id]?.visit ?? null}
            note={atEnd.value ? (notes.value?.[card.id]?.word ?? "") : ""}
          />
        ))}
    </div>
  );
}
