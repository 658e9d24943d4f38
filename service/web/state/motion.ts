/** Everything that moves by itself moves by these frames, so the page knows when it is at rest. */

import { signal } from "@preact/signals";

type Mover = "ghost" | "pass" | "training";

/** The next frame of each mover, as long as it moves. */
const frames = new Map<Mover, number>();

/** Their names, which become `data-moving` of the page's `main`; empty at rest. */
export const moving = signal("");

/**
 * Call `work` at each frame, with the milliseconds since the last one, until it returns false or
 * `stopFrames` is called. A mover that already moves starts again.
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
