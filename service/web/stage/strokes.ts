/** An arrow's points and size -> its line, which ends where its head begins, and its head. */

import { clamp } from "../state/number.ts";
import { pathOf, round } from "./camera.ts";
import type { Point, Seen } from "./camera.ts";

/** Pixels of the thinnest and the thickest arrow: a thousandth of the largest contribution, and it. */
const [THIN, THICK, DECADES] = [2, 6.5, 3];
/** What carries nothing, or nothing yet. */
export const FAINT = 1.6;
/** Arrows far away are thinner, within bounds. */
const [SMALLEST, LARGEST] = [0.55, 1.15];
/** The rails of a negative arrow. */
const RAILS = 2.6;

export interface Stroke {
  /** Ends where the head begins. */
  readonly line: readonly Point[];
  readonly head: readonly Point[];
  readonly width: number;
}

export function widthOf(contribution: number, largest: number): number {
  const share = 1 + Math.log10(Math.abs(contribution) / largest) / DECADES;
  return contribution === 0 ? FAINT : clamp(THIN + (THICK - THIN) * share, THIN, THICK);
}

export function strokeOf(points: readonly Seen[], width: number): Stroke {
  const near = clamp(points[points.length >> 1]!.scale, SMALLEST, LARGEST);
  const wide = width * near;
  const length = (8 + width) * clamp(near, 0.7, 1);
  const half = (3.6 + width * 0.6) * clamp(near, 0.7, 1);
  const tip = points.at(-1)!;
  const line: Point[] = points.filter(({ x, y }) => Math.hypot(x - tip.x, y - tip.y) > length);
  const before = line.at(-1) ?? points[0]!;
  const angle = Math.atan2(tip.y - before.y, tip.x - before.x);
  const [along, across] = [Math.cos(angle), Math.sin(angle)];
  const back = { x: tip.x - along * length, y: tip.y - across * length };
  const side = (by: number) => ({ x: back.x - across * by, y: back.y + along * by });
  return { line: [...line, back], head: [tip, side(half), side(-half)], width: wide };
}

export function hollow(width: number): number {
  return Math.max(1, width - RAILS);
}

export function headPath({ head }: Stroke): string {
  return `${pathOf(head)}Z`;
}

/** Cut a line where this share of its length is behind. */
export function behind(line: readonly Point[], share: number): Point[] {
  const lengths = line.slice(1).map(({ x, y }, at) => Math.hypot(x - line[at]!.x, y - line[at]!.y));
  let left = share * lengths.reduce((sum, each) => sum + each, 0);
  const found = [line[0]!];
  for (const [at, length] of lengths.entries()) {
    const [one, other] = [line[at]!, line[at + 1]!];
    const part = length === 0 ? 1 : Math.min(1, left / length);
    found.push({ x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part });
    if (part < 1) break;
    left -= length;
  }
  return found;
}

/** The disc of the pulse. */
export function pulseRadius(width: number): number {
  return round(7 + 0.9 * width);
}
