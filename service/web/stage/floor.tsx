/** What the cards stand on and what gives them depth: one canvas, drawn with the same projection. */

import { useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { drawOn } from "../canvas.ts";
import type { Drawing } from "../canvas.ts";
import { structure } from "../state/program.ts";
import { stageSize } from "../state/view.ts";
import { outlineOf } from "./camera.ts";
import type { Box, Place, ScreenPoint } from "./camera.ts";
import {
  bounds,
  drawnGraph,
  FLOOR,
  isCrowded,
  isVertical,
  layout,
  projection,
} from "./viewport.ts";

/** Units from a line of the grid to the next, and how far it goes beyond the cards. */
const [GRID_STEP, BEYOND] = [70, 420];
/** How deep a card is. */
const SLAB = 14;
const CORNER = 4;
/** More cards have no stems and footprints: they would be a carpet. */
const FEW = 14;
const CIRCLE = Array.from({ length: 20 }, (_, at) => (at / 10) * Math.PI);

const canvas = createRef<HTMLCanvasElement>();

export function Floor() {
  useSignalEffect(() => {
    const { width, height } = stageSize.value;
    const draw = drawOn(canvas.current!, width, height);
    const project = projection.value;
    const { boxes } = layout.value;
    const ordered = drawnGraph.value.cards
      .map((card) => ({ card, box: boxes.get(card.id) }))
      .filter((each): each is { card: (typeof each)["card"]; box: Box } => each.box !== undefined)
      .sort((one, other) => other.box.z - one.box.z);
    const all = ordered.map(({ box }) => box);
    if (!isVertical.value) drawFloor(draw, all, project, height);
    const { nodes } = structure.value.template;
    for (const { card, box } of ordered) {
      const isLeaf = nodes[card.id]!.row.kind !== "operation";
      const colour = card.id === nodes.length - 1 ? "--side-root" : isLeaf ? "--side-in" : "--side";
      drawSlab(draw, box, project, colour);
    }
  });
  return <canvas class="floor" ref={canvas} aria-hidden="true" />;
}

function drawFloor(
  draw: Drawing,
  boxes: readonly Box[],
  project: (place: Place) => ScreenPoint,
  height: number,
): void {
  const { left, right, bottom } = bounds.value;
  const y = bottom + FLOOR;
  const far = Math.max(...boxes.map(({ z }) => z)) + 900;
  const near = -640;
  const [from, to] = [left - BEYOND, right + BEYOND];
  const corner = (x: number, z: number) => project({ x, y, z });
  draw.fill("--ground", [corner(from, near), corner(to, near), corner(to, far), corner(from, far)]);
  const step = GRID_STEP * Math.max(1, Math.round((to - from) / (40 * GRID_STEP)));
  const lines: ScreenPoint[][] = [];
  for (let x = from; x <= to; x += step) lines.push([corner(x, near), corner(x, far)]);
  for (let z = near; z <= far; z += GRID_STEP) lines.push([corner(from, z), corner(to, z)]);
  draw.stroke("--gridline", 1, lines);
  draw.fade("--stage", height);
  if (boxes.length > FEW || isCrowded.value) return;
  const rails = [...Map.groupBy(boxes, ({ z }) => z)].map(([z, row]) => [
    corner(Math.min(...row.map((box) => box.x - box.w / 2)) - 14, z),
    corner(Math.max(...row.map((box) => box.x + box.w / 2)) + 14, z),
  ]);
  draw.stroke("--rail", 2.5, rails);
  for (const { x, y: middle, z, w, h } of boxes) {
    const foot = CIRCLE.map((angle) =>
      corner(x + 0.5 * w * Math.cos(angle), z + 24 * Math.sin(angle)),
    );
    draw.fill("--foot", foot);
    draw.stroke("--stem", 1.4, [[project({ x, y: middle + h / 2, z }), corner(x, z)]], [1, 4]);
  }
}

/** The back of the card and its four sides, of which those that are turned away are behind it. */
function drawSlab(
  draw: Drawing,
  box: Box,
  project: (place: Place) => ScreenPoint,
  colour: string,
): void {
  const front = outlineOf(box, CORNER);
  const back = front.map((place) => project({ ...place, z: box.z + SLAB }));
  const near = front.map(project);
  draw.fill(colour, back);
  for (const at of near.keys()) {
    const next = (at + 1) % near.length;
    draw.fill(colour, [near[at]!, near[next]!, back[next]!, back[at]!]);
  }
}
