/**
 * The lab beside the pipeline: an experiment and a plain request, forward mode and as many forward
 * passes as there are variables; the ratio and its goal. `node engine_ts/bench/lab.ts`
 */

import { forward } from "../src/forward.ts";
import { introspect } from "../src/introspect.ts";
import { columnsOf } from "../src/lab/columns.ts";
import { variables } from "../src/lab/conditions.ts";
import { experiment } from "../src/lab/experiment.ts";
import { boundsOfLocalGrads, forwardMode, magnitudes, prepareForward } from "../src/lab/modes.ts";
import { evaluate, programOf } from "../src/lab/program.ts";

const ROUNDS = 60;
const EXPERIMENT_GOAL = 3;
const FORWARD_GOAL = 2;
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

/** A forward pass for each variable, and forward mode for these. */
function forwardModes(): Pair {
  const document = introspect(CHAIN, VALUES);
  const leaves = [...variables(document).values()];
  const { graph, order, steps } = columnsOf(document);
  const program = programOf(document);
  const here = evaluate(program, document.root, document.result);
  const errors = boundsOfLocalGrads(program, here);
  const prepared = prepareForward(document, errors, magnitudes(document));
  const values = new Map(Object.entries(VALUES));
  return [
    () => leaves.forEach(() => forward(graph, order, steps, values)),
    () => leaves.forEach((leaf) => forwardMode(prepared, leaf)),
  ];
}

const met = [
  inTime("experiment, 2,000 nodes / request", experiments(), 2, EXPERIMENT_GOAL),
  inTime("forward mode, chain / forward passes", forwardModes(), 100, FORWARD_GOAL),
];
process.exitCode = met.every(Boolean) ? 0 : 1;
