/** The graph: its cards and arrows as they are at this moment of the wave. */

import { signal } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { lazyAccuracy } from "../lazy.tsx";
import { fault, shown } from "../state/program.ts";
import { atEnd, current, progress, seeded, way } from "../state/play.ts";
import { marks } from "../state/marks.ts";
import { computedData, edgesNow, reaches } from "../state/reach.ts";
import { notes } from "../state/staged.ts";
import { accurate, tab } from "../state/view.ts";
import { words } from "../words.ts";
import { exact, short } from "../words/numbers.ts";
import { nameOf } from "../words/names.ts";
import { Arrow, Wire } from "./arrow.tsx";
import { Card } from "./card.tsx";
import { placed, room, turned, viewBox } from "./frame.ts";
import { labelsOf } from "./labels.ts";
import { turnedAround } from "./tips.ts";
import { formulaText, harmOf, isShown, order, saysOf, stateOf } from "./moment.ts";
import { band, digitsOf, gradOf, markOf } from "./caption.ts";

const Bits = lazyAccuracy(({ Bits }) => Bits);

/** More cards than this are no picture. */
export const MOST_DRAWN = 300;

/** Of more cards the sides stay as they are while the graph turns, which is quicker. */
const FEW = 50;
const AT_REST = signal({ yaw: 0, pitch: 0 });

export function Graph() {
  const program = shown.value;
  const { document } = program;
  const text = words.value.stage;
  if (document.nodes.length > MOST_DRAWN) {
    return <p class="too-large">{text.tooLarge(document.nodes.length, MOST_DRAWN)}</p>;
  }
  const where = placed.value;
  const edges = edgesNow.value;
  const harm = (edge: Edge) => harmOf(edge)?.word ?? "";
  const labels = labelsOf(edges, where, saysOf, harm, room.value.turned);
  const isFew = document.nodes.length <= FEW;
  const flows = way.value === "forward" || !seeded.value;
  const inOrder = [...edges]
    .sort((one, other) => order(one) - order(other))
    .map((edge) => {
      const { points } = where.routes[edge.id]!;
      const along = flows ? turnedAround(points, room.value.turned) : points;
      return { edge, state: stateOf(edge), points: along };
    });
  return (
    <svg
      class={`picture ${where.size.kind}`}
      viewBox={viewBox}
      role="group"
      aria-label={text.graphOf(program.expression, exact(document.result))}
    >
      {inOrder.map(({ edge, ...wire }) => (
        <Wire key={edge.id} {...wire} turned={room.value.turned} flows={flows} />
      ))}
      <g class="edges">
        {inOrder.map(({ edge, ...wire }) => (
          <Arrow
            key={edge.id}
            edge={edge}
            {...wire}
            isFew={isFew}
            label={labels[edge.id]!}
            name={text.edge(
              tab.value === "predict" && !isShown(edge) ? "? × ? = ?" : formulaText(edge),
              nameOf(program, edge.to),
              nameOf(program, edge.from),
            )}
          />
        ))}
      </g>
      <g class="cards">
        {document.nodes.map((node) => (
          <Card
            key={node.id}
            node={node}
            {...band(program, node.id, where.size.kind)}
            data={
              computedData.value[node.id]
                ? short(node.data, digitsOf(where.size.kind))
                : text.waiting
            }
            grad={gradOf(program, node.id, where.size.kind)}
            reach={reaches.value[node.id]!}
            turned={isFew ? turned : AT_REST}
            isRoot={node.id === document.root}
            isNext={fault.value === null && progress.value < 1 && current.value?.node === node.id}
            mark={markOf(program, node.id)}
            visit={notes.value?.[node.id]?.visit ?? marks.value?.[node.id]?.place ?? null}
            sorted={marks.value?.[node.id]?.at}
            note={atEnd.value ? (notes.value?.[node.id]?.word ?? "") : ""}
            at={where.cards[node.id]!}
            size={where.size}
          >
            {accurate.value && <Bits node={node} size={where.size} />}
          </Card>
        ))}
      </g>
    </svg>
  );
}
