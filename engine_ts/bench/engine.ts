/**
 * The engine beside a class whose nodes keep a closure each, as micrograd's ports have it, and beside
 * mathjs, which differentiates symbolically. `node engine_ts/bench/engine.ts`
 *
 * Started with the name of a run and its text, it prints the microseconds that this takes.
 */

import { backward } from "../src/backward.ts";
import { forward } from "../src/forward.ts";
import { prepare } from "../src/index.ts";
import { introspect, prepareGraph } from "../src/introspect.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { Value, valueGraph } from "../src/value.ts";
import { Closure, mlpLoss } from "./closure.ts";
import { byTurns, microseconds } from "./timing.ts";

/** Of the loss. */
const NODES = 5504;
/** A part of the class's time. */
const PASSES_GOAL = 0.06;
const SENTENCE = "(a + b) * c";
const NEURON = "tanh(x1 * w1 + x2 * w2 + b)";
const VALUES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  [SENTENCE]: { a: 2, b: -3, c: 10 },
  [NEURON]: { x1: 2, x2: 0.5, w1: -3, w2: 1, b: 6.88 },
};

/** What is timed, by name; each gives its run. */
const RUNS: Readonly<Record<string, (text: string) => () => unknown>> = {
  closures: () => () => mlpLoss((_, data) => new Closure(data)).backward(),
  passes() {
    const loss = mlpLoss((name, data) => new Value(data, name));
    const { graph, leaves } = valueGraph(loss, { ...DEFAULT_LIMITS, variables: NODES });
    const { order, steps } = prepareGraph(graph, [...graph.operations.keys()]);
    if (order.length !== NODES) throw new Error(`the loss has ${order.length} nodes`);
    return () => backward(graph, order, steps, forward(graph, order, steps, leaves));
  },
  introspect: (text) => () => introspect(text, VALUES[text]!),
  gradients(text) {
    const program = prepare(text);
    return () => program.gradients(VALUES[text]!);
  },
};

function print(name: string, peer: string, engine: string, ratio: number, goal = ""): void {
  const cells = [peer.padStart(11), engine.padStart(11), ratio.toFixed(3).padStart(7)];
  console.log(`${name.padEnd(40)} ${cells.join(" ")}  ${goal}`);
}

function toldGoal(goal: number, unit: string, met: boolean): string {
  return `<= ${goal}${unit}${met ? "" : "  MISSED"}`;
}

function passesInTime(): boolean {
  const [peer, engine] = byTurns([
    ["engine.ts", "closures", ""],
    ["engine.ts", "passes", ""],
  ]) as [number, number];
  const [theirs, ours] = [peer, engine].map((each) => `${((1000 * each) / NODES).toFixed(0)} ns`);
  const met = engine / peer <= PASSES_GOAL;
  const goal = toldGoal(PASSES_GOAL, "", met);
  print(`MLP loss, ${NODES} nodes, a node`, theirs!, ours!, engine / peer, goal);
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
if (run !== undefined) {
  console.log(microseconds(RUNS[run]!(text)));
} else {
  console.log(`\n${"TypeScript".padEnd(40)}       class      engine   ratio  goal`);
  const met = [passesInTime()];
  console.log(`${"".padEnd(40)}      mathjs      engine`);
  met.push(textInTime(SENTENCE, "text", "introspect", 4));
  met.push(textInTime(NEURON, "text", "introspect", 5));
  textInTime(SENTENCE, "prepared", "gradients");
  textInTime(NEURON, "prepared", "gradients");
  process.exitCode = met.every(Boolean) ? 0 : 1;
}
