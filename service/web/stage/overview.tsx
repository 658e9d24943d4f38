/** A graph of many cards: a dot for each above, and below it, as cards, those around the wave; zoom. */

import { computed, useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { boundingRect, drawOn, rectCorners } from "../canvas.ts";
import type { Point } from "../canvas.ts";
import { deferredWords } from "../deferred_words.ts";
import { cardGraph } from "../state/cards.ts";
import { arrived, partialGrads, tickOfEdge } from "../state/play.ts";
import { shown, structure } from "../state/program.ts";
import { aimAt, follow, following } from "../state/target.ts";
import { stageSize, zoomBy } from "../state/view.ts";
import { nameOf } from "../words/text.tsx";
import { drawnGraph, overviewHeight, reserveOverview } from "./viewport.ts";

/** The radius of a dot at least and at most; of those that are cards, more. */
const [SMALL, LARGE, MORE] = [2, 4.5, 1.5];
const [PAD, LINE] = [14, 26];
/** What the line above the dots takes, and the wedge below them. */
const HEAD = 92;
/** Pixels between a dot and a click on it. */
const NEAR = 18;
/** Of so many arrows each shows whether it was reached. */
const MOST_ARROWS = 3_000;

const canvas = createRef<HTMLCanvasElement>();

/** Where each card's dot is: columns by the longest way to the result, in the order of their users. */
const dots = computed(() => {
  const { cards, wires } = cardGraph.value;
  const { width } = stageSize.value;
  const height = overviewHeight.value;
  const users = Map.groupBy(wires, ({ from }) => from);
  const columns = new Map<number, number>();
  for (const { id } of cards.toReversed()) {
    const after = (users.get(id) ?? []).map(({ to }) => columns.get(to)! + 1);
    columns.set(id, Math.max(0, ...after));
  }
  const last = Math.max(1, ...columns.values());
  const stride = (width - 2 * PAD) / last;
  const places = new Map<number, Point>();
  const all = [...Map.groupBy(cards, ({ id }) => columns.get(id)!)].sort(([a], [b]) => a - b);
  let radius = LARGE;
  for (const [column, row] of all) {
    const gap = Math.min(PAD, (height - 2 * PAD - LINE) / Math.max(1, row.length - 1));
    radius = Math.max(SMALL, Math.min(radius, gap / 2.4, stride / 2.4));
    const wish = new Map(
      row.map(({ id }) => {
        const met = (users.get(id) ?? []).map(({ to }) => places.get(to)!.y);
        return [id, met.reduce((sum, y) => sum + y, 0) / Math.max(1, met.length)];
      }),
    );
    const sorted = row.toSorted((one, other) => wish.get(one.id)! - wish.get(other.id)!);
    for (const [at, { id }] of sorted.entries()) {
      const x = width - PAD - column * stride;
      places.set(id, { x, y: (height + LINE) / 2 + (at - (row.length - 1) / 2) * gap });
    }
  }
  const most = Math.max(...all.map(([, row]) => row.length));
  return { places, radius, high: most * PAD + HEAD };
});

/** Written once for a graph, not with each step or number. */
const options = computed(() =>
  cardGraph.value.cards.map(({ id }) => (
    <option value={String(id)}>{nameOf(shown.peek(), id)}</option>
  )),
);

export function Overview() {
  useSignalEffect(drawDots);
  useSignalEffect(() => reserveOverview(dots.value.high));
  const { cards } = cardGraph.value;
  const [first] = drawnGraph.value.cards;
  return (
    <div class="overview" style={`height:${overviewHeight.value}px`}>
      <canvas ref={canvas} aria-hidden="true" onClick={pick} />
      <label>
        {deferredWords.value.zoom.dots(cards.length)}
        <select
          value={String(first?.id)}
          onChange={(event) => aimAt([Number(event.currentTarget.value)])}
        >
          {options.value}
        </select>
      </label>
    </div>
  );
}

/** What a dot says of its gradient: none yet, negative, or not; most inputs change none of it. */
const signs = computed(() =>
  cardGraph.value.cards
    .map(({ id }) => partialGrads.value[id]!.grad)
    .map((grad) => (grad === null ? "." : grad < 0 ? "-" : "+"))
    .join(""),
);

function drawDots(): void {
  const { width } = stageSize.value;
  const height = overviewHeight.value;
  const draw = drawOn(canvas.current!, width, height);
  const { wires, cards } = cardGraph.value;
  const { places, radius } = dots.value;
  const { nodes } = structure.value.template;
  const around = new Set(drawnGraph.value.cards.map(({ id }) => id));
  const line = ({ from, to }: { from: number; to: number }) => [places.get(from)!, places.get(to)!];
  const ticks = tickOfEdge.peek(); // which depend on the text, as the dots do
  const found = Map.groupBy(wires, ({ edge }) => (ticks.get(edge.id) ?? Infinity) <= arrived.value);
  for (const isDone of [false, true]) {
    const lines = (found.get(isDone) ?? []).slice(0, MOST_ARROWS).map(line);
    draw.stroke(isDone ? "--grad-line" : "--line", 0.7, lines);
  }
  const frame = [...around].map((id) => places.get(id)!);
  const box = rectCorners(boundingRect(frame, 9));
  draw.fill("--wedge", [box[3]!, box[2]!, { x: width, y: height }, { x: 0, y: height }]);
  for (const [at, { id }] of cards.entries()) {
    const isLeaf = nodes[id]!.row.kind !== "operation";
    const [fill, edge] = {
      ".": isLeaf ? ["--data-wash", "--data-line"] : ["--face", "--edge"],
      "-": ["--face", "--neg"],
      "+": ["--grad-fill", "--grad-line"],
    }[signs.value[at]!]! as [string, string];
    const more = around.has(id) ? MORE : 0;
    draw.disc(fill, edge, 1 + more / 2, places.get(id)!, radius + more);
  }
  draw.stroke("--ink", 1.6, [[...box, box[0]!]]);
}

/** Look at the value whose dot is nearest to a click. */
function pick(event: MouseEvent): void {
  const found = [...dots.value.places].map(([id, { x, y }]) => {
    return { id, distance: Math.hypot(x - event.offsetX, y - event.offsetY) };
  });
  const [nearest] = found.sort((one, other) => one.distance - other.distance);
  if (nearest!.distance < NEAR) aimAt([nearest!.id]);
}

const ZOOM_STEP = 1.5;

export function Zoom() {
  const text = deferredWords.value.zoom;
  return (
    <div class="zoom" role="group" aria-label={text.name}>
      <button onClick={() => aimAt(null)}>{text.all}</button>
      <button aria-pressed={following.value} onClick={follow}>
        {text.follow}
      </button>
      <button aria-label={text.out} onClick={() => zoomBy(1 / ZOOM_STEP)}>
        −
      </button>
      <button aria-label={text.in} onClick={() => zoomBy(ZOOM_STEP)}>
        +
      </button>
    </div>
  );
}
