/** The ends of an arrow: its head, and the room for it. */

import { round } from "./camera.ts";
import type { Point } from "./camera.ts";
import { ARROW_ROOM } from "./size.ts";

/** The side of a card covers this much of a line that begins at it. */
const SLAB = 4;

/** Data goes the other way, so the room for the head is at the operation. */
export function turnedAround(points: readonly Point[], turned: boolean): readonly Point[] {
  const moved = (point: Point, by: number) =>
    turned ? { x: point.x, y: point.y + by } : { x: point.x + by, y: point.y };
  const [start, ...rest] = points as [Point, ...Point[]];
  const end = rest.pop()!;
  return [moved(end, SLAB - ARROW_ROOM), ...rest.toReversed(), moved(start, -ARROW_ROOM)];
}

/** The head, between the end of the line and the card that receives. */
export function tipOf(points: readonly Point[], turned: boolean, flows: boolean): string {
  const { x, y } = points.at(-1)!;
  const away = flows ? -1 : 1;
  const [along, across] = [round((turned ? y : x) - 8 * away), round(turned ? x : y)];
  if (turned) return `M${across} ${along}l-6 ${11 * away}h12Z`;
  return `M${along} ${across}l${11 * away} -6v12Z`;
}
