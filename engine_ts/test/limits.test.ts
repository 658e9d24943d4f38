import assert from "node:assert/strict";
import { test } from "node:test";
import { accuracy } from "../src/accuracy/accuracy.ts";
import { introspect, prepare } from "../src/introspect.ts";
import { LAB } from "../src/lab/commands.ts";
import { descend } from "../src/lab/descent.ts";
import { experiment } from "../src/lab/experiment.ts";
import { hessian } from "../src/lab/hessian.ts";
import { paths } from "../src/lab/paths.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import type { Limits } from "../src/limits.ts";
import { introspectValue, Value } from "../src/value.ts";
import { refusal } from "./helpers.ts";

test("the limits that are not named keep their defaults", () => {
  const limits = { nodes: 2 };
  assert.equal(introspect(" ".repeat(65_535) + "1", {}, { limits }).result, 1);
  const error = refusal(() => introspect(" ".repeat(65_536) + "1", {}, { limits }));
  assert.equal(error.limit, 65_536);
  const values = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`v${index}`, 1]));
  assert.equal(refusal(() => introspect("1", values, { limits })).limit, 1_000);
  assert.equal(refusal(() => introspect("1 + 1", {}, { limits })).limit, 2);
});

test("a limit that is undefined has its default", () => {
  const limits = { characters: undefined, variables: undefined, nodes: undefined } as object;
  const values = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`v${index}`, 1]));
  const calls: [() => unknown, limit: number][] = [
    [() => introspect("+".repeat(65_536) + "1", {}, { limits }), 65_536],
    [() => introspect("1", values, { limits }), 1_000],
    [() => introspect("1" + "+1".repeat(5_000), {}, { limits }), 10_000],
    [() => prepare("1" + "+1".repeat(5_000), "folded", limits), 10_000],
    [() => introspectValue(sumOf(5_001), { limits }), 10_000],
  ];
  for (const [call, limit] of calls) assert.equal(refusal(call).limit, limit);
});

function sumOf(count: number): Value {
  let sum = new Value(1);
  for (let term = 1; term < count; term++) sum = sum.add(1);
  return sum;
}

test("a limit is a whole number from 0 up", () => {
  const document = introspect("a", { a: 1 }, { parameters: ["a"] });
  for (const name of Object.keys(DEFAULT_LIMITS)) {
    for (const wrong of [-1, 2.5, NaN, Infinity, -Infinity, null, true, "5"]) {
      const limits = { [name]: wrong } as object;
      for (const call of [
        () => introspect("a", { a: 1 }, { limits }),
        () => prepare("a", "folded", limits),
        () => introspectValue(new Value(1, "a"), { limits }),
        () => accuracy("a", { a: 1 }, { limits }),
        ...[...LAB.values()].map(
          ({ run }) =>
            () =>
              run(document, undefined, { node: "a", limits }),
        ),
      ]) {
        const message = `limits.${name} must be a whole number, 0 or more, not ${wrong}`;
        assert.throws(call, { name: "RangeError", message });
      }
    }
  }
});

test("limits reach the document of a text and of a value", () => {
  const a = new Value(2, "a");
  const parameters = ["a"];
  for (const subject of ["a * a", a.mul(a)]) {
    const values = subject instanceof Value ? {} : { a: 2 };
    for (const ask of [
      (limits: Partial<Limits>) => experiment(subject, values, { limits }),
      (limits: Partial<Limits>) => paths(subject, values, { node: "a", limits }),
      (limits: Partial<Limits>) => hessian(subject, values, { limits }),
      (limits: Partial<Limits>) => descend(subject, values, { parameters, limits }),
      (limits: Partial<Limits>) => accuracy(subject, values, { limits }),
    ]) {
      ask({ nodes: 2 });
      const { name, limit } = refusal(() => ask({ nodes: 1 }));
      assert.deepEqual([name, limit], ["nodes", 1]);
    }
  }
});

test("the limit of work reaches the truth of a text and of a value", () => {
  const a = new Value(2, "a");
  for (const [subject, values] of [
    ["a * a", { a: 2 }],
    [a.mul(a), {}],
  ] as const) {
    const error = refusal(() => accuracy(subject, values, { limits: { truth_work: 1 } }));
    assert.deepEqual([error.name, error.limit], ["truth_work", 1]);
  }
});

test("the limit of characters reaches the text of which accuracy is asked", () => {
  const error = refusal(() => accuracy("a * a", { a: 2 }, { limits: { characters: 4 } }));
  assert.deepEqual([error.name, error.limit, error.actual], ["characters", 4, 5]);
});

test("a limit that there is not is refused", () => {
  const call = () => introspect("a", { a: 1 }, { limits: { node: 5 } as object });
  assert.throws(call, { name: "RangeError", message: "limits has no member `node`" });
});
