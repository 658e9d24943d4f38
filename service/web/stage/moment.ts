/** A step in four phases: a number leaves, meets `× local`, goes on as the product, is added. */

import { clamp } from "../state/helpers.ts";

/** Shares of a step: the gradient arrives, `×` and `=` appear, the product leaves, and is added. */
export const [LEAVES, MEETS, PRODUCT, GOES_ON, IS_ADDED] = [0.3, 0.22, 0.5, 0.58, 0.93] as const;
/** The share of a forward step at which operands arrive. */
export const REACHED = 0.62;

/** Return what a label shows at a share of its step, and the scale of its local derivative. */
export function phases(share: number) {
  const near = Math.max(0, 1 - Math.abs(share - 0.4) / 0.14);
  return {
    incoming: share >= LEAVES,
    times: share >= MEETS,
    result: share >= PRODUCT,
    size: share < 1 ? 1 + 0.28 * near : 1,
  };
}

/** Return the progress from `start` to `end`, slow at both ends. */
export function eased(share: number, start: number, end: number): number {
  const way = clamp((share - start) / (end - start), 0, 1);
  return way * way * (3 - 2 * way);
}
