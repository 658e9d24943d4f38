/** How large a card is, in units: one is a pixel where the camera is near. */

import type { Card } from "../state/groups.ts";

/** The band with the name, and a row of a chip. */
export const [BAND, ROW] = [27, 20];
/** What a card with chips has at its right: data over grad. */
export const POD = 66;

/** On a phone cards are narrower and say less. */
const SLIM = { w: 86, h: 84 };
const [SPARE, MARGIN] = [2.4, 7];
/** What a bar of right bits takes. */
export const BITS = 14;

export interface Size {
  readonly w: number;
  readonly h: number;
}

export function sizeOf({ chips, members }: Card, isSlim: boolean, hasBits: boolean): Size {
  const more = hasBits ? BITS : 0;
  if (isSlim) return { ...SLIM, h: SLIM.h + more };
  if (chips.length === 0 && members.length === 1) return { w: 142, h: 82 + more };
  const h = BAND + Math.max(chips.length, SPARE) * ROW + MARGIN + more;
  return { w: members.length === 1 ? 194 : chips.length > 1 ? 206 : 178, h };
}
