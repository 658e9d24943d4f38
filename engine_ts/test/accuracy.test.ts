/** Every number of a document beside the true one. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { bits, compare } from "../src/accuracy/accuracy.ts";
import { accuracy } from "../src/accuracy/answer.ts";
import { add, sub, top, ZERO } from "../src/accuracy/ball.ts";
import type { Ball } from "../src/accuracy/ball.ts";
import { LEVELS, passes, programOf } from "../src/accuracy/program.ts";
import { Shares } from "../src/accuracy/shares.ts";
import { truthWork } from "../src/accuracy/truth.ts";
import { introspect, outline } from "../src/introspect.ts";
import { introspectValue } from "../src/value.ts";
import { refusal, units, valueOfText } from "./helpers.ts";

type Values = Readonly<Record<string, number>>;

const mapOf = (values: Values): ReadonlyMap<string, number> => new Map(Object.entries(values));

units("accuracy", "losses", ({ program: text, values, why: { node, number } }) => {
  const document = introspect(text, values);
  const program = programOf(document, mapOf(values));
  const found = passes(program, 1280, false);
  const shares = new Shares(program, document, found);
  const isData = number === "data";
  const real = (isData ? found.data : found.grads)[node] as Ball;
  const error = sub((isData ? shares.data : shares.grads)[node] as Ball, real, 1280);
  let total = ZERO;
  for (const rounding of isData ? shares.ofData(node) : shares.ofGrad(node)) {
    total = add(total, shares.share(rounding) as Ball, 1280);
  }
  assert.ok(top(sub(error, total, 1280)) < top(error) - 200);
});

units("accuracy", "bits", ({ true: real, error, bits: expected }) => {
  assert.equal(bits(real, error), expected);
});

test("a graph of values has a truth, too", () => {
  const text = "sqrt(x + 1) - sqrt(x)";
  const document = introspectValue(valueOfText(text, { x: 1e12 }));
  const said = compare(document, mapOf(document.values), document);
  assert.deepEqual(said.nodes, accuracy(text, { x: 1e12 }).nodes);
});

// 2,400 logarithms and exponentials: 128 bits are enough, or the last level is asked for.
test("work is refused where it is too much", () => {
  const calls = Array.from({ length: 1200 }, (_, i) => `t${i + 1} = log(exp(t${i}))`);
  const steps = ["t0 = x", ...calls].join("; ");
  const hard = `${steps}; relu(t1200 - x)`;
  const error = refusal(() => accuracy(hard, { x: 1.5 }));
  assert.deepEqual([error.code, error.name], ["limit_exceeded", "truth_work"]);
  const program = programOf(outline(hard), mapOf({ x: 1.5 }));
  assert.equal(error.actual, truthWork(program, LEVELS.at(-1)!));
  assert.equal(accuracy(`${steps}; t1200 * x`, { x: 1.5 }).result.true, 2.25);
});
