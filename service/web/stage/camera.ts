/** Points of the drawing -> points of the screen, for a graph that is turned a little. */

import type { Point } from "./place.ts";

/** How far away the eye is, in widths of the drawing. */
const FAR = 3.6;

/** A turned plane: at rest it leaves every point where it is. */
export interface Camera {
  readonly centre: Point;
  readonly distance: number;
  readonly yaw: number;
  readonly pitch: number;
}

export function cameraOf(width: number, height: number, yaw: number, pitch: number): Camera {
  const centre = { x: width / 2, y: height / 2 };
  return { centre, distance: FAR * Math.max(width, height), yaw, pitch };
}

/** Turn around the vertical axis, then the horizontal one; what is farther away is smaller. */
export function project({ centre, distance, yaw, pitch }: Camera, { x, y }: Point): Point {
  const [across, down] = [x - centre.x, y - centre.y];
  const depth = -across * Math.sin(yaw);
  const turned = down * Math.cos(pitch) - depth * Math.sin(pitch);
  const scale = distance / (distance + down * Math.sin(pitch) + depth * Math.cos(pitch));
  return { x: centre.x + across * Math.cos(yaw) * scale, y: centre.y + turned * scale };
}

/** A card lies in the plane, so one matrix turns its face and its text alike. */
export function matrixAt(camera: Camera, at: Point): string {
  const here = project(camera, at);
  if (camera.yaw === 0 && camera.pitch === 0) return `translate(${round(here.x)} ${round(here.y)})`;
  const right = project(camera, { x: at.x + 1, y: at.y });
  const below = project(camera, { x: at.x, y: at.y + 1 });
  const parts = [right.x - here.x, right.y - here.y, below.x - here.x, below.y - here.y];
  return `matrix(${parts.map((part) => part.toFixed(4)).join(" ")} ${round(here.x)} ${round(here.y)})`;
}

/** How a slab shows its side: lower right at rest, and turned with the rest. */
export function depthOf({ yaw, pitch }: Pick<Camera, "yaw" | "pitch">): Point {
  return { x: 5 - 16 * Math.sin(yaw), y: 6 + 16 * Math.sin(pitch) };
}

/** The path through points: a start, then curves of three points each. */
export function pathOf(points: readonly Point[]): string {
  const [start, ...rest] = points.map(({ x, y }) => `${round(x)} ${round(y)}`);
  return `M${start}C${rest.join(" ")}`;
}

/** Cut a path of curves where this share of it, by curve and parameter, is behind. */
export function splitAt(points: readonly Point[], share: number): [Point[], Point[]] {
  const curves = (points.length - 1) / 3;
  const place = Math.min(share, 0.9999) * curves;
  const at = 3 * Math.floor(place);
  const t = place - Math.floor(place);
  const [a, b, c, d] = points.slice(at, at + 4) as [Point, Point, Point, Point];
  const [ab, bc, cd] = [between(a, b, t), between(b, c, t), between(c, d, t)];
  const [abc, bcd] = [between(ab, bc, t), between(bc, cd, t)];
  const here = between(abc, bcd, t);
  const behind = [...points.slice(0, at), a, ab, abc, here];
  return [behind, [here, bcd, cd, d, ...points.slice(at + 4)]];
}

function between(one: Point, other: Point, t: number): Point {
  return { x: one.x + (other.x - one.x) * t, y: one.y + (other.y - one.y) * t };
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
