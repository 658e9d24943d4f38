/** The window on the graph: where all stands, how it is turned, and how near it is. */

import { computed } from "@preact/signals";
import { shown, structure } from "../state/program.ts";
import { pan, pitch, stage, yaw, zoom } from "../state/view.ts";
import { transformOf } from "./camera.ts";
import { place } from "./place.ts";

/** On a stage narrower than this the graph is turned. */
const NARROW = 560;

export const room = computed(() => {
  const { width, height } = stage.value;
  const turned = width < NARROW;
  const across = turned ? 358 : 752;
  return { turned, width: across, height: turned ? 0 : (across * height) / width };
});

/** Where all stands; recomputed only when the graph's shape or the stage changes. */
export const placed = computed(() => {
  void structure.value;
  return place(shown.peek().document, room.value);
});

export const turned = computed(() => ({ yaw: yaw.value, pitch: pitch.value }));

/** What is in the window, in the units of the drawing. */
const frame = computed(() => {
  const { width, height } = placed.value;
  const fitted = Math.max(width, room.value.width);
  const high = Math.max(height, (room.value.height * fitted) / room.value.width);
  const scale = 1 / zoom.value;
  const [x, y] = [
    (width - fitted * scale) / 2 - pan.value.x,
    (height - high * scale) / 2 - pan.value.y,
  ];
  return [x, y, fitted * scale, high * scale].map((part) => Math.round(part * 10) / 10);
});

export const viewBox = computed(() => frame.value.join(" "));

/** How the picture is turned, around the middle of the drawing wherever it was moved to. */
export const turning = computed(() => {
  const { width, height } = placed.value;
  const [, , across, down] = frame.value as [number, number, number, number];
  const { x, y } = pan.value;
  const pixels = stage.value.width / across;
  return {
    transform: transformOf(turned.value, Math.max(width, height) * pixels),
    transformOrigin: `${50 + (100 * x) / across}% ${50 + (100 * y) / down}%`,
  };
});
