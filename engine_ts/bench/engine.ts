/**
 * The engine compared with a class whose nodes keep a closure each, as in micrograd's ports, and
 * with the lessons' class, which keeps local gradients. `node engine_ts/bench/engine.ts`, with
 * `--long` for graphs of 100,000 and 1,000,000 nodes, too.
 *
 * With the names of a run and a graph as arguments, it prints the run's microseconds. Each run has
 * its own processes, so none is compiled for another's objects, and each collects only its own
 * garbage.
 */

import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { lossOf, makeWeights, uniforms } from "../examples/microgpt.ts";
import { backward } from "../src/backward.ts";
import { forward } from "../src/forward.ts";
import { prepareGraph } from "../src/introspect.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { Value } from "../src/value.ts";
import { valueGraph } from "../src/value_graph.ts";
import { Closure, mlpLoss, Plain, wide } from "./peers.ts";
import type { Node } from "./peers.ts";

const LOSS = "MLP loss";
const NAME = "bruno";
/** Sizes of the wide graphs, in nodes built; the root depends on most of them. */
const WIDE = ["10000", "100000", "1000000"];
const MANY = 10_000_000;
/** Fraction of the class's time. */
const PASSES_GOAL = 0.06;
const VALUE_GOAL = 0.65;

const SAMPLES = 60;
/** The least number of samples, taken even after LONGEST milliseconds. */
const [FEWEST, LONGEST] = [4, 12_000];
/** Milliseconds: long enough to include the collection of a run's garbage. */
const SAMPLE = 25;
const TURNS = 3;

/** The timed runs, by name: each function takes the name of a graph and returns the run. */
const RUNS: Readonly<Record<string, (name: string) => () => unknown>> = {
  closures: (name) => () => build((_, data) => new Closure(data), name).backward(),
  passes(name) {
    const { graph, leaves } = graphOf(name);
    const { order, steps } = prepareGraph(graph, [...graph.operations.keys()]);
    return () => backward(graph, order, steps, forward(graph, order, steps, leaves));
  },
  value: (name) => step(name, Value),
  plain: (name) => step(name, Plain as unknown as typeof Value),
};

/** Return one step of the example: build the loss of a name, and call backward. */
function step(name: string, Leaf: typeof Value): () => void {
  const weights = makeWeights(uniforms(), Leaf);
  return () => lossOf(weights, name).backward();
}

function build<T extends Node<T>>(leaf: (name: string, data: number) => T, name: string): T {
  return name === LOSS ? mlpLoss(leaf) : wide(leaf, Number(name));
}

function graphOf(name: string): ReturnType<typeof valueGraph> {
  const root = build((label, data) => new Value(data, label), name);
  return valueGraph(root, { ...DEFAULT_LIMITS, variables: MANY, nodes: MANY });
}

/** Return the median time in microseconds per run, of the samples after compilation. */
function microseconds(run: () => unknown): number {
  let repeats = 1;
  while (timed(run, repeats) < SAMPLE) repeats *= 2;
  const times: number[] = [];
  const end = performance.now() + LONGEST;
  while (times.length < FEWEST || (times.length < SAMPLES && performance.now() < end)) {
    times.push(timed(run, repeats) / repeats);
  }
  return 1000 * median(times.slice(times.length / 2));
}

function timed(run: () => unknown, repeats: number): number {
  const start = performance.now();
  for (let repeat = 0; repeat < repeats; repeat++) run();
  return performance.now() - start;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

/** Run both alternately on one graph, and return the medians of their times. */
function byTurns(peer: string, engine: string, name: string): [peer: number, engine: number] {
  const turns = Array.from({ length: TURNS }, () => [printed(peer, name), printed(engine, name)]);
  return [median(turns.map(([theirs]) => theirs!)), median(turns.map(([, ours]) => ours!))];
}

function printed(run: string, name: string): number {
  const file = fileURLToPath(import.meta.url);
  const { stdout, status } = spawnSync(process.execPath, [file, run, name], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${run} ${name} failed`);
  return Number(stdout);
}

/** Print a line, and return whether its goal is met. */
function inTime(name: string, peer: string, engine: string, ratio: number, goal: number): boolean {
  const cells = [peer.padStart(11), engine.padStart(11), ratio.toFixed(3).padStart(7)];
  const verdict = goal === Infinity ? "" : `<= ${goal}${ratio <= goal ? "" : "  MISSED"}`;
  console.log(`${name.padEnd(40)} ${cells.join(" ")}  ${verdict}`);
  return ratio <= goal;
}

/** Compare both passes of a graph with the class that keeps closures. */
function passesInTime(name: string, goal = Infinity): boolean {
  const nodes = graphOf(name).graph.operations.length;
  const [peer, engine] = byTurns("closures", "passes", name);
  const [theirs, ours] = [peer, engine].map((each) => `${((1000 * each) / nodes).toFixed(0)} ns`);
  const kind = name === LOSS ? name : "wide";
  return inTime(`${kind}, ${nodes} nodes, a node`, theirs!, ours!, engine / peer, goal);
}

/** Compare a step of the example's GPT with the plain class. */
function valueInTime(): boolean {
  const [peer, engine] = byTurns("plain", "value", NAME);
  const [theirs, ours] = [peer, engine].map((each) => `${(each / 1000).toFixed(1)} ms`);
  return inTime("GPT, Value built and walked", theirs!, ours!, engine / peer, VALUE_GOAL);
}

const [run, name = ""] = process.argv.slice(2);
if (run !== undefined && run !== "--long") {
  console.log(microseconds(RUNS[run]!(name)));
} else {
  console.log(`\n${"TypeScript".padEnd(40)}       class      engine   ratio  goal`);
  const met = [passesInTime(LOSS, PASSES_GOAL)];
  for (const size of run === undefined ? [] : WIDE) passesInTime(size);
  met.push(valueInTime());
  process.exitCode = met.every(Boolean) ? 0 : 1;
}
