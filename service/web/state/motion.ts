/** What moves by itself moves by frames, and here alone: so it is known when all is at rest. */

import { signal } from "@preact/signals";

type Mover = "ghost" | "pass" | "training";

/** The frame that each of them waits for, as long as it moves. */
const frames = new Map<Mover, number>();

/** Their names, which the root of the page has as `data-moving`; empty where all is at rest. */
export const moving = signal("");

/**
 * Call at each frame, with the milliseconds since the last, until that gives false, or until
 * `stopFrames`. What moves already begins anew.
 */
export function everyFrame(mover: Mover, work: (elapsed: number) => boolean): void {
  stopFrames(mover);
  let before = performance.now();
  const wait = () => void frames.set(mover, requestAnimationFrame(next));
  function next(now: number): void {
    const goesOn = work(Math.max(0, now - before));
    before = now;
    if (goesOn) wait();
    else stopFrames(mover);
  }
  wait();
  moving.value = [...frames.keys()].join(" ");
}

export function stopFrames(mover: Mover): void {
  cancelAnimationFrame(frames.get(mover) ?? 0);
  frames.delete(mover);
  moving.value = [...frames.keys()].join(" ");
}
