/**
 * The lab and the truth beside the pipeline: each and a plain request, the ratio and its goal.
 * `node engine_ts/bench/lab.ts`
 */

import { explain } from "../src/accuracy/accuracy.ts";
import { programOf } from "../src/accuracy/program.ts";
import { Truth, trueNumbers } from "../src/accuracy/truth.ts";
import { introspect, outline } from "../src/introspect.ts";
import { experiment } from "../src/lab/experiment.ts";

const ROUNDS = 60;
const EXPERIMENT_GOAL = 3;
const TRUTH_GOAL = 2.5;
const CULPRITS_GOAL = 12;
const MOST_WEIGHTS = 900;
const VALUES = { x: 0.999, y: 0.001 };
const CHAIN = [
  "n0 = x * y",
  ...Array.from({ length: 999 }, (_, place) => `n${place + 1} = n${place} * x + y`),
].join("\n");

type Pair = readonly [base: () => void, work: () => void];
type Network = readonly [expression: string, values: Record<string, number>];

/** Layers of tanh units; the weights are variables, up to 900 of them, then numbers. */
function network(sizes: readonly number[]): Network {
  const values: Record<string, number> = {};
  let count = 0;
  const weight = () => {
    if (count === MOST_WEIGHTS) return "0.3";
    values[`w${count}`] = (((count * 37) % 101) - 50) / 64;
    return `w${count++}`;
  };
  let names = Array.from({ length: sizes[0]! }, weight);
  const lines: string[] = [];
  for (const [layer, size] of sizes.slice(1).entries()) {
    const units = Array.from({ length: size }, (_, unit) => `h${layer}_${unit}`);
    for (const unit of units) {
      lines.push(`${unit} = tanh(${names.map((name) => `${weight()} * ${name}`).join(" + ")})`);
    }
    names = units;
  }
  return [[...lines, names.join(" + ")].join("\n"), values];
}

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

/** A plain request, and the true numbers of its program. */
function truths([expression, values]: Network): Pair {
  const graph = outline(expression);
  const numbers = new Map(Object.entries(values));
  return [
    () => introspect(expression, values),
    () => trueNumbers(new Truth(programOf(graph, numbers)), null),
  ];
}

/** A plain request, and all of its errors with the roundings behind those of a gradient. */
function culprits([expression, values]: Network): Pair {
  const document = introspect(expression, values);
  const numbers = new Map(Object.entries(values));
  const explained = () => {
    const truth = new Truth(programOf(document, numbers));
    explain(truth, document, trueNumbers(truth, document), { node: 0, number: "grad" }, 3);
  };
  return [() => introspect(expression, values), explained];
}

const [small, large] = [network([4, 8, 8, 1]), network([20, 40, 40, 5])];
const met = [
  inTime("experiment, 2,000 nodes / request", experiments(), 2, EXPERIMENT_GOAL),
  inTime("truth, 316 nodes / request", truths(small), 20, TRUTH_GOAL),
  inTime("truth, 8,000 nodes / request", truths(large), 1, TRUTH_GOAL),
  inTime("culprits, 316 nodes / request", culprits(small), 20, CULPRITS_GOAL),
  inTime("culprits, 8,000 nodes / request", culprits(large), 1, CULPRITS_GOAL),
];
process.exitCode = met.includes(false) ? 1 : 0;
