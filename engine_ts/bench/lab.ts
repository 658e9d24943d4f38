/**
 * The lab beside the pipeline: an experiment and a plain request, the ratio and its goal.
 * `node engine_ts/bench/lab.ts`
 */

import { introspect } from "../src/introspect.ts";
import { experiment } from "../src/lab/experiment.ts";

const ROUNDS = 60;
const EXPERIMENT_GOAL = 3;
const VALUES = { x: 0.999, y: 0.001 };
const CHAIN = [
  "n0 = x * y",
  ...Array.from({ length: 999 }, (_, place) => `n${place + 1} = n${place} * x + y`),
].join("\n");

type Pair = readonly [base: () => void, work: () => void];

/** Milliseconds of CPU time for one run. */
function timed(run: () => void, repeats: number): number {
  const start = process.threadCpuUsage();
  for (let repeat = 0; repeat < repeats; repeat++) run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000 / repeats;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

/** Print the medians of interleaved rounds, the first half of which the compiler may take. */
function inTime(name: string, [base, work]: Pair, repeats: number, goal: number): boolean {
  const rounds = Array.from({ length: ROUNDS }, () => [timed(base, repeats), timed(work, repeats)]);
  const [theirs, ours] = [0, 1].map((column) =>
    median(rounds.slice(ROUNDS / 2).map((round) => round[column]!)),
  ) as [number, number];
  const cells = `${theirs.toFixed(3).padStart(9)} ms ${ours.toFixed(3).padStart(9)} ms`;
  const ratio = ours / theirs;
  console.log(`${name.padEnd(37)} ${cells} ${ratio.toFixed(2).padStart(6)}  <= ${goal}`);
  return ratio <= goal;
}

/** A plain request, and the same one walked once more in a wrong order. */
function experiments(): Pair {
  const order = introspect(CHAIN, VALUES).topological_order;
  return [
    () => introspect(CHAIN, VALUES),
    () => experiment(introspect(CHAIN, VALUES), { order: [...order] }),
  ];
}

const met = inTime("experiment, 2,000 nodes / request", experiments(), 2, EXPERIMENT_GOAL);
process.exitCode = met ? 0 : 1;
