/** The whole graph in small, with what the window shows of it, where that is not all. */

import { useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { drawn, lookAt, stay } from "../state/sight.ts";
import { reaches } from "../state/reach.ts";
import { panBy, stage } from "../state/view.ts";
import { laterWords } from "../later_words.ts";
import { map } from "./corners.ts";
import { bounds, camera, placed } from "./frame.ts";
import { pencil } from "./pencil.ts";

const [WIDE, HIGH, PAD] = [190, 118, 8];

const canvas = createRef<HTMLCanvasElement>();

/** Pixels of the map for a unit of the drawing, and where its middle is. */
function scaleOf(): number {
  const { left, right, top, bottom } = bounds.value;
  return Math.min((WIDE - 2 * PAD) / (right - left), (HIGH - 2 * PAD) / (bottom - top));
}

export function Minimap() {
  return map.value === null ? null : <Map_ />;
}

function Map_() {
  useSignalEffect(() => {
    const draw = pencil(canvas.current!, WIDE, HIGH);
    const { left, right, top, bottom } = bounds.value;
    const scale = scaleOf();
    const at = ({ x, y }: { x: number; y: number }) => ({
      x: WIDE / 2 + (x - (left + right) / 2) * scale,
      y: HIGH / 2 + (y - (top + bottom) / 2) * scale,
    });
    const { boxes, routes } = placed.value;
    draw.stroke(
      "--edge",
      0.7,
      [...routes.values()].map((route) => route.map(at)),
    );
    for (const { id } of drawn.value.cards) {
      const { x, y, w, h } = boxes.get(id)!;
      const [one, other] = [at({ x: x - w / 2, y: y - h / 2 }), at({ x: x + w / 2, y: y + h / 2 })];
      const colour = reaches.value[id]!.grad === null ? "--side" : "--grad-line";
      draw.fill(colour, [one, { x: other.x, y: one.y }, other, { x: one.x, y: other.y }]);
    }
    const { width, height } = stage.value;
    const { x, y, left: across, top: down, scale: near } = camera.value;
    const [one, other] = [
      at({ x: x - across / near, y: y - down / near }),
      at({ x: x + (width - across) / near, y: y + (height - down) / near }),
    ];
    const frame = [one, { x: other.x, y: one.y }, other, { x: one.x, y: other.y }, one];
    draw.stroke("--ink", 1.6, [frame]);
  });
  const drag = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    stay();
    const factor = camera.value.scale / scaleOf();
    panBy(-event.movementX * factor, -event.movementY * factor);
  };
  return (
    <canvas
      class="minimap"
      ref={canvas}
      style={`left:${map.value!.left}px;top:${map.value!.top}px`}
      role="img"
      aria-label={laterWords.value.zoom.map}
      onPointerMove={drag}
      onDblClick={() => lookAt(null)}
    />
  );
}
