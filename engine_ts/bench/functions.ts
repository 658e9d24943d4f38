/**
 * The functions compared with the platform's, of which only sqrt is correctly rounded: nanoseconds
 * per call, the ratio and its goal. `node engine_ts/bench/functions.ts`, or with the name of a row.
 *
 * Each row has its own process, so that each loop is compiled for the one function it calls.
 */

import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import * as elementary from "../src/numerics/elementary.ts";
import * as logistic from "../src/numerics/logistic.ts";
import * as nearZero from "../src/numerics/near_zero.ts";
import * as wave from "../src/numerics/wave.ts";

const ROUNDS = 1500;
const CALLS = 2000;

type Row = [ours: Loop, theirs: Loop, low: number, high: number, goal: number];
type Loop = (operands: Float64Array, exponents: Float64Array) => number;

/** Make a loop for one function; a loop for all functions would call through a pointer. */
function loop(call: string, functions: object = elementary): Loop {
  const body = `let sum = 0; for (let i = 0; i < x.length; i++) sum += ${call}; return sum;`;
  return new Function("f", `return function (x, c) { ${body} }`)(functions) as Loop;
}

// Name: our loop, the platform's, the operands' range, the goal. A sine uses one table, as exp does,
// so it has the goal of tanh. Sigmoid and softplus are compared with a formula of the platform's
// functions that rounds two or three times; they have the goal of log, as log1p, expm1 and atan do.
const ROWS: Record<string, Row> = {
  exp: [loop("f.exp(x[i])"), loop("Math.exp(x[i])"), -5, 5, 2],
  log: [loop("f.log(x[i])"), loop("Math.log(x[i])"), 0.01, 10, 3.5],
  tanh: [loop("f.tanh(x[i])"), loop("Math.tanh(x[i])"), -3, 3, 2.5],
  "x ** c": [loop("f.power(x[i], c[i])"), loop("Math.pow(x[i], c[i])"), 0.01, 10, 5],
  "x ** 3": [loop("f.power(x[i], c[i])"), loop("Math.pow(x[i], c[i])"), 0.01, 10, 5],
  "x ** 0.5": [loop("f.power(x[i], c[i])"), loop("Math.pow(x[i], c[i])"), 0.01, 10, 3],
  sqrt: [loop("f.sqrt(x[i])"), loop("Math.sqrt(x[i])"), 0.01, 10, 3],
  sin: [loop("f.sin(x[i])", wave), loop("Math.sin(x[i])"), -5, 5, 2.5],
  cos: [loop("f.cos(x[i])", wave), loop("Math.cos(x[i])"), -5, 5, 2.5],
  log1p: [loop("f.log1p(x[i])", nearZero), loop("Math.log1p(x[i])"), -0.9, 3, 3.5],
  expm1: [loop("f.expm1(x[i])", nearZero), loop("Math.expm1(x[i])"), -3, 3, 3.5],
  atan: [loop("f.atan(x[i])", nearZero), loop("Math.atan(x[i])"), -10, 10, 3.5],
  sigmoid: [loop("f.sigmoid(x[i])", logistic), loop("1 / (1 + Math.exp(-x[i]))"), -5, 5, 3.5],
  softplus: [loop("f.softplus(x[i])", logistic), loop("Math.log1p(Math.exp(x[i]))"), -5, 5, 3.5],
};

/** Return numbers spread evenly over a range, unsorted. */
function spread(low: number, high: number, step: number): Float64Array {
  return Float64Array.from({ length: CALLS }, (_, i) => low + ((i * step) % 1) * (high - low));
}

function timed(run: () => number): number {
  const start = performance.now();
  run();
  return ((performance.now() - start) * 1e6) / CALLS;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

/** Print a row, and return whether its goal is met. */
function measure(name: string): boolean {
  const [ours, theirs, low, high, goal] = ROWS[name]!;
  const x = spread(low, high, 0.6180339887498949);
  const c = spread(-5, 5, 0.7548776662466927);
  if (/\d/.test(name)) c.fill(Number(name.split(" ").at(-1))); // "x ** 3"
  const rounds = Array.from({ length: ROUNDS }, () => [
    timed(() => theirs(x, c)),
    timed(() => ours(x, c)),
  ]).slice(ROUNDS / 3); // compiled by then
  const [platform, engine] = [0, 1].map((column) => median(rounds.map((each) => each[column]!)));
  const ratio = median(rounds.map(([a, b]) => b! / a!));
  const cells = [platform!.toFixed(1).padStart(6), "ns", engine!.toFixed(1).padStart(9), "ns"];
  console.log(name.padEnd(40), ...cells, ratio.toFixed(2).padStart(6), ` <= ${goal}`);
  return ratio <= goal;
}

const [only] = process.argv.slice(2);
if (only === undefined) {
  console.log(`\n${"TypeScript".padEnd(40)}   Math.*       engine  ratio  goal`);
  const file = fileURLToPath(import.meta.url);
  const codes = Object.keys(ROWS).map(
    (name) => spawnSync(process.execPath, [file, name], { stdio: "inherit" }).status,
  );
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
} else {
  process.exitCode = measure(only) ? 0 : 1;
}
