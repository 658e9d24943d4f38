/** A run -> its median time; scripts -> what they print, in processes of their own, by turns. */

import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

const SAMPLES = 60;
/** Samples of what takes longer than so many milliseconds in all. */
const [FEWEST, LONGEST] = [4, 12_000];
/** Milliseconds: long enough for the collection of the garbage that a run leaves to be among it. */
const SAMPLE = 25;
const TURNS = 3;

/** Give the median of samples, in microseconds a run, without those in which it is compiled. */
export function microseconds(run: () => unknown): number {
  let repeats = 1;
  while (timed(run, repeats) < SAMPLE) repeats *= 2;
  const times: number[] = [];
  const end = performance.now() + LONGEST;
  while (times.length < FEWEST || (times.length < SAMPLES && performance.now() < end)) {
    times.push(timed(run, repeats) / repeats);
  }
  return 1000 * median(times.slice(times.length / 2));
}

/**
 * Start each of some scripts with its arguments, by turns, and give the medians of what they print.
 *
 * So none is compiled for the objects of another, and each collects the garbage of its own.
 */
export function byTurns(scripts: readonly (readonly string[])[]): number[] {
  const turns = Array.from({ length: TURNS }, () => scripts.map(printed));
  return scripts.map((_, place) => median(turns.map((figures) => figures[place]!)));
}

function printed([script, ...options]: readonly string[]): number {
  const file = fileURLToPath(new URL(script!, import.meta.url));
  const { stdout, status } = spawnSync(process.execPath, [file, ...options], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${script} ${options.join(" ")} failed`);
  return Number(stdout);
}

function timed(run: () => unknown, repeats: number): number {
  const start = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++) run();
  return performance.now() - start;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}
