/**
 * `make bench-sweep`: a million points of the tanh neuron with its five gradients, compared with a
 * loop by hand.
 *
 * The loop uses the platform's tanh, which is not correctly rounded. The goal is a ratio to the loop's
 * time in the same run; the seconds are that goal on an idle core.
 */

import { performance } from "node:perf_hooks";
import { prepare } from "../src/index.ts";

const COUNT = 1_000_000;
const ROUNDS = 15;
const NEURON = "tanh(x1 * w1 + x2 * w2 + b)";
const [GOAL, SECONDS] = [8, 0.25];
const LIMITS = { limits: { sweep_nodes: 100 * COUNT } };

type Inputs = Record<string, Float64Array>;

/** Return numbers spread evenly over a range, unsorted. */
function spread(names: readonly string[], low: number, high: number): Inputs {
  const column = (step: number) =>
    Float64Array.from({ length: COUNT }, (_, i) => low + ((i * step) % 1) * (high - low));
  return Object.fromEntries(names.map((name, k) => [name, column(0.6180339887498949 / (k + 1))]));
}

function byHand({ x1, w1, x2, w2, b }: Inputs): Float64Array[] {
  const found = Array.from({ length: 6 }, () => new Float64Array(COUNT));
  const [results, ofX1, ofW1, ofX2, ofW2, ofB] = found;
  for (let i = 0; i < COUNT; i++) {
    const out = Math.tanh(x1![i]! * w1![i]! + x2![i]! * w2![i]! + b![i]!);
    const slope = 1 - out * out;
    results![i] = out;
    ofX1![i] = slope * w1![i]!;
    ofW1![i] = slope * x1![i]!;
    ofX2![i] = slope * w2![i]!;
    ofW2![i] = slope * x2![i]!;
    ofB![i] = slope;
  }
  return found;
}

/** Return the time of a run in seconds. */
function timed(run: () => unknown): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1e3;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

const program = prepare(NEURON, LIMITS);
const columns = spread(program.variables, -1.5, 1.5);
const rounds = Array.from({ length: ROUNDS }, () => [
  timed(() => byHand(columns)),
  timed(() => program.columns(columns)),
]).slice(ROUNDS / 3); // compiled by then
const ratio = median(rounds.map(([floor, ours]) => ours! / floor!));
const [floor, ours] = [0, 1].map((column) => median(rounds.map((each) => each[column]!)));
const cells = (seconds: number) => seconds.toFixed(3).padStart(11);
console.log(`${COUNT} points, TypeScript`.padEnd(35), "    seconds  by hand  ratio  goal");
const shown = `${cells(ours!)} ${floor!.toFixed(3).padStart(8)} ${ratio.toFixed(2).padStart(6)}`;
console.log(NEURON.padEnd(35), `${shown}  <= ${GOAL} (${SECONDS} s)`);
process.exitCode = ratio <= GOAL ? 0 : 1;
