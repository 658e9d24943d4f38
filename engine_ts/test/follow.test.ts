/** Values that change often: what is told, when a service is asked, and what becomes of its answers. */

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
let told: Followed[];

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

/** Follow with nothing called or told yet; what is waited for comes with `tick`. */
function following({ mock: { timers } }: TestContext) {
  [calls, told] = [[], []];
  timers.enable({ apis: ["setTimeout"] });
  const { set, stop } = follow(client, (followed) => told.push(followed), { rest: 100 });
  return { set, stop, tick: (milliseconds: number) => timers.tick(milliseconds) };
}

/** Let promises that are settled be heard. */
async function heard(): Promise<Followed> {
  await new Promise((done) => setImmediate(done));
  return told.at(-1)!;
}

test("each change is told at once, and the service is asked when they rest", async (context) => {
  const { set, tick } = following(context);
  for (const a of [1, 2, 3]) {
    set("a * a", { a });
    assert.deepEqual(told.at(-1)!.document!.gradients, { a: 2 * a });
    tick(99);
  }
  assert.equal(calls.length, 0);
  tick(1);
  assert.deepEqual(calls[0]!.values, { a: 3 });
  assert.equal(told.at(-1)!.agrees, null);
  calls[0]!.answer(introspect("a * a", { a: 3 }));
  assert.equal((await heard()).agrees, true);
  assert.equal(calls.length, 1);
});

test("a change ends the call of the values before, whose answer is not heard", async (context) => {
  const { set, stop, tick } = following(context);
  set("a", { a: 1 });
  tick(100);
  set("a", { a: 2 });
  assert.equal(calls[0]!.aborted(), true);
  calls[0]!.fail(new Error("aborted"));
  assert.deepEqual([(await heard()).failure, told.length], [null, 2]);
  tick(100);
  stop();
  calls[1]!.answer(introspect("a", { a: 2 }));
  assert.deepEqual([(await heard()).agrees, told.length], [null, 2]);
});

test("a service without time is asked again when it says", async (context) => {
  const { set, tick } = following(context);
  set("a", { a: 1 });
  tick(100);
  const body = { type: "", title: "", status: 503, detail: "busy", code: "overloaded", span: null };
  calls[0]!.fail(new Problem(body, 7));
  assert.equal(((await heard()).failure as Problem).code, "overloaded");
  tick(6_999);
  assert.equal(calls.length, 1);
  tick(1);
  calls[1]!.answer(introspect("a", { a: 1 }));
  const { agrees, failure } = await heard();
  assert.deepEqual([agrees, failure], [true, null]);
});

test("an answer that differs does not agree, and other failures leave it open", async (context) => {
  const { set, tick } = following(context);
  for (const [outcome, agrees] of [
    [(call: Call) => call.answer({ ...introspect("a", { a: 1 }), result: 2 }), false],
    [(call: Call) => call.fail(new Mismatch("a", "0", "1")), false],
    [(call: Call) => call.fail(new TypeError("fetch failed")), null],
  ] as const) {
    set("a", { a: 1 });
    tick(100);
    outcome(calls.at(-1)!);
    assert.equal((await heard()).agrees, agrees);
  }
  assert.match(String(told.at(-1)!.failure), /fetch failed/);
});

test("where values have no document the last one stays, and the service is not asked", (context) => {
  const { set, tick } = following(context);
  set("log(a)", { a: 0 });
  assert.deepEqual([told[0]!.document, told[0]!.isStale], [null, false]);
  set("log(a)", { a: 1 });
  set("log(a)", { a: -1 });
  tick(100);
  const { document, problem, isStale } = told.at(-1)!;
  assert.deepEqual([document!.values, problem!.code, isStale], [{ a: 1 }, "domain_error", true]);
  assert.equal(calls.length, 0);
});
