/** What gives a card its depth: a side, and one flat shadow. */

import { useComputed } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import { useLive } from "../live.ts";
import { depthOf, round } from "./camera.ts";
import type { Point, Turn } from "./camera.ts";

/** The radius of a card's corners. */
export const RADIUS = 9;

/** The hull of the face and its shifted copy, without the face. */
export function Slab({
  width,
  height,
  turned,
}: {
  width: number;
  height: number;
  turned: ReadonlySignal<Turn>;
}) {
  const [wide, high] = [useLive(width), useLive(height)];
  const path = useComputed(() => hull(wide.value, high.value, depthOf(turned.value)));
  return (
    <>
      <rect
        class="shade"
        x={9 - width / 2}
        y={12 - height / 2}
        width={width}
        height={height}
        rx="11"
      />
      <path class="side" d={path} />
    </>
  );
}

function hull(width: number, height: number, { x, y }: Point): string {
  const [left, top] = [x - width / 2, y - height / 2];
  const length = Math.hypot(x, y) || 1;
  const [across, down] = [(y / length) * RADIUS, (-x / length) * RADIUS];
  const sign = x * y < 0 ? -1 : 1;
  const corner = { x: width / 2 - RADIUS, y: sign * (RADIUS - height / 2) };
  const turn = sign * Math.sign(y || 1);
  const one = [corner.x + turn * across, corner.y + turn * down].map(round) as [number, number];
  const other = [-corner.x - turn * across, -corner.y - turn * down].map(round) as [number, number];
  const bend = `a${RADIUS} ${RADIUS} 0 0 1`;
  const box =
    `M${round(left + RADIUS)} ${round(top)}h${width - 2 * RADIUS}${bend} ${RADIUS} ${RADIUS}` +
    `v${height - 2 * RADIUS}${bend} ${-RADIUS} ${RADIUS}h${2 * RADIUS - width}` +
    `${bend} ${-RADIUS} ${-RADIUS}v${2 * RADIUS - height}${bend} ${RADIUS} ${-RADIUS}z`;
  const shift = `l${round(x)} ${round(y)}`;
  return `${box}M${one.join(" ")}${shift}L${round(other[0] + x)} ${round(other[1] + y)}L${other.join(" ")}z`;
}
