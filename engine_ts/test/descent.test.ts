/** Descents; fixtures hold every rule of a step, and networks that learn. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import { Descending, descend } from "../src/lab/descent.ts";
import { checkSettings } from "../src/lab/settings.ts";
import { DEFAULT_LIMITS } from "../src/limits.ts";
import { introspectValue, Value } from "../src/value.ts";
import { refusal } from "./helpers.ts";

const LINE = introspect("w * x", { w: 0, x: 1 }, { parameters: ["w"] });

test("a descent stands still until it is asked for the next point", () => {
  const document = introspect("log(w)", { w: 1 }, { parameters: ["w"] });
  const descending = new Descending(document, { learning_rate: 2, steps: 5 });
  assert.deepEqual(descending.next().value?.parameters, { w: 1 });
  assert.equal(descending.fault, null);
  assert.equal(descending.next().done, true);
  const { step, error } = descending.fault!;
  assert.deepEqual([step, error["operands"]], [1, [-1]]);
  assert.equal(descending.next().done, true);
});

test("the settings of a descent are checked before the first point", () => {
  const error = refusal(() => new Descending(LINE, { steps: -1 }));
  assert.equal(error.pointer, "/steps");
});

test("a graph of Values descends", () => {
  const document = introspectValue(new Value(3, "w").mul(new Value(2, "an input")).mul(2), {
    parameters: ["w"],
  });
  const { trajectory } = descend(document, { rows: [{ "an input": 1 }], steps: 1 });
  assert.deepEqual(
    trajectory.map(({ loss, parameters }) => [loss, parameters["w"]]),
    [
      [6, 3],
      [2 * (3 - 0.1 * 2), 3 - 0.1 * 2],
    ],
  );
});

test("a label in a pointer is escaped", () => {
  const document = introspectValue(new Value(3, "a/b").mul(2));
  document.nodes[0]!.kind = "parameter";
  const error = refusal(() => descend(document, { rows: [{ "a/b": 1 }] }));
  assert.equal(error.pointer, "/rows/0/a~1b");
});

test("as many nodes as the bound are computed", () => {
  assert.equal(descend(LINE, { steps: 2 }, { descent_nodes: 9 }).trajectory.length, 3);
  const { name, limit, actual } = refusal(() => descend(LINE, { steps: 2 }, { descent_nodes: 8 }));
  assert.deepEqual([name, limit, actual], ["descent_nodes", 8, 9]);
});

test("the ends of what is allowed are allowed", () => {
  const allowed = [
    { learning_rate: 0, weight_decay: 0, epsilon: 5e-324, steps: 0, every: 1 },
    { learning_rate: 1e300, weight_decay: 5, epsilon: 9, steps: 10_000, every: 10_000 },
    { momentum: 0, beta1: 0, beta2: 0, schedule: "constant", zero_grad: true },
    { momentum: 0.9999, beta1: 0.9999, beta2: 0.9999, schedule: "linear", zero_grad: false },
  ] as const;
  for (const options of allowed) {
    const { learningRate, weightDecay, zeroGrad, ...others } = checkSettings(
      LINE,
      options,
      DEFAULT_LIMITS,
    );
    const wired = { learning_rate: learningRate, weight_decay: weightDecay, zero_grad: zeroGrad };
    const settings = { ...wired, ...others };
    for (const [name, value] of Object.entries(options)) {
      assert.equal(settings[name as keyof typeof settings], value);
    }
  }
});

test("a message says what to do", () => {
  const document = introspect("w * 1e308", { w: 0 }, { parameters: ["w"] });
  assert.equal(
    descend(document, { learning_rate: 10 }).fault!.error["message"],
    "`w`, once moved, is too large for a double; use a smaller learning rate",
  );
});
