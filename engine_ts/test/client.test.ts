/** The client with a real service and with one that sends invalid replies, and a program's store. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { TestContext } from "node:test";
import { connect, Mismatch, Problem, UnreadableReply } from "../src/client/connect.ts";
import { introspect } from "../src/introspect.ts";
import { sweep } from "../src/sweeps/program.ts";
import type { Client } from "../src/client/connect.ts";
import { createProgram } from "../src/client/store.ts";
import type { ProgramState } from "../src/client/store.ts";

const ROOT = join(import.meta.dirname, "../..");
const PYTHON = join(ROOT, ".venv/bin/python");
const PROGRAM = { expression: "(a + b) * c", values: { a: 2, b: -3, c: 10 } };
const WRONG = { expression: "2x + 1", values: { x: 3 } };
const OUTSIDE = { expression: "log(x)", values: { x: -1 } };

let service: ChildProcess;
let address = "";
let nonsense: Server | undefined;
let elsewhere = "";
let seen: { url?: string | undefined; authorization?: string | undefined; body: string };
let answer = { status: 200, text: "" };

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function listening(server: Server): Promise<Server> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

before(async () => {
  const patience = { GRADIENT_COMPUTE_SECONDS: "3600" }; // the machine may be busy with tests
  const env = { ...process.env, PORT: "0", GRADIENT_LOG_REQUESTS: "0", ...patience };
  service = spawn(PYTHON, ["-m", "service"], { cwd: ROOT, env, stdio: ["ignore", "pipe", 2] });
  const ended = once(service, "exit").then(([code]) => {
    throw new Error(`the service exited with ${code} before it was ready`);
  });
  const up = once(service.stdout!, "data", { signal: AbortSignal.timeout(60_000) });
  const [line] = await Promise.race([up, ended]);
  address = JSON.parse(String(line)).message.split(" ")[0];
  nonsense = await listening(
    createServer(async (request, response) => {
      seen = { url: request.url, authorization: request.headers.authorization, body: "" };
      for await (const piece of request) seen.body += piece;
      response.writeHead(answer.status, { "Retry-After": "7" }).end(answer.text);
    }),
  );
  elsewhere = addressOf(nonsense);
});

after(async () => {
  nonsense?.closeAllConnections();
  nonsense?.close();
  if (service.pid === undefined || service.exitCode !== null) return;
  service.kill("SIGKILL");
  await once(service, "exit");
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test("gradient returns the service's document, verified or not", async () => {
  for (const verify of [false, true]) {
    const { gradient } = connect(address, { verify });
    const document = await gradient(PROGRAM.expression, PROGRAM.values, { parameters: ["c"] });
    // d/da and d/db of (a + b) * c are c, d/dc is a + b
    assert.deepEqual([document.result, document.gradients], [-10, { a: 10, b: 10, c: -1 }]);
    assert.deepEqual(
      document.nodes.map(({ kind }) => kind),
      ["input", "input", "operation", "parameter", "operation"],
    );
  }
});

test("a problem is thrown with its code, place and hint", async () => {
  const refused = connect(address).gradient(WRONG.expression, WRONG.values);
  await assert.rejects(refused, (problem) => {
    assert.ok(problem instanceof Problem);
    assert.deepEqual([problem.code, problem.status], ["unexpected_token", 422]);
    assert.deepEqual(problem.span, { start: 1, end: 2 });
    assert.match(problem.message, /missing between `2` and `x`/);
    assert.equal(problem.body.type, "/problems/unexpected_token");
    assert.equal(problem.retryAfter, null);
    // TypeScript knows from the code which members there are.
    assert.ok(problem.body.code === "unexpected_token");
    assert.equal(problem.body.rewrite!.expression, "2*x + 1");
    return true;
  });
});

test("every route that computes has a method, verified or not", async () => {
  const diamond = ["b = a + 1; c = a * 3; d = b * c", { a: 2 }] as const;
  for (const verify of [false, true]) {
    const client = connect(address, { verify });
    const { parse, rewrite, sweep, experiment, accuracy, paths, descend, hessian } = client;
    const parsed = await parse("x - w", { parameters: ["w"], view: "primitive" });
    assert.deepEqual([parsed.variables, parsed.view], [["x", "w"], "primitive"]);
    const meant = await rewrite("mx + b", { names: ["m", "x", "b"] });
    assert.equal(meant.expression, "m*x + b");
    // d(x ** 2)/dx is 2 x, and log(0) is an error
    const curve = await sweep("x ** 2 + 0 * log(x)", { x: { from: 0, to: 2, count: 3 } });
    assert.deepEqual(
      [curve.results, curve.gradients["x"]],
      [
        [null, 1, 4],
        [null, 2, 4],
      ],
    );
    assert.equal(curve.problems[0]?.error["code"], "domain_error");
    const primitive = await sweep("a / b", { a: [49], b: 49 }, { view: "primitive" });
    assert.deepEqual(primitive.results, [0.9999999999999999]);
    const wrong = await experiment(...diamond, { order: ["b", "d", "c", "a"] });
    assert.deepEqual(wrong.walks[0]?.gradients, { a: 9 });
    // d = 3 a (a + 1), whose slope is 6 a + 3
    const checked = await accuracy(...diamond, { claimed: { a: 14 }, parameters: ["a"] });
    const { verdict, error } = checked.claims["a"]!;
    assert.deepEqual([verdict, error], ["differs", -1]);
    assert.equal(checked.document?.nodes[0]?.kind, "parameter");
    const apart = await paths(...diamond, { node: "a", most: 1 });
    assert.deepEqual([apart.count, apart.paths.length, apart.paths[0]?.product], ["2", 1, 6]);
    // The slope of w ** 2 is 2 w: a step of 1/4 of that halves w. Its second derivative is 2.
    const settings = { parameters: ["w"], learning_rate: 0.25, steps: 2 };
    const descent = await descend("w ** 2", { w: 8 }, settings);
    assert.deepEqual([descent.trajectory.at(-1)?.parameters, descent.fault], [{ w: 2 }, null]);
    const second = await hessian("w ** 2", { w: 8 }, { vector: { w: 3 } });
    assert.deepEqual([second.hessian, second.product], [{ w: { w: 2 } }, { w: 6 }]);
  }
});

test("an answer has only the members in `fields`, verified or not", async () => {
  for (const verify of [false, true]) {
    const client = connect(address, { verify });
    const { gradient, gradients, parse, sweep, accuracy, paths, descend, hessian } = client;
    const square = ["w ** 2", { w: 8 }] as const;
    const descent = { parameters: ["w"], steps: 0, learning_rate: 1 };
    const found = [
      await gradient(...square, { fields: ["gradients", "result"] }),
      await parse("w ** 2", { fields: ["variables"] }),
      await sweep("w ** 2", { w: [1, 2] }, { fields: ["results"] }),
      await accuracy(...square, { fields: ["counts_as_zero", "error"] }),
      await paths(...square, { node: "w", fields: ["count"] }),
      await descend(...square, { ...descent, fields: ["fault"] }),
      await hessian(...square, { fields: ["hessian"] }),
      ...(await all(gradients([{ expression: "1", values: {} }], { fields: ["result"] }))),
    ];
    assert.deepEqual(found, [
      { result: 64, gradients: { w: 16 } },
      { variables: ["w"] },
      { results: [1, 4] },
      { error: null, counts_as_zero: [] },
      { count: "1" },
      { fault: null },
      { hessian: { w: { w: 2 } } },
      { result: 1 },
    ]);
  }
});

test("every method throws problems and takes a signal", async () => {
  const { parse, sweep, experiment, accuracy, paths } = connect(address);
  const refused: [() => Promise<unknown>, string][] = [
    [() => parse("2x"), "unexpected_token"],
    [() => sweep("x", { x: [] }), "invalid_value"],
    [() => experiment("a", { a: 1 }, { passes: 11 }), "invalid_request"],
    [() => accuracy("log(a)", { a: 1 }, { most: 101 }), "invalid_request"],
    [() => paths("a", { a: 1 }, { node: "b" }), "invalid_request"],
  ];
  for (const [ask, code] of refused) {
    await assert.rejects(ask, (problem) => problem instanceof Problem && problem.code === code);
  }
  const signal = AbortSignal.abort(new Error("not any more"));
  for (const ask of [
    () => parse("a", { signal }),
    () => sweep("a", { a: 1 }, { signal }),
    () => experiment("a", { a: 1 }, { signal }),
    () => accuracy("a", { a: 1 }, { signal }),
    () => paths("a", { a: 1 }, { node: "a", signal }),
  ]) {
    await assert.rejects(ask, /not any more/);
  }
});

test("a sweep with a wrong number is a Mismatch", async () => {
  const right = sweep("a * a", { a: [1, 2] });
  answer = { status: 200, text: JSON.stringify(right) };
  const { sweep: ask } = connect(elsewhere, { verify: true });
  assert.deepEqual(await ask("a * a", { a: [1, 2] }), right);
  answer = { status: 200, text: JSON.stringify({ ...right, results: [1, 4.000000000000001] }) };
  await assert.rejects(ask("a * a", { a: [1, 2] }), Mismatch);
  await assert.rejects(connect(elsewhere).parse("a"), UnreadableReply);
});

test("a batch yields a document or a problem for each program, in order", async () => {
  for (const verify of [false, true]) {
    const { gradients } = connect(`${address}/`, { verify });
    const results = await all(
      gradients([PROGRAM, WRONG, OUTSIDE, { ...PROGRAM, view: "primitive" }]),
    );
    const found = results.map((each) => (each instanceof Problem ? each.code : each.result));
    assert.deepEqual(found, [-10, "unexpected_token", "domain_error", -10]);
  }
});

test("each result of a batch has the id of its program", async () => {
  for (const verify of [false, true]) {
    const { gradients } = connect(address, { verify });
    const results = await all(gradients([{ ...PROGRAM, id: "sum" }, { ...WRONG, id: 2 }, PROGRAM]));
    assert.deepEqual(
      results.map(({ id }) => id),
      ["sum", 2, undefined],
    );
  }
});

test("a batch that is too long is one problem", async () => {
  const many = Array(1001).fill(PROGRAM);
  await assert.rejects(all(connect(address).gradients(many)), { code: "limit_exceeded" });
});

test("leaving the loop early ends the batch, and the client stays usable", async () => {
  const { gradient, gradients } = connect(address);
  const met: number[] = [];
  for await (const each of gradients(Array(500).fill(PROGRAM))) {
    if (!(each instanceof Problem)) met.push(each.result);
    if (met.length === 2) break;
  }
  assert.deepEqual(met, [-10, -10]);
  assert.equal((await gradient("a * a", { a: 3 })).gradients["a"], 6);
});

test("a signal aborts a call", async () => {
  const stopped = AbortSignal.abort(new Error("not any more"));
  const { gradient, gradients } = connect(address);
  await assert.rejects(gradient("a", { a: 1 }, { signal: stopped }), /not any more/);
  await assert.rejects(all(gradients([PROGRAM], { signal: stopped })), /not any more/);
  const later = new AbortController();
  const results = gradients(Array(1000).fill(PROGRAM), { signal: later.signal });
  await results.next();
  later.abort(new Error("enough"));
  await assert.rejects(all(results), /enough/);
});

test("a document with a wrong number is a Mismatch", async () => {
  const wrong = { ...introspect("a * b", { a: 2, b: 3 }), result: 7 };
  answer = { status: 200, text: JSON.stringify(wrong) };
  const trusting = await connect(elsewhere).gradient("a * b", { a: 2, b: 3 });
  assert.equal(trusting.result, 7);
  const { gradient, gradients } = connect(elsewhere, { verify: true });
  await assert.rejects(gradient("a * b", { a: 2, b: 3 }), Mismatch);
  answer = { status: 200, text: `${JSON.stringify(wrong)}\n` };
  await assert.rejects(
    all(gradients([{ expression: "a * b", values: { a: 2, b: 3 } }])),
    /^Mismatch: the service's answer to "a \* b" has the digest [0-9a-f]{12}… and not/,
  );
});

test("a reply that is neither an answer nor a problem is an UnreadableReply", async () => {
  const right = JSON.stringify(introspect("a", { a: 1 }));
  for (const [status, text, words] of [
    [502, "<html>Bad Gateway</html>", /status 502, is neither .*: <html>Bad Gateway/],
    [500, '{"message": "no"}', /status 500, is neither .*: {"message":"no"}/],
    [200, "[]", /neither an answer nor a problem/],
    [200, right.slice(0, -1), /neither an answer nor a problem/],
  ] as const) {
    answer = { status, text };
    const reply = connect(elsewhere).gradient("a", { a: 1 });
    await assert.rejects(
      reply,
      (error) => error instanceof UnreadableReply && words.test(error.message),
    );
  }
});

test("a batch with too few or too many results is an UnreadableReply", async () => {
  const right = JSON.stringify(introspect("a", { a: 1 }));
  const two = Array(2).fill({ expression: "a", values: { a: 1 } });
  for (const [text, words] of [
    [`${right}\n`, /1 results for 2 programs/],
    [`${right}\n${right.slice(0, 40)}`, /ended in the middle of a line/],
    [`${right}\n`.repeat(3), /3 results for 2 programs/],
  ] as const) {
    answer = { status: 200, text };
    await assert.rejects(all(connect(elsewhere).gradients(two)), words);
  }
});

test("a chunk of a batch may end in the middle of a character", async (context) => {
  const shown = "`é`, `√` and `😀` are not names"; // characters of two, three and four bytes
  const problem = { type: "/problems/invalid_value", title: "Invalid value", status: 422 };
  const line = JSON.stringify({ ...problem, detail: shown, code: "invalid_value", span: null });
  const pieces = [...new TextEncoder().encode(`${line}\n`)].map((byte) => Uint8Array.of(byte));
  context.mock.method(globalThis, "fetch", async () => new Response(ReadableStream.from(pieces)));
  const [result] = await all(connect(elsewhere).gradients([PROGRAM]));
  assert.ok(result instanceof Problem);
  assert.equal(result.message, shown);
});

test("headers and the path are sent, and Retry-After is read", async () => {
  const body = { type: "/problems/overloaded", title: "Busy", detail: "wait", code: "overloaded" };
  answer = { status: 503, text: JSON.stringify({ ...body, status: 503, span: null }) };
  const client = connect(`${elsewhere}/under/`, { headers: { Authorization: "Bearer x" } });
  await assert.rejects(client.gradient("a", { a: 1 }, { view: "folded" }), { retryAfter: 7 });
  assert.deepEqual([seen.url, seen.authorization], ["/under/v1/gradient", "Bearer x"]);
  assert.deepEqual(JSON.parse(seen.body), { expression: "a", values: { a: 1 }, view: "folded" });
});

test("only a client that verifies answers loads the engine", () => {
  const source = readFileSync(join(ROOT, "engine_ts/src/client/connect.ts"), "utf8");
  assert.match(source, /await import\("\.\/digests\.ts"\)/);
  assert.doesNotMatch(source, /^import (?!type )[^;]*digests/m);
});

// A program's store, with a client whose answers the test gives, and with a mocked clock

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

test("each change is reported at once, and the service is asked after the last one", async (context) => {
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

test("the same text and values change nothing, and no callback runs after leaving", (context) => {
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

test("`answeredBy` is the browser until the service has the same document", async (context) => {
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

test("variables without a value have the value of the option `missing`", () => {
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
