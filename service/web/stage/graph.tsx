/** The graph: its cards and arrows as they are at this moment of the wave. */

import { signal, useComputed } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { guesses } from "../state/guesses.ts";
import { expanded, fault, shown } from "../state/program.ts";
import { arrived, current, placeOf, progress, revealed, seeded, way } from "../state/play.ts";
import { computedData, reaches } from "../state/reach.ts";
import { tab } from "../state/view.ts";
import { exact, short, words } from "../words/words.ts";
import { formulaOf, nameOf } from "../words/telling.ts";
import { Arrow } from "./arrow.tsx";
import type { ArrowState } from "./arrow.tsx";
import { Card } from "./card.tsx";
import { camera, frame, placed, room } from "./frame.ts";
import { labelsOf } from "./labels.ts";
import type { Says } from "./labels.ts";
import { band, digitsOf, gradOf, markOf } from "./caption.ts";

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
  const labels = labelsOf(document, where, (edge) => saysOf(document.edges[edge]!));
  const isFew = document.nodes.length <= FEW;
  const inOrder = [...document.edges].sort((one, other) => order(one) - order(other));
  return (
    <svg
      class={`picture ${where.size.kind}`}
      viewBox={useComputed(() => frame.value)}
      role="group"
      aria-label={text.graphOf(program.expression, exact(document.result))}
    >
      <g class="edges">
        {inOrder.map((edge) => (
          <Arrow
            key={edge.id}
            edge={edge}
            isFew={isFew}
            state={stateOf(edge)}
            route={where.routes[edge.id]!}
            label={labels[edge.id]!}
            turned={room.value.turned}
            flows={way.value === "forward" || !seeded.value}
            name={text.edge(
              tab.value === "predict" && !isShown(edge) ? "? × ? = ?" : formulaText(edge),
              nameOf(program, edge.to),
              nameOf(program, edge.from),
            )}
            camera={camera}
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
            depth={isFew ? camera : AT_REST}
            isRoot={node.id === document.root}
            isNext={fault.value === null && progress.value < 1 && current.value?.node === node.id}
            mark={markOf(program, node.id)}
            at={where.cards[node.id]!}
            size={where.size}
            camera={camera}
          />
        ))}
      </g>
    </svg>
  );
}

/** In the order of the wave, which is the order in which Tab goes over them. */
function order(edge: Edge): number {
  return placeOf.value.get(edge.id) ?? Infinity;
}

function isShown(edge: Edge): boolean {
  return order(edge) <= arrived.value || (current.value?.edge === edge && progress.value < 1);
}

function stateOf(edge: Edge): ArrowState {
  if (way.value === "forward") {
    const isNow = current.value?.node === edge.to;
    return isNow ? "now" : computedData.value[edge.to] ? "forward" : "idle";
  }
  if (!placeOf.value.has(edge.id)) return "konst";
  if (current.value?.edge === edge) return "now";
  if (isShown(edge)) return "done";
  if (guesses.value.isOpen && tab.value === "predict") return "guess";
  return seeded.value ? "idle" : "forward";
}

function saysOf(edge: Edge): Says {
  if (way.value === "forward") return expanded.value && edge.differentiable ? "local" : "nothing";
  if (!placeOf.value.has(edge.id)) return "nothing";
  if (isShown(edge) || revealed.value) return "all";
  if (guesses.value.isOpen && tab.value === "predict") return "guess";
  return expanded.value ? "local" : "nothing";
}

function formulaText(edge: Edge): string {
  const [incoming, local, contribution] = formulaOf(edge);
  return `${incoming} × ${local} = ${contribution}`;
}
