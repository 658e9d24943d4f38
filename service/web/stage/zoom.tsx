/** Buttons to come nearer, where a graph is so large that its numbers cannot be read. */

import { shown } from "../state/program.ts";
import { zoom, zoomBy } from "../state/view.ts";
import { laterWords } from "../later_words.ts";
import { placed, room } from "./frame.ts";
import { MOST_DRAWN } from "./graph.tsx";

/** A drawing that is shown smaller than this can hardly be read. */
const READABLE = 0.75;
const STEP = 1.5;

export function Zoom() {
  const text = laterWords.value.zoom;
  const isSmall = room.value.width / placed.value.width < READABLE;
  if (!isSmall && zoom.value === 1) return null;
  if (shown.value.document.nodes.length > MOST_DRAWN) return null;
  return (
    <div class="zoom" role="group" aria-label={text.name}>
      <button aria-label={text.out} onClick={() => zoomBy(1 / STEP)}>
        −
      </button>
      <button aria-label={text.in} onClick={() => zoomBy(STEP)}>
        +
      </button>
    </div>
  );
}
