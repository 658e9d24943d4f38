/** `follow` with a client whose answers the test gives, and with a mocked clock. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { Mismatch, Problem } from "../src/client/connect.ts";
import type { Client } from "../src/client/connect.ts";
import { follow } from "../src/client/follow.ts";
import type { Followed } from "../src/client/follow.ts";
import { introspect } from "../src/introspect.ts";

interface Call {
  readonly values: Readonly<Record<string, number>>;
  readonly aborted: () => boolean;
  readonly answer: (document: object) => void;
  readonly fail: (error: unknown) => void;
}

let calls: Call[];
let reported: Followed[];

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

/** Start `follow`; the mocked clock advances with `tick`. */
function following({ mock: { timers } }: TestContext) {
  [calls, reported] = [[], []];
  timers.enable({ apis: ["setTimeout"] });
  const { set, stop } = follow(client, (followed) => reported.push(followed), { rest: 100 });
  return { set, stop, tick: (milliseconds: number) => timers.tick(milliseconds) };
}

/** Wait for settled promises, and return the last state. */
async function settled(): Promise<Followed> {
  await new Promise((done) => setImmediate(done));
  return reported.at(-1)!;
}

test("each change is reported at once, and the service is asked once no more come", async (context) => {
  const { set, tick } = following(context);
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
  const { set, stop, tick } = following(context);
  set("a", { a: 1 });
  tick(100);
  set("a", { a: 2 });
  assert.equal(calls[0]!.aborted(), true);
  calls[0]!.fail(new Error("aborted"));
  assert.deepEqual([(await settled()).failure, reported.length], [null, 2]);
  tick(100);
  stop();
  calls[1]!.answer(introspect("a", { a: 2 }));
  assert.deepEqual([(await settled()).agrees, reported.length], [null, 2]);
});

test("after a 503 the service is asked again after the time it names", async (context) => {
  const { set, tick } = following(context);
  set("a", { a: 1 });
  tick(100);
  const body = { type: "", title: "", status: 503, detail: "busy", code: "overloaded", span: null };
  calls[0]!.fail(new Problem(body, 7));
  assert.equal(((await settled()).failure as Problem).code, "overloaded");
  tick(6_999);
  assert.equal(calls.length, 1);
  tick(1);
  calls[1]!.answer(introspect("a", { a: 1 }));
  const { agrees, failure } = await settled();
  assert.deepEqual([agrees, failure], [true, null]);
});

test("a different answer does not agree, and another failure leaves `agrees` null", async (context) => {
  const { set, tick } = following(context);
  for (const [outcome, agrees] of [
    [(call: Call) => call.answer({ ...introspect("a", { a: 1 }), result: 2 }), false],
    [(call: Call) => call.fail(new Mismatch("a", "0", "1")), false],
    [(call: Call) => call.fail(new TypeError("fetch failed")), null],
  ] as const) {
    set("a", { a: 1 });
    tick(100);
    outcome(calls.at(-1)!);
    assert.equal((await settled()).agrees, agrees);
  }
  assert.match(String(reported.at(-1)!.failure), /fetch failed/);
});

test("if values have no document, the last one stays and the service is not asked", (context) => {
  const { set, tick } = following(context);
  set("log(a)", { a: 0 });
  assert.deepEqual([reported[0]!.document, reported[0]!.isStale], [null, false]);
  set("log(a)", { a: 1 });
  set("log(a)", { a: -1 });
  tick(100);
  const { document, problem, isStale } = reported.at(-1)!;
  assert.deepEqual([document!.values, problem!.code, isStale], [{ a: 1 }, "domain_error", true]);
  assert.equal(calls.length, 0);
});

test("a problem, a stale state and an agreement each narrow the document", () => {
  // It compiles only if TypeScript knows in each branch that there is a document.
  const seen: [string, unknown][] = [];
  const { set, stop } = follow(null, ({ document, problem, isStale, agrees }) => {
    if (problem === null) seen.push(["new", document.gradients]);
    if (isStale) seen.push(["stale", document.gradients]);
    if (agrees) seen.push(["agreed", document.gradients]);
  });
  set("a *", { a: 2 });
  set("a * a", { a: 3 });
  set("a *", { a: 3 });
  stop();
  assert.deepEqual(seen, [
    ["new", { a: 6 }],
    ["stale", { a: 6 }],
  ]);
});
