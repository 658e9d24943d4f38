/** Buttons to come nearer, to see all, and to go with the wave, where the graph is larger than its window. */

import { follow, following, showAll } from "../state/sight.ts";
import { zoomBy } from "../state/view.ts";
import { laterWords } from "../later_words.ts";

const STEP = 1.5;

export function Zoom() {
  const text = laterWords.value.zoom;
  return (
    <div class="zoom" role="group" aria-label={text.name}>
      <button onClick={showAll}>{text.all}</button>
      <button aria-pressed={following.value} onClick={follow}>
        {text.follow}
      </button>
      <button aria-label={text.out} onClick={() => zoomBy(1 / STEP)}>
        −
      </button>
      <button aria-label={text.in} onClick={() => zoomBy(STEP)}>
        +
      </button>
    </div>
  );
}
