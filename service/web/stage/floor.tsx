/** What the cards stand on and what gives them depth: one canvas, drawn with the same projection. */

import { useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { drawOn } from "../canvas.ts";
import type { Drawing, Point } from "../canvas.ts";
import { structure } from "../state/program.ts";
import { stageSize } from "../state/view.ts";
import { outlineOf } from "./camera.ts";
import type { Box } from "./camera.ts";
import { FLOOR, isCrowded, isVertical, layout, projection } from "./viewport.ts";

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
    const boxes = [...layout.value.boxes].sort(([, one], [, other]) => other.z - one.z);
    if (!isVertical.value)
      drawFloor(
        draw,
        boxes.map(([, box]) => box),
        height,
      );
    const { nodes } = structure.value.template;
    for (const [id, box] of boxes) {
      const isLeaf = nodes[id]!.row.kind !== "operation";
      const colour = id === nodes.length - 1 ? "--side-root" : isLeaf ? "--side-in" : "--side";
      drawSlab(draw, box, colour);
    }
  });
  return <canvas class="floor" ref={canvas} aria-hidden="true" />;
}

function drawFloor(draw: Drawing, boxes: readonly Box[], height: number): void {
  const { left, right, bottom } = layout.value.bounds;
  const [near, far] = [-640, boxes[0]!.z + 900];
  const [from, to] = [left - BEYOND, right + BEYOND];
  const corner = (x: number, z: number) => projection.value({ x, y: bottom + FLOOR, z });
  draw.fill("--ground", [corner(from, near), corner(to, near), corner(to, far), corner(from, far)]);
  const step = GRID_STEP * Math.max(1, Math.round((to - from) / (40 * GRID_STEP)));
  const lines: Point[][] = [];
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
  for (const { x, y, z, w, h } of boxes) {
    const foot = CIRCLE.map((angle) =>
      corner(x + 0.5 * w * Math.cos(angle), z + 24 * Math.sin(angle)),
    );
    draw.fill("--foot", foot);
    draw.stroke("--stem", 1.4, [[projection.value({ x, y: y + h / 2, z }), corner(x, z)]], [1, 4]);
  }
}

/** The back of the card and its four sides, of which those that are turned away are behind it. */
function drawSlab(draw: Drawing, box: Box, colour: string): void {
  const front = outlineOf(box, CORNER);
  const near = front.map(projection.value);
  const back = front.map((place) => projection.value({ ...place, z: box.z + SLAB }));
  draw.fill(colour, back);
  for (const at of near.keys()) {
    const next = (at + 1) % near.length;
    draw.fill(colour, [near[at]!, near[next]!, back[next]!, back[at]!]);
  }
}
