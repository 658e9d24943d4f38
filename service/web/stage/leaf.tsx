/** The leaf under way that is a chip of a card -> drawn out of it, with an arrow that has a label. */

import { effect } from "@preact/signals";
import { current, playsFronts } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { pass } from "../state/view.ts";
import { cornersOf, transformOf } from "./camera.ts";
import type { Box } from "./camera.ts";
import { dataText, fitText, gradText, textWidth } from "./card_text.ts";
import { CURVE_POINTS, END_GAP } from "./layout.ts";
import {
  drawnGraph,
  drawnOut,
  isInside,
  isVertical,
  layout,
  leastLetters,
  projection,
} from "./viewport.ts";
import type { DrawnOut, Leaf } from "./viewport.ts";

/** A leaf that is drawn out of its card, and how far. */
const [LEAF, OUT] = [{ w: 84, h: 46 }, 52];
/** Letters of it, its margin, and what of a line its name may take. */
const [LETTERS, PAD, NAMED] = [12, 8, 0.4];
/** Where it may stand, in halves of both: to the left, then above, below and to the right. */
const LEAF_PLACES = [
  [-1, 0],
  [-1, -1],
  [-1, 1],
  [0, -1],
  [0, 1],
  [1, 0],
] as const;

/** The places of a leaf beside its card; the one that is wanted most comes first. */
function placesBeside(card: Box): DrawnOut[] {
  return LEAF_PLACES.map(([x, y]) => {
    const across = x * (card.w / 2 + OUT + LEAF.w / 2);
    const down = y * (card.h / 2 + (x === 0 ? OUT : 0) + LEAF.h / 2);
    const box = { ...LEAF, x: card.x + across, y: card.y + down, z: card.z };
    const start = { x: card.x + x * (card.w / 2 + END_GAP), y: card.y, z: card.z };
    const end = { x: box.x - x * (LEAF.w / 2 + END_GAP), y: box.y, z: card.z };
    if (x === 0) [start.y, end.y] = [start.y + y * (card.h / 2), end.y - y * (LEAF.h / 2)];
    else if (y !== 0) start.y += y * (card.h / 3);
    const route = Array.from({ length: CURVE_POINTS + 1 }, (_, at) => ({
      x: start.x + ((end.x - start.x) * at) / CURVE_POINTS,
      y: start.y + ((end.y - start.y) * at) / CURVE_POINTS,
      z: card.z,
    }));
    return { box, route };
  });
}

/** Between a leaf that is drawn out and another card. */
const APART = 6;

/** Find where it stands; on a phone it is drawn only where it has room. */
function findLeaf(): Leaf | null {
  const edge = current.value?.edge ?? null;
  if (edge === null || pass.value !== "backward" || playsFronts.value) return null;
  for (const { id, chips } of drawnGraph.value.cards) {
    const chip = chips.find((each) => each.edge.id === edge.id);
    if (chip === undefined) continue;
    const places = placesBeside(layout.value.boxes.get(id)!);
    const seen = places.filter(({ box }) => cornersOf(box).map(projection.value).every(isInside));
    const free = seen.find(({ box }) => isAlone(box, id));
    if (free === undefined && isVertical.value) return null;
    return { ...chip, ...(free ?? seen[0] ?? places[0]!) };
  }
  return null;
}

effect(() => {
  drawnOut.value = findLeaf();
});

function isAlone(box: Box, own: number): boolean {
  return [...layout.value.boxes].every(
    ([id, other]) =>
      id === own ||
      Math.abs(box.x - other.x) > (box.w + other.w) / 2 + APART ||
      Math.abs(box.y - other.y) > (box.h + other.h) / 2 + APART,
  );
}

/** A leaf that is drawn out of its card for the time of its tick. */
export function LeafDrawnOut() {
  const leaf = drawnOut.value;
  if (leaf === null) return null;
  const { node, box } = leaf;
  const { matrix, least } = transformOf(projection.value, box);
  const smallest = leastLetters.value / least;
  const size = Math.max(smallest, LETTERS);
  const width = LEAF.w - PAD;
  const name = fitText(shown.value.document.nodes[node]!.label ?? "", size, width * NAMED);
  const data = dataText(shown.value, node, width - textWidth(`${name}  `, size), size, size);
  const grad = gradText(shown.value, node, width - size, size, size);
  return (
    <div
      key={node}
      class="leaf-out"
      style={`transform:${matrix};--w:${box.w}px;--h:${box.h}px;--least:${smallest}px;font-size:${size}px`}
      data-node={node}
      aria-hidden="true"
    >
      <div class="small-card low">
        <b class="name">{name}</b>
        <span class={`val data ${data.tone}`}>{data.text}</span>
        <span class={`val grad ${grad.tone}`}>{grad.text}</span>
      </div>
    </div>
  );
}
