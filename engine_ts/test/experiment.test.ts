/** Wrong walks; every number is worked out by hand from the push rule, none by an engine. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import { experiment } from "../src/lab/experiment.ts";
import type { Experiment } from "../src/lab/experiment.ts";
import { introspectValue, Value } from "../src/value.ts";
import { refusal } from "./helpers.ts";
import type { Json } from "./helpers.ts";

/** ids: a 0, b 2, c 4, d 5; edges: a-b 0, a-c 2, b-d 4 (contribution 6), c-d 5 (3). */
const DIAMOND = introspect("b = a + 1; c = a * 3; d = b * c", { a: 2 });
const SUM = introspect("d = a * b + c", { a: 2, b: 3, c: 10 });
const LABELS = ["a", "b", "c", "d"];

function gradients({ walks }: Experiment): Record<string, number>[] {
  return walks.map((walk) => walk.gradients);
}

function orders(labels: readonly string[]): string[][] {
  if (labels.length === 0) return [[]];
  return labels.flatMap((label) =>
    orders(labels.filter((other) => other !== label)).map((rest) => [label, ...rest]),
  );
}

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

test("all orders of the diamond", () => {
  // b passes on 6 (times 1) and c passes on 3 (times 3), if d was visited before them.
  const all = orders(LABELS);
  assert.equal(all.length, 24);
  for (const order of all) {
    const passed = (label: string) => order.indexOf("d") < order.indexOf(label);
    const a = (passed("b") ? 6 : 0) + (passed("c") ? 9 : 0);
    const [walk] = experiment(DIAMOND, { order }).walks;
    assert.deepEqual([order, walk!.gradients, walk!.differences], [order, { a }, { a: a - 15 }]);
    const late = [
      ...(passed("b") ? [] : [[4, 6, "late", "`b` was visited before `d` had sent it 6"]]),
      ...(passed("c") ? [] : [[5, 3, "late", "`c` was visited before `d` had sent it 3"]]),
    ];
    assert.deepEqual(
      walk!.lost.map(({ edge, contribution, reason, sentence }) => [
        edge,
        contribution,
        reason,
        sentence,
      ]),
      late,
    );
  }
});

test("the first broken edge is named", () => {
  const users: Record<string, [string, number][]> = {
    a: [
      ["b", 0],
      ["c", 2],
    ],
    b: [["d", 4]],
    c: [["d", 5]],
    d: [],
  };
  for (const order of orders(LABELS)) {
    const broken = order.flatMap((label, place) =>
      users[label]!.filter(([user]) => order.indexOf(user) > place).map(([, edge]) => edge),
    );
    const result = experiment(DIAMOND, { order });
    assert.deepEqual([order, result.broken_edge], [order, broken[0] ?? null]);
    assert.equal(result.reverse_topological, broken.length === 0);
  }
});

test("an operation that is never visited passes nothing on", () => {
  const result = experiment(DIAMOND, { order: ["d", 4] });
  assert.deepEqual(
    [result.order, result.unvisited, result.broken_edge, result.reverse_topological],
    [[5, 4], [2], null, false],
  );
  assert.deepEqual(gradients(result), [{ a: 9 }]);
  assert.deepEqual(
    result.walks[0]!.lost.map(({ reason, sentence }) => [reason, sentence]),
    [["unvisited", "`d` sent 6 to `b`, which was never visited"]],
  );
});

test("nobody visited leaves zeros, and a leaf that is left out changes nothing", () => {
  const nobody = experiment(DIAMOND, { order: [] });
  assert.deepEqual(
    [gradients(nobody), nobody.walks[0]!.ledger, nobody.unvisited],
    [[{ a: 0 }], [], [2, 4, 5]],
  );
  const leafless = experiment(DIAMOND, { order: ["d", "b", "c"] });
  assert.deepEqual([gradients(leafless), leafless.reverse_topological], [[{ a: 15 }], true]);
});

test("replacing loses all but the last", () => {
  // a * a at 3: each slot contributes 3, and `=` keeps one of them, as in the lesson.
  const [walk] = experiment(introspect("a * a", { a: 3 }), { accumulate: "replace" }).walks;
  assert.deepEqual([walk!.gradients, walk!.differences], [{ a: 3 }, { a: -3 }]);
  assert.deepEqual(walk!.lost, [
    {
      step: 0,
      edge: 0,
      contribution: 3,
      reason: "overwritten",
      sentence: "the 3 that node 1 (`*`) had sent to `a` was overwritten by 3 from node 1 (`*`)",
    },
  ]);
});

test("what was passed on before it is overwritten is not lost", () => {
  // d = 6, root = d * b = 12: the root sends b (2) to d and d (6) to b; d sends 2 * 3 = 6 to b.
  const document = introspect("b = a + 1; d = b * 3; d * b", { a: 1 });
  const options = { order: [5, "b", "d", "a"], accumulate: "replace" } as const;
  const [walk] = experiment(document, options).walks;
  assert.deepEqual(walk!.gradients, { a: 6 });
  assert.deepEqual(
    walk!.lost.map(({ reason, contribution }) => [reason, contribution]),
    [["late", 6]],
  );
});

test("a second pass takes stale gradients along", () => {
  // Inner gradients are stale, too: not a doubling, but 9, 6, 2 in place of 3, 2, 1.
  const [walk] = experiment(SUM, { passes: 2 }).walks;
  assert.deepEqual([walk!.gradients, walk!.lost], [{ a: 9, b: 6, c: 2 }, []]);
  assert.deepEqual(
    walk!.ledger.map((step) => step.pass),
    [1, 1, 1, 1, 2, 2, 2, 2],
  );
});

test("a late contribution is passed on by the next pass", () => {
  // c: 3 in pass 1, 6 in pass 2; so a: 9, then 6 + 18 more. The second 6 for b is lost.
  const [walk] = experiment(DIAMOND, { order: ["b", "d", "c", "a"], passes: 2 }).walks;
  assert.deepEqual(walk!.gradients, { a: 33 });
  assert.deepEqual(
    walk!.lost.map(({ step, contribution }) => [step, contribution]),
    [[8, 6]],
  );
});

test("replacing forgets the pass before without loss", () => {
  const [walk] = experiment(SUM, { passes: 3, accumulate: "replace" }).walks;
  assert.deepEqual([walk!.gradients, walk!.lost], [{ a: 3, b: 2, c: 1 }, []]);
});

test("a mutated leaf is noticed by local gradients that are read late", () => {
  // d = a * b + c: stored, b sends 3 and a 2; with a = 5 then, the closure of b * a reads 5.
  const result = experiment(SUM, { mutate: { a: 5 } });
  assert.deepEqual(
    result.walks.map((walk) => walk.local_grads),
    ["stored", "reread"],
  );
  assert.deepEqual(gradients(result), [
    { a: 3, b: 2, c: 1 },
    { a: 3, b: 5, c: 1 },
  ]);
  assert.deepEqual(result.walks[1]!.differences, { a: 0, b: 3, c: 0 });
});

test("every operation is reread by its formula", () => {
  // At a = 2, then 4: the operation's own data is kept, its operands are read.
  const reread = {
    "a ** 2": 8, // 2 * 4
    "a / 4": 0.25,
    "8 / a": -1, // -(out / y) = -(4 / 4)
    "log(a)": 0.25,
    "relu(a)": 1,
    "exp(a - 2)": 1, // out is kept
    "tanh(a - 2)": 1, // 1 - 0 * 0
    "-a": -1,
    "a - 1": 1,
  };
  for (const [expression, a] of Object.entries(reread)) {
    const result = experiment(introspect(expression, { a: 2 }), { mutate: { a: 4 } });
    assert.deepEqual([expression, gradients(result)[1]], [expression, { a }]);
  }
});

test("the edge of a domain is an error of the walk", () => {
  const document = introspect("8 / a", { a: 2 });
  assert.deepEqual(
    refusal(() => experiment(document, { mutate: { a: 0 } })),
    {
      code: "domain_error",
      span: { start: 0, end: 5 },
      node: 2,
      operation: "/",
      operands: [8, 0],
    },
  );
});

test("numbers that are no doubles are an error of the walk", () => {
  // (a + a) * 8e307: a has 1.6e308 after pass 1, and slot 0 adds 1.6e308 in pass 2.
  const document = introspect("(a + a) * 8e307", { a: 1 });
  assert.deepEqual(
    refusal(() => experiment(document, { passes: 2 })),
    {
      code: "non_finite",
      span: { start: 1, end: 6 },
      stage: "grad",
      node: 1,
      operation: "+",
      operands: [1, 1],
      slot: 0,
    },
  );
});

test("steps are bounded", () => {
  // A sum of 2,001 leaves has 4,000 edges: five passes are the most.
  const document = introspect(Array(2001).fill("a").join("+"), { a: 1 });
  assert.equal(experiment(document, { passes: 5 }).walks[0]!.ledger.length, 20_000);
  assert.deepEqual(
    refusal(() => experiment(document, { passes: 6 })),
    { code: "limit_exceeded", span: null, name: "steps", limit: 20_000, actual: 24_000 },
  );
});

test("exponents have no step, and zeros no sign", () => {
  const [walk] = experiment(introspect("a ** 2", { a: 3 })).walks;
  assert.deepEqual(
    walk!.ledger.map(({ edge, contribution }) => [edge, contribution]),
    [[0, 6]],
  );
  const [zeros] = experiment(introspect("-a * 0", { a: 1 })).walks;
  for (const step of zeros!.ledger) {
    for (const number of Object.values(step)) assert.ok(!Object.is(number, -0));
  }
});

test("graphs of values can be walked wrongly", () => {
  const a = new Value(3, "a");
  const document = introspectValue(a.mul(a));
  assert.deepEqual(gradients(experiment(document, { accumulate: "replace" })), [{ a: 3 }]);
});

test("wrong members are refused", () => {
  const table: [Json, string, string][] = [
    [{ order: null }, "invalid_request", "/order"],
    [{ order: ["e"] }, "invalid_request", "/order/0"],
    [{ order: [0, 6] }, "invalid_request", "/order/1"],
    [{ order: [1.5] }, "invalid_request", "/order/0"],
    [{ order: [true] }, "invalid_request", "/order/0"],
    [{ order: [0, 2, "a"] }, "invalid_request", "/order/2"],
    [{ order: [1, 1] }, "invalid_request", "/order/1"],
    [{ accumulate: "+=" }, "invalid_request", "/accumulate"],
    [{ passes: 0 }, "invalid_request", "/passes"],
    [{ passes: 11 }, "invalid_request", "/passes"],
    [{ passes: "2" }, "invalid_request", "/passes"],
    [{ mutate: [1] }, "invalid_request", "/mutate"],
    [{ mutate: null }, "invalid_request", "/mutate"],
    [{ mutate: { z: 1 } }, "invalid_value", "/mutate/z"],
    [{ mutate: { a: "1" } }, "invalid_value", "/mutate/a"],
    [{ mutate: { b: 1, a: "x" } }, "invalid_value", "/mutate/a"],
    [{ order: 1, passes: 0 }, "invalid_request", "/order"],
  ];
  for (const [options, code, pointer] of table) {
    const error = refusal(() => experiment(DIAMOND, options));
    assert.deepEqual([options, error.code, error.pointer], [options, code, pointer]);
  }
});
