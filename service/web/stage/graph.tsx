/** The graph: its cards and arrows as they are at this moment of the wave. */

import { lazy, loaded } from "../lazy.tsx";
import { marks } from "../state/marks.ts";
import { atEnd, current, progress } from "../state/play.ts";
import { fault, shown } from "../state/program.ts";
import { showsAll } from "../state/reach.ts";
import { active, drawn } from "../state/sight.ts";
import { notes } from "../state/staged.ts";
import { tab } from "../state/view.ts";
import { words } from "../words.ts";
import { exact } from "../words/numbers.ts";
import { nameOf } from "../words/names.ts";
import { Arrow, Wire } from "./arrow.tsx";
import { arrows } from "./arrows.ts";
import { Card } from "./card.tsx";
import { moving, placed } from "./frame.ts";
import { formulaText, isShown } from "./moment.ts";

const Floor = lazy(({ Floor }) => Floor);

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
            label={loaded.value?.labels.value.get(arrow.edge.id) ?? null}
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
            visit={notes.value?.[card.id]?.visit ?? marks.value?.[card.id]?.place ?? null}
            note={atEnd.value ? (notes.value?.[card.id]?.word ?? "") : ""}
          />
        ))}
    </div>
  );
}
