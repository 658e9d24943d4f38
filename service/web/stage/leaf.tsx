/** The leaf under way that is a chip of a card -> drawn out of it, with an arrow that has a label. */

import { effect, signal } from "@preact/signals";
import { current, playsFronts } from "../state/play.ts";
import { cardGraph } from "../state/cards.ts";
import { shown } from "../state/program.ts";
import { pass, reducedMotion } from "../state/view.ts";
import { grown, overlaps } from "../canvas.ts";
import { cornersOf, rectAt, transformOf } from "./camera.ts";
import type { Box } from "./camera.ts";
import { dataText, fitText, gradText, textWidth } from "./card_text.ts";
import { curved, END_GAP } from "./layout.ts";
import { drawnGraph, drawnOut, isInside, layout, leastLetters, projection } from "./viewport.ts";
import type { Leaf } from "./viewport.ts";

/** A leaf that is drawn out of its card, and how far; without it, the length of its arrow. */
const [LEAF, OUT, STUB] = [{ w: 84, h: 46 }, 52, 34];
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
function placesBeside(card: Box, { w, h } = LEAF, out = OUT) {
  return LEAF_PLACES.map(([x, y]) => {
    const { z } = card;
    const across = x * (card.w / 2 + out + w / 2);
    const down = y * (card.h / 2 + (x === 0 ? out : 0) + h / 2);
    const box = { w, h, x: card.x + across, y: card.y + down, z };
    const [from, to] = x === 0 ? [card.h / 2, h / 2] : [card.h / 3, 0];
    const start = { x: card.x + x * (card.w / 2 + END_GAP), y: card.y + y * from, z };
    const end = { x: box.x - x * (w / 2 + END_GAP), y: box.y - y * to, z };
    return { box, route: curved([start, end], 0) };
  });
}

/** Between a leaf that is drawn out and another card. */
const APART = 6;

/** Find where it stands; where it has no room, there is but its arrow. */
function findLeaf(): Leaf | null {
  const edge = current.value?.edge ?? null;
  if (edge === null || pass.value !== "backward" || playsFronts.value) return null;
  for (const { id, chips } of drawnGraph.value.cards) {
    const chip = chips.find((each) => each.edge.id === edge.id);
    if (chip === undefined) continue;
    const card = layout.value.boxes.get(id)!;
    const isSeen = ({ box }: { box: Box }) => cornersOf(box).map(projection.value).every(isInside);
    const others = [...layout.value.boxes.values()].filter((box) => box !== card);
    const isFree = (place: { box: Box }) =>
      isSeen(place) &&
      !others.some((other) => overlaps(grown(rectAt(place.box), APART), rectAt(other)));
    const free = placesBeside(card).find(isFree);
    if (free !== undefined) return { ...chip, ...free };
    const stubs = placesBeside(card, { w: 0, h: 0 }, STUB);
    return { ...chip, ...(stubs.find(isFree) ?? stubs.find(isSeen) ?? stubs[0]!), box: null };
  }
  return null;
}

/** The leaf that slides back into its card. */
const returning = signal<Leaf | null>(null);

effect(() => {
  const before = drawnOut.peek();
  drawnOut.value = findLeaf();
  if (before?.node === drawnOut.peek()?.node) return;
  returning.value = reducedMotion.matches ? null : before;
});

/** A leaf that is drawn out of its card for the time of its tick, and the one before, on its way back. */
export function LeafDrawnOut() {
  const [out, back] = [drawnOut.value, returning.value];
  return (
    <>
      {back !== null && <LeafCard key={`${back.node} back`} leaf={back} isBack />}
      {out !== null && <LeafCard key={out.node} leaf={out} />}
    </>
  );
}

function LeafCard({ leaf: { node, box }, isBack = false }: { leaf: Leaf; isBack?: boolean }) {
  const card = layout.value.boxes.get(cardGraph.value.cardOf[node]!);
  if (box === null || card === undefined) return null;
  const { matrix, least } = transformOf(projection.value, box);
  const [here, home] = [projection.value(box), projection.value(card)];
  const smallest = leastLetters.value / least;
  const size = Math.max(smallest, LETTERS);
  const width = LEAF.w - PAD;
  const name = fitText(shown.value.document.nodes[node]!.label ?? "", size, width * NAMED);
  const data = dataText(node, width - textWidth(`${name}  `, size), size);
  const grad = gradText(node, width - size, size);
  return (
    <div
      class={`leaf-out${isBack ? " back" : ""}`}
      style={
        `transform:${matrix};--w:${box.w}px;--h:${box.h}px;--least:${smallest}px;` +
        `--home:${home.x - here.x}px ${home.y - here.y}px;font-size:${size}px`
      }
      data-node={node}
      aria-hidden="true"
      onAnimationEnd={() => isBack && (returning.value = null)}
    >
      <div class="small-card low">
        <b class="name">{name}</b>
        <span class={`val data ${data.tone}`}>{data.text}</span>
        <span class={`val grad ${grad.tone}`}>{grad.text}</span>
      </div>
    </div>
  );
}
