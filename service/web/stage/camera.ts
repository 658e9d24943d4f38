/** How the drawing is turned, and how its lines are written. */

/** How far away the eye is, in widths of the drawing. */
const FAR = 3.6;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How the drawing is turned, in radians. */
export interface Turn {
  readonly yaw: number;
  readonly pitch: number;
}

/**
 * The drawing lies in one plane, so one transform turns all of it: nothing in it is laid out anew.
 *
 * `length` is the longer side of the drawing, in pixels.
 */
export function transformOf({ yaw, pitch }: Turn, length: number): string {
  if (yaw === 0 && pitch === 0) return "none";
  return `perspective(${round(FAR * length)}px) rotateX(${-pitch}rad) rotateY(${-yaw}rad)`;
}

export function translation({ x, y }: Point): string {
  return `translate(${round(x)} ${round(y)})`;
}

/** How a slab shows its side: lower right at rest, and turned with the rest. */
export function depthOf({ yaw, pitch }: Turn): Point {
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
