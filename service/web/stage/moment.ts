/** A step as four frames: the number leaves its card, meets `× local`, goes on as the product, is added. */

import { clamp } from "../state/helpers.ts";

/** The shares of a step in which the gradient is on its way to the label, and the product on its way from it. */
export const [LEAVES, MEETS, PRODUCT, GOES_ON, IS_ADDED] = [0.3, 0.22, 0.5, 0.58, 0.93] as const;
/** The share of a forward step in which operands are on their way. */
export const REACHED = 0.62;

/** What a label shows at a share of its step, and how large its local derivative is. */
export function phases(share: number) {
  const near = Math.max(0, 1 - Math.abs(share - 0.4) / 0.14);
  return {
    incoming: share >= LEAVES,
    times: share >= MEETS,
    result: share >= PRODUCT,
    size: share < 1 ? 1 + 0.28 * near : 1,
  };
}

/** How far it is from `start` to `end`, slow at both ends. */
export function eased(share: number, start: number, end: number): number {
  const way = clamp((share - start) / (end - start), 0, 1);
  return way * way * (3 - 2 * way);
}
