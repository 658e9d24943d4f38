/**
 * The engine beside a class whose nodes keep a closure each, as micrograd's ports have it, beside the
 * lessons' class, which keeps local gradients, and beside mathjs, which differentiates symbolically. `node engine_ts/bench/engine.ts`, with `--long` for
 * graphs of 100,000 and 1,000,000 nodes, too.
 *
 * Started with the name of a run and its text, it prints the microseconds that this takes.
 */

import { lossOf, makeWeights, uniforms } from "../examples/microgpt.ts";
import { backward } from "../src/backward.ts";
import { forward } from "../src/forward.ts";
import { prepare } from "../src/index.ts";
import { introspect, prepareGraph } from "../src/introspect.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { Value, valueGraph } from "../src/value.ts";
import { Closure, mlpLoss, wide } from "./closure.ts";
import type { Node } from "./closure.ts";
import { Plain } from "./plain.ts";
import { byTurns, microseconds } from "./timing.ts";

const LOSS = "MLP loss";
/** Wide graphs, by the number of nodes that are built; most of them lead to the root. */
const WIDE = ["10000", "100000", "1000000"];
const MANY = 10_000_000;
/** A part of the class's time. */
const PASSES_GOAL = 0.06;
const VALUE_GOAL = 0.65;
const SENTENCE = "(a + b) * c";
const NEURON = "tanh(x1 * w1 + x2 * w2 + b)";
const VALUES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  [SENTENCE]: { a: 2, b: -3, c: 10 },
  [NEURON]: { x1: 2, x2: 0.5, w1: -3, w2: 1, b: 6.88 },
};

/** What is timed, by name; each gives its run. */
const RUNS: Readonly<Record<string, (text: string) => () => unknown>> = {
  closures: (name) => () => build((_, data) => new Closure(data), name).backward(),
  passes(name) {
    const { graph, leaves } = graphOf(name);
    const { order, steps } = prepareGraph(graph, [...graph.operations.keys()]);
    return () => backward(graph, order, steps, forward(graph, order, steps, leaves));
  },
  value: (name) => step(name, Value),
  plain: (name) => step(name, Plain as unknown as typeof Value),
  introspect: (text) => () => introspect(text, VALUES[text]!),
  gradients(text) {
    const program = prepare(text);
    return () => program.gradients(VALUES[text]!);
  },
};

/** Give what the example does for a name: it builds the loss, and walks back. */
function step(name: string, Leaf: typeof Value): () => void {
  const weights = makeWeights(uniforms(), Leaf);
  return () => lossOf(weights, name).backward();
}

/** Build the loss, or a wide graph. */
function build<T extends Node<T>>(leaf: (name: string, data: number) => T, name: string): T {
  return name === LOSS ? mlpLoss(leaf) : wide(leaf, Number(name));
}

function graphOf(name: string): ReturnType<typeof valueGraph> {
  const root = build((label, data) => new Value(data, label), name);
  return valueGraph(root, { ...DEFAULT_LIMITS, variables: MANY, nodes: MANY });
}

function print(name: string, peer: string, engine: string, ratio: number, goal = ""): void {
  const cells = [peer.padStart(11), engine.padStart(11), ratio.toFixed(3).padStart(7)];
  console.log(`${name.padEnd(40)} ${cells.join(" ")}  ${goal}`);
}

function toldGoal(goal: number, unit: string, met: boolean): string {
  return `<= ${goal}${unit}${met ? "" : "  MISSED"}`;
}

/** Hold both passes of a graph to a part of the class's time. */
function passesInTime(name: string, bound = Infinity): boolean {
  const nodes = graphOf(name).graph.operations.length;
  const [peer, engine] = byTurns([
    ["engine.ts", "closures", name],
    ["engine.ts", "passes", name],
  ]) as [number, number];
  const [theirs, ours] = [peer, engine].map((each) => `${((1000 * each) / nodes).toFixed(0)} ns`);
  const met = engine / peer <= bound;
  const goal = bound === Infinity ? "" : toldGoal(bound, "", met);
  const kind = name === LOSS ? name : "wide";
  print(`${kind}, ${nodes} nodes, a node`, theirs!, ours!, engine / peer, goal);
  return met;
}

/** Hold a step of the example's GPT to a part of the plain class's time. */
function valueInTime(): boolean {
  const [peer, engine] = byTurns([
    ["engine.ts", "plain", "bruno"],
    ["engine.ts", "value", "bruno"],
  ]) as [number, number];
  const [theirs, ours] = [peer, engine].map((each) => `${(each / 1000).toFixed(1)} ms`);
  const met = engine / peer <= VALUE_GOAL;
  print(
    "GPT, Value built and walked",
    theirs!,
    ours!,
    engine / peer,
    toldGoal(VALUE_GOAL, "", met),
  );
  return met;
}

/** Hold a run of a text to so many microseconds, beside mathjs, from the text or a prepared one. */
function textInTime(
  text: string,
  step: "text" | "prepared",
  run: string,
  bound = Infinity,
): boolean {
  const [peer, engine] = byTurns([
    ["mathjs.mjs", step, text, JSON.stringify(VALUES[text])],
    ["engine.ts", run, text],
  ]) as [number, number];
  const [theirs, ours] = [peer, engine].map((each) => `${each.toFixed(2)} µs`);
  const met = engine <= bound;
  const goal = bound === Infinity ? "" : toldGoal(bound, " µs", met);
  print(`${run}, ${text}`, theirs!, ours!, engine / peer, goal);
  return met;
}

const [run, text = ""] = process.argv.slice(2);
if (run !== undefined && run !== "--long") {
  console.log(microseconds(RUNS[run]!(text)));
} else {
  console.log(`\n${"TypeScript".padEnd(40)}       class      engine   ratio  goal`);
  const met = [passesInTime(LOSS, PASSES_GOAL)];
  for (const name of run === undefined ? [] : WIDE) passesInTime(name);
  met.push(valueInTime());
  console.log(`${"".padEnd(40)}      mathjs      engine`);
  met.push(textInTime(SENTENCE, "text", "introspect", 4));
  met.push(textInTime(NEURON, "text", "introspect", 5));
  textInTime(SENTENCE, "prepared", "gradients");
  textInTime(NEURON, "prepared", "gradients");
  process.exitCode = met.every(Boolean) ? 0 : 1;
}
