/** The page's view: its address, language and tab, the graph's rotation, the pass. */

import { batch, signal } from "@preact/signals";
import { clamp } from "./helpers.ts";

/** The environment in which the page runs. */
interface Environment {
  readonly address: Location | URL;
  /** Whether the page is one file, which has no service. */
  readonly isAlone: boolean;
  /** Whether it is a frame in another page. */
  readonly isFramed: boolean;
  readonly reducedMotion: { readonly matches: boolean };
}

/** Defaults without a browser, as in a test: no address and no preferences. */
export let pageLocation: Environment["address"] = new URL("about:blank");
export let isAlone = false;
export let isFramed = false;
export let reducedMotion: Environment["reducedMotion"] = { matches: false };

/** Set the environment before anything reads it. */
export function enter(environment: Environment): void {
  pageLocation = environment.address;
  ({ isAlone, isFramed, reducedMotion } = environment);
}

/** The graph can be turned by at most this many degrees, so that it stays readable. */
const [MAX_YAW, MAX_PITCH] = [32, 24];

export type Tab = "values" | "code" | "predict" | "break" | "train";
export const TABS: readonly Tab[] = ["values", "code", "predict", "break", "train"];

export const tab = signal<Tab>("values");
/** The language chosen last, perhaps still loading; null leaves it to the browser. */
export const language = signal<string | null>(null);
/** The graph's rotation in degrees; 0 is the front view. */
export const yaw = signal(0);
export const pitch = signal(0);
/** Whether the page is being printed. */
export const isPrinted = signal(false);
/** The id of the edge whose local derivative the sentence describes. */
export const selectedEdge = signal<number | null>(null);
/** The node under the pointer, on the stage or in the text. */
export const pointedNode = signal<number | null>(null);
/** The size of the stage in pixels. */
export const stageSize = signal({ width: 830, height: 440 });
/** Whether each number shows how many of its bits are correct. */
export const showsAccuracy = signal(false);
/** A sentence shown until the next step; a function, because the language may change. */
export const announcement = signal<(() => string | null) | null>(null);

/** As in `devices.css`: windows in which the play bar floats over the page. */
export const SMALL = "(max-width: 40rem), (max-height: 34rem)";

/** Scroll to the stage in a small window. */
export function bringIntoSight(): void {
  if (!matchMedia(SMALL).matches) return;
  const behavior = reducedMotion.matches ? "instant" : "smooth";
  document.querySelector(".stage")!.scrollIntoView({ block: "nearest", behavior });
}

export function turnBy(sideways: number, upwards: number): void {
  if (reducedMotion.matches) return;
  batch(() => {
    yaw.value = clamp(yaw.value + sideways, -MAX_YAW, MAX_YAW);
    pitch.value = clamp(pitch.value + upwards, -MAX_PITCH, MAX_PITCH);
  });
}

export function turnBack(): void {
  batch(() => ([yaw.value, pitch.value] = [0, 0]));
}

export type Pass = "forward" | "sort" | "backward";
export const PASSES: readonly Pass[] = ["forward", "sort", "backward"];

export const pass = signal<Pass>("backward");

type Mover = "ghost" | "pass" | "training";

/** The next frame of each mover while it moves. */
const frames = new Map<Mover, number>();

/** The names of the movers, for `data-moving` of the page's `main`; empty at rest. */
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
    const continues = work(Math.max(0, now - before));
    before = now;
    if (continues) wait();
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
