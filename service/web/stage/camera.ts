/** The eye: one projection for cards, slabs, arrows, floor and footprints. */

import { boundingRect, rectCorners, rectOf, round } from "../canvas.ts";
import type { Point, Rect } from "../canvas.ts";

/** A place in the drawing: z is how far behind the result it stands. */
export interface Place extends Point {
  readonly z: number;
}

/** A card's middle and size. */
export interface Box extends Place {
  readonly w: number;
  readonly h: number;
}

/** Where a place is seen, and how large what stands there is. */
export interface ScreenPoint extends Point {
  readonly scale: number;
}

export interface Camera {
  /** What it turns around. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Pixels for a unit there, and where in the window that is. */
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  /** Radians. */
  readonly yaw: number;
  readonly pitch: number;
  /** Units from the eye to what it turns around. */
  readonly focal: number;
}

type Projection = (place: Place) => ScreenPoint;

export interface Area {
  readonly width: number;
  readonly height: number;
}

export function projectionOf(camera: Camera): Projection {
  const { yaw, pitch, focal } = camera;
  const [sinYaw, cosYaw] = [Math.sin(yaw), Math.cos(yaw)];
  const [sinPitch, cosPitch] = [Math.sin(pitch), Math.cos(pitch)];
  return ({ x, y, z }) => {
    const [right, down, far] = [x - camera.x, y - camera.y, z - camera.z];
    const behind = far * cosYaw - right * sinYaw;
    const depth = behind * cosPitch + down * sinPitch;
    const scale = (camera.scale * focal) / Math.max(focal + depth, focal / 4);
    return {
      x: camera.left + (right * cosYaw + far * sinYaw) * scale,
      y: camera.top + (down * cosPitch - behind * sinPitch) * scale,
      scale,
    };
  };
}

export function rectAt(box: Box): Rect {
  return rectOf(box, box.w, box.h);
}

export function cornersOf(box: Box): Place[] {
  return rectCorners(rectAt(box)).map((corner) => ({ ...corner, z: box.z }));
}

/** The same without its corners, which are round. */
export function outlineOf(box: Box, round: number): Place[] {
  const wide = cornersOf({ ...box, w: box.w - 2 * round });
  const high = cornersOf({ ...box, h: box.h - 2 * round });
  return wide.flatMap((one, at) => (at % 2 === 0 ? [high[at]!, one] : [one, high[at]!]));
}

/** Put places into the middle of a room, as large as they fit there and at most so large. */
export function cameraFor(
  places: readonly Place[],
  turn: { readonly yaw: number; readonly pitch: number; readonly focal: number },
  { width, height }: Area,
  most: number,
): Camera {
  const around = boundingRect(places, 0);
  const depths = places.map(({ z }) => z);
  const unit = {
    x: (around.left + around.right) / 2,
    y: (around.top + around.bottom) / 2,
    z: (Math.min(...depths) + Math.max(...depths)) / 2,
    ...{ scale: 1, left: 0, top: 0, ...turn },
  };
  const { left, right, top, bottom } = boundingRect(places.map(projectionOf(unit)), 0);
  const scale = Math.min(most, width / (right - left), height / (bottom - top));
  return {
    ...unit,
    scale,
    left: width / 2 - (scale * (left + right)) / 2,
    top: height / 2 - (scale * (top + bottom)) / 2,
  };
}

/**
 * How a flat card is seen: as CSS writes an affine map, around the card's middle; and the larger and
 * the smaller side of a unit, which perspective and turn make differ.
 */
export function transformOf(project: Projection, { x, y, z }: Place) {
  const at = project({ x, y, z });
  const [right, down] = [project({ x: x + 1, y, z }), project({ x, y: y + 1, z })];
  const [a, b, c, d] = [right.x - at.x, right.y - at.y, down.x - at.x, down.y - at.y];
  // The singular values of the map: what a unit is stretched to at most, and at least.
  const [sum, area] = [a * a + b * b + c * c + d * d, a * d - b * c];
  const apart = Math.sqrt(Math.max(0, sum * sum - 4 * area * area));
  const written = [a, b, c, d].map((part) => part.toFixed(4)).join(",");
  return {
    matrix: `matrix(${written},${round(at.x)},${round(at.y)})`,
    scale: Math.sqrt((sum + apart) / 2),
    least: Math.sqrt((sum - apart) / 2),
  };
}

export function translation({ x, y }: Point): string {
  return `translate(${round(x)} ${round(y)})`;
}
