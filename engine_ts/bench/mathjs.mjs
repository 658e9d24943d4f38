/**
 * A peer, which differentiates symbolically: the result and all gradients of a text, or of one that
 * is prepared. `node engine_ts/bench/mathjs.mjs text '(a + b) * c' '{"a": 2, "b": -3, "c": 10}'`
 */

import { derivative, parse } from "mathjs";
import { microseconds } from "./timing.ts";

const [step, text, written] = process.argv.slice(2);
const values = JSON.parse(written);

function prepare() {
  const tree = parse(text);
  return [tree, ...Object.keys(values).map((name) => derivative(tree, name))];
}

const evaluate = (program) => program.evaluate(values);
const prepared = prepare().map((tree) => tree.compile());
const runs = { text: () => prepare().map(evaluate), prepared: () => prepared.map(evaluate) };
console.log(microseconds(runs[step]));
