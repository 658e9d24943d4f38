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

units("accuracy", "losses", ({ program, values, why, true: real, culprit }) => {
  const said = accuracy(program, values, { why });
  const beside = said.nodes[why.node]![why.number as "data" | "grad"]!;
  const first = said.why.culprits[0]!;
  const { start, end } = said.document!.nodes[first.node]!.span!;
  assert.equal(beside.true, real);
  assert.equal(beside.error, said.why.error);
  assert.notEqual(beside.error, 0);
  assert.deepEqual([first.kind, program.slice(start, end)], culprit);
});

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

units("accuracy", "claims", ({ program, values, claims }) => {
  for (const [name, claim, verdict] of claims) {
    const said = accuracy(program, values, { claimed: { [name]: claim } }).claims[name]!;
    assert.deepEqual([said.value, said.verdict], [claim, verdict], name);
  }
});

units("accuracy", "numbers", ({ program, values, numbers, counts_as_zero: counts }) => {
  const said = accuracy(program, values);
  for (const [node, expected] of Object.entries(numbers)) {
    const { data, grad } = said.nodes[Number(node)]!;
    const found = [data, grad!].map((beside) => beside.reason ?? beside.true);
    assert.deepEqual(found, expected, node);
  }
  assert.deepEqual(said.counts_as_zero, counts);
});

units("accuracy", "bits", ({ true: real, error, bits: expected }) => {
  assert.equal(bits(real, error), expected);
});

units("accuracy", "refused", ({ members, code, pointer }) => {
  const document = introspect("x ** 2 + 1 + x", { x: 3 });
  const error = refusal(() => compare(document, mapOf({ x: 3 }), document, members));
  assert.deepEqual([error.code, error.pointer], [code, pointer]);
});

test("a graph of values has a truth, too", () => {
  const text = "sqrt(x + 1) - sqrt(x)";
  const document = introspectValue(valueOfText(text, { x: 1e12 }));
  const said = compare(document, mapOf(document.values), document);
  assert.deepEqual(said.nodes, accuracy(text, { x: 1e12 }).nodes);
});

test("without a document the truth is told alone", () => {
  const said = accuracy("log(exp(x))", { x: 800 });
  assert.deepEqual([said.document, said.error!["code"]], [null, "non_finite"]);
  const alone = { true: 800, error: null, ulps: null, bits: null, reason: null };
  assert.deepEqual(said.result, alone);
  assert.deepEqual(said.why, { node: 2, number: "data", error: null, culprits: [] });
});

test("an exponent has no gradient", () => {
  const { nodes } = accuracy("x ** 3", { x: 2 });
  assert.deepEqual(
    nodes.map(({ grad }) => grad === null),
    [false, true, false],
  );
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

// By hand: x**2 has the central difference 2x for any h, x**3 one of 3x**2 + h**2.
test("witnesses say numbers, and what they are off by", () => {
  const said = accuracy("x * x * x + y", { x: 1, y: 0 }, { witnesses: true }).witnesses!;
  const { x, y } = said.variables;
  assert.deepEqual(x!.forward, { value: 3, error: 0 });
  assert.deepEqual(x!.central[0], { step: 2 ** -4, value: 3 + 2 ** -8, error: 2 ** -8 });
  const steps = Array.from({ length: 13 }, (_, k) => 2 ** (-4 * (k + 1)));
  assert.deepEqual(
    y!.central.map(({ step }) => step),
    steps,
  );
  assert.deepEqual(said.cost, {
    reverse: { passes: 2, multiplications: 6 },
    forward: { passes: 2, multiplications: 12 },
    central: { passes: 52, multiplications: 0 },
  });
});

test("a central difference that leaves the domain has no value", () => {
  const central = (text: string, x: number) =>
    accuracy(text, { x }, { witnesses: true }).witnesses!.variables["x"]!.central;
  assert.ok(central("log(x)", 1e-300).every(({ value }) => value !== null));
  const { value, error } = central("log(x + 1)", -1 + 2 ** -50)[0]!;
  assert.deepEqual([value, error], [null, null]);
});

test("too many evaluations are refused", () => {
  const names = Array.from({ length: 200 }, (_, i) => `x${i}`);
  const values = Object.fromEntries(names.map((name) => [name, 1]));
  const error = refusal(() => accuracy(names.join(" + "), values, { witnesses: true }));
  assert.deepEqual([error.name, error.actual], ["evaluations", 200 * 399 * 26]);
});
