/** A program's store with a client whose answers the test gives, and with a mocked clock. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { Mismatch, Problem } from "../src/client/connect.ts";
import type { Client } from "../src/client/connect.ts";
import { createProgram } from "../src/client/store.ts";
import type { ProgramState } from "../src/client/store.ts";
import { introspect } from "../src/introspect.ts";

interface Call {
  readonly values: Readonly<Record<string, number>>;
  readonly aborted: () => boolean;
  readonly answer: (document: object) => void;
  readonly fail: (error: unknown) => void;
}

let calls: Call[];
let reported: ProgramState[];

const client = {
  gradient: (_expression, values, { signal } = {}) =>
    new Promise((answer, fail) => {
      calls.push({
        values,
        answer: answer as Call["answer"],
        fail,
        aborted: () => signal!.aborted,
      });
    }),
} as Pick<Client, "gradient">;

/** Subscribe to a program; the mocked clock advances with `tick`. */
function subscribed({ mock: { timers } }: TestContext) {
  [calls, reported] = [[], []];
  timers.enable({ apis: ["setTimeout"] });
  const { get, set, subscribe } = createProgram("1", {}, { client, rest: 100 });
  const leave = subscribe((state) => reported.push(state));
  return { get, set, leave, tick: (milliseconds: number) => timers.tick(milliseconds) };
}

/** Wait for settled promises, and return the last state. */
async function settled(): Promise<ProgramState> {
  await new Promise((done) => setImmediate(done));
  return reported.at(-1)!;
}

test("each change is reported at once, and the service is asked once no more come", async (context) => {
  const { set, tick } = subscribed(context);
  for (const a of [1, 2, 3]) {
    set("a * a", { a });
    assert.deepEqual(reported.at(-1)!.document!.gradients, { a: 2 * a });
    tick(99);
  }
  assert.equal(calls.length, 0);
  tick(1);
  assert.deepEqual(calls[0]!.values, { a: 3 });
  assert.equal(reported.at(-1)!.agrees, null);
  calls[0]!.answer(introspect("a * a", { a: 3 }));
  assert.equal((await settled()).agrees, true);
  assert.equal(calls.length, 1);
});

test("a change aborts the earlier call and ignores its answer", async (context) => {
  const { set, leave, tick } = subscribed(context);
  set("a", { a: 1 });
  tick(100);
  set("a", { a: 2 });
  assert.equal(calls[0]!.aborted(), true);
  calls[0]!.fail(new Error("aborted"));
  assert.deepEqual([(await settled()).failure, reported.length], [null, 3]);
  tick(100);
  leave();
  calls[1]!.answer(introspect("a", { a: 2 }));
  assert.deepEqual([(await settled()).agrees, reported.length], [null, 3]);
});

test("after a 503 the service is asked again after the time it names", async (context) => {
  const { set, tick } = subscribed(context);
  set("a", { a: 1 });
  tick(100);
  const members = { type: "", title: "", status: 503, detail: "busy", span: null };
  calls[0]!.fail(new Problem({ ...members, code: "overloaded", limit: 1, actual: 1 }, 7));
  assert.equal(((await settled()).failure as Problem).code, "overloaded");
  tick(6_999);
  assert.equal(calls.length, 1);
  tick(1);
  calls[1]!.answer(introspect("a", { a: 1 }));
  const { agrees, failure } = await settled();
  assert.deepEqual([agrees, failure], [true, null]);
});

test("a different answer does not agree, and another failure leaves `agrees` null", async (context) => {
  const { set, tick } = subscribed(context);
  const outcomes = [
    [(call: Call) => call.answer({ ...introspect("a", { a: 1 }), result: 2 }), false],
    [(call: Call) => call.fail(new Mismatch("a", "0", "1")), false],
    [(call: Call) => call.fail(new TypeError("fetch failed")), null],
  ] as const;
  for (const [a, [outcome, agrees]] of outcomes.entries()) {
    set("a", { a });
    tick(100);
    outcome(calls.at(-1)!);
    assert.equal((await settled()).agrees, agrees);
  }
  assert.match(String(reported.at(-1)!.failure), /fetch failed/);
});

test("if values have no document, the last one stays and the service is not asked", (context) => {
  const { get, set, tick } = subscribed(context);
  set("log(a)", { a: 1 });
  set("log(a)", { a: -1 });
  tick(100);
  const { document, problem, isStale } = get();
  assert.deepEqual([document!.values, problem!.code, isStale], [{ a: 1 }, "domain_error", true]);
  assert.equal(calls.length, 0);
  const first = createProgram("log(a)", { a: 0 }).get();
  assert.deepEqual([first.document, first.isStale, first.variables], [null, false, ["a"]]);
});

test("a problem, a stale state and an agreement each narrow the document", () => {
  // It compiles only if TypeScript knows in each branch that there is a document.
  const seen: [string, unknown][] = [];
  const { set, subscribe } = createProgram("a *", { a: 2 });
  subscribe(({ document, problem, isStale, agrees }) => {
    if (problem === null) seen.push(["new", document.gradients]);
    if (isStale) seen.push(["stale", document.gradients]);
    if (agrees) seen.push(["agreed", document.gradients]);
  });
  set("a * a", { a: 3 });
  set("a *", { a: 3 });
  assert.deepEqual(seen, [
    ["new", { a: 6 }],
    ["stale", { a: 6 }],
  ]);
});

test("the same text and values change nothing, and nobody is called after leaving", (context) => {
  const { get, set, leave } = subscribed(context);
  set("a * a", { a: 3 });
  const state = get();
  set("a * a", { a: 3 });
  assert.equal(get(), state);
  assert.equal(reported.length, 2);
  leave();
  set("a * a", { a: 4 });
  assert.deepEqual([get().document!.result, reported.length], [16, 2]);
});

test("a service is asked only while there is a subscriber", (context) => {
  const { set, leave, tick } = subscribed(context);
  set("a", { a: 1 });
  leave();
  tick(100);
  assert.equal(calls.length, 0);
});

test("who answered is the browser, until the service has the same document", async (context) => {
  const { set, get, tick } = subscribed(context);
  set("a", { a: 1 });
  tick(100);
  assert.equal(get().answeredBy, "browser");
  calls[0]!.answer(introspect("a", { a: 1 }));
  assert.equal((await settled()).answeredBy, "service");
});

test("a problem has its place as slice takes it, and the program that is meant", async (context) => {
  const { set, get } = subscribed(context);
  set("a * b", { a: 1, b: 2 });
  set("a * 𝑥 * b", { a: 1, b: 2 });
  const { expression, place, variables, suggestions } = get();
  assert.equal(expression.slice(place!.start, place!.end), "𝑥");
  assert.deepEqual([variables, suggestions], [["a", "b"], []]);
  set("2x^2", { x: 3 });
  await import("../src/language/rewrite.ts");
  const [meant] = (await settled()).suggestions;
  assert.equal(introspect(meant!, { x: 3 }).result, 18);
});

test("variables without a value have the one for missing values", () => {
  const { document, values, variables } = createProgram("b * a", { a: 3 }, { missing: 2 }).get();
  assert.deepEqual([values, variables], [{ a: 3, b: 2 }, ["b", "a"]]);
  assert.deepEqual(document!.gradients, { a: 2, b: 3 });
});

test("a curve and a field have the values and gradients of each point", () => {
  const { get, set } = createProgram("x * x * y + c", { x: 7, y: 7, c: 1 });
  const range = { from: 0, to: 2, count: 3 };
  const curve = get().curve("x", range)!;
  // At y = 7 and c = 1, x * x * y + c is 1, 8 and 29.
  assert.deepEqual([...curve.results], [1, 8, 29]);
  assert.deepEqual([...curve.gradients["x"]!], [0, 14, 28]);
  for (const [x, y] of [
    ["x", "y"],
    ["y", "x"],
  ] as const) {
    const field = get().field(x, y, range, { from: 1, to: 2, count: 2 })!;
    assert.deepEqual([...field.x, ...field.y], [0, 1, 2, 1, 2]);
    const points = [1, 2].flatMap((up) => [0, 1, 2].map((across) => ({ [x]: across, [y]: up })));
    assert.deepEqual(
      [...field.results],
      points.map((at) => at["x"]! * at["x"]! * at["y"]! + 1),
    );
    assert.deepEqual(
      [...field.gradients["x"]!],
      points.map((at) => 2 * at["x"]! * at["y"]!),
    );
  }
  const field = get().field("x", "y", range);
  set("x * x * y + c", { x: 5, y: 5, c: 1 });
  assert.equal(get().field("x", "y", range), field);
  set("x * x * y + c", { x: 5, y: 5, c: 2 });
  assert.deepEqual(get().field("x", "y", range)!.results[0], 2);
  assert.equal(get().field("x", "y", { from: 0, to: 1, count: 1e6 }), null);
  set("x *", { x: 5 });
  assert.equal(get().curve("x", range), null);
});
