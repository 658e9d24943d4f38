/** Wrong walks; their numbers are in parity_tests/fixtures/experiment. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import { experiment } from "../src/lab/experiment.ts";
import { apply, dual } from "../src/lab/tape.ts";
import { OPERATIONS, OutsideDomain } from "../src/operations.ts";
import { introspectValue, Value } from "../src/value.ts";
import { units } from "./helpers.ts";

const DIAMOND = introspect("b = a + 1; c = a * 3; d = b * c", { a: 2 });

test("the right order changes nothing", () => {
  const result = experiment(DIAMOND);
  const [walk] = result.walks;
  assert.equal(result.document, DIAMOND);
  assert.deepEqual(result.order, [5, 4, 3, 2, 1, 0]);
  assert.deepEqual(
    [result.reverse_topological, result.broken_edge, result.unvisited],
    [true, null, []],
  );
  assert.deepEqual([walk!.gradients, walk!.differences, walk!.lost], [{ a: 15 }, { a: 0 }, []]);
  for (const { edge, incoming_grad, contribution, running_grad } of walk!.ledger) {
    const row = DIAMOND.edges[edge]!;
    assert.deepEqual(
      [incoming_grad, contribution, running_grad],
      [row.incoming_grad, row.contribution, row.running_grad],
    );
  }
});

test("a wrong order loses what comes late", () => {
  // d sends 6 to b, which was visited before: 9 by c alone are left of 15.
  const { walks, broken_edge } = experiment(DIAMOND, {}, { order: ["b", "d", "c", "a"] });
  assert.deepEqual([broken_edge, walks[0]!.gradients], [4, { a: 9 }]);
  assert.deepEqual(
    walks[0]!.lost.map(({ sentence }) => sentence),
    ["`b` was visited before it had 6 from `d`"],
  );
});

test("a pull loses what an operand did not collect", () => {
  // a collects 6 from b, and c has nothing for it yet.
  const pull = { walk: "pull", order: ["d", "b", "a", "c"] } as const;
  const [walk] = experiment(DIAMOND, {}, pull).walks;
  assert.deepEqual(walk!.gradients, { a: 6 });
  assert.deepEqual(
    walk!.lost.map(({ sentence }) => sentence),
    ["`a` was visited before `c` had 3 from `d`"],
  );
  const [short] = experiment(DIAMOND, {}, { walk: "pull", order: ["b"] }).walks;
  assert.deepEqual(
    short!.lost.map(({ sentence }) => sentence),
    ["`d` gave 6 to `b`, and `a` was never visited"],
  );
});

test("steps are bounded", () => {
  // A sum of 2,001 leaves has 4,000 edges.
  const document = introspect(Array(2001).fill("a").join("+"), { a: 1 });
  const message = /6 passes .* take 24000 steps; at most 20000/;
  assert.throws(() => experiment(document, {}, { passes: 6 }), message);
});

test("zeros have no sign", () => {
  const [walk] = experiment(introspect("-a * 0", { a: 1 })).walks;
  for (const step of walk!.ledger) {
    for (const number of Object.values(step)) assert.ok(!Object.is(number, -0));
  }
});

test("graphs of values can be walked wrongly", () => {
  const a = new Value(3, "a");
  const document = introspectValue(a.mul(a));
  assert.deepEqual(experiment(document, {}, { accumulate: "replace" }).walks[0]!.gradients, {
    a: 3,
  });
});

units("experiment", "refused", ({ code, conditions }) => {
  for (const [options, pointer, words] of conditions) {
    assert.throws(
      () => experiment(DIAMOND, {}, options),
      (error: any) => {
        assert.deepEqual([options, error.code, error.data.pointer], [options, code, pointer]);
        assert.ok(error.message.includes(words), error.message);
        return true;
      },
    );
  }
});

test("the formulas of an operation are its local gradients", () => {
  for (const row of OPERATIONS.values()) {
    for (const [x, y] of [
      [0.3, 2],
      [2.5, -1],
      [-2.5, -2],
      [1, 1],
    ] as const) {
      const operands = row.arity === 1 ? [x] : [x, y];
      let computed;
      try {
        computed = row.rule(...operands);
      } catch (reason) {
        assert.ok(reason instanceof OutsideDomain);
        continue;
      }
      const [data, ...localGrads] = computed;
      const formulas = row.formulas(apply, dual(data), ...operands.map((each) => dual(each)));
      const made = formulas.map((each) =>
        each !== null && typeof each === "object" ? each.data : each,
      );
      assert.deepEqual(made, localGrads);
    }
  }
});
