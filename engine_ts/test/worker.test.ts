/** The worker answers lines of the protocol, one at a time, in UTF-8 under any locale. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { casesOf } from "./helpers.ts";
import type { Json } from "./helpers.ts";

const WORKER = join(import.meta.dirname, "../src/protocol/worker.ts");

const PATIENCE = { timeout: 30_000 };

const START = { kind: "start", protocol: "1" };
const STOP = { kind: "stop" };
const REQUEST = { expression: "(a + b) * c", values: { a: 2, b: -3, c: 10 } };
const RUN = { kind: "run", sequence: 7, command: "introspect", request: REQUEST };

/** Send the worker its whole input at once; it must exit with 0 and write nothing to stderr. */
function run(input: string | Uint8Array, environment: Record<string, string> = {}): Json[] {
  const env = { ...process.env, ...environment };
  const ended = spawnSync(process.execPath, [WORKER], { input, env, ...PATIENCE });
  assert.deepEqual([ended.status, ended.stderr.toString()], [0, ""]);
  const lines = ended.stdout.toString().split("\n");
  assert.equal(lines.pop(), "");
  return lines.map((line) => JSON.parse(line));
}

function exchange(...messages: Json[]): Json[] {
  return run(messages.map((message) => JSON.stringify(message) + "\n").join(""));
}

/** A running worker, which is killed at the end of its test. */
class Session {
  readonly worker = spawn(process.execPath, [WORKER], { stdio: ["pipe", "pipe", "inherit"] });
  readonly #ended = once(this.worker, "exit");
  readonly #responses = createInterface({ input: this.worker.stdout })[Symbol.asyncIterator]();

  constructor(context: TestContext) {
    context.after(() => this.worker.kill());
  }

  async read(): Promise<Json> {
    const { value } = await this.#responses.next();
    return JSON.parse(value ?? "null");
  }

  async exitsWith0(): Promise<void> {
    assert.deepEqual(await this.#ended, [0, null]);
  }
}

test("a worker exits at stop or at the end of its input", () => {
  assert.deepEqual(exchange(STOP, RUN, STOP), [{ kind: "stopped" }]);
  assert.deepEqual(run(""), []);
  const kinds = exchange(START, RUN).map((response) => response.kind);
  assert.deepEqual(kinds, ["started", "result"]);
  assert.deepEqual(run(JSON.stringify(STOP)), [{ kind: "stopped" }]); // without a line break
});

test("a crash of the engine is reported with its traceback", () => {
  const broken = `Array.prototype.toReversed = () => { throw new TypeError("out of ideas"); };`;
  const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(broken)}"`;
  const [crashed] = run(JSON.stringify(RUN), { NODE_OPTIONS });
  assert.deepEqual([crashed.kind, crashed.sequence], ["crashed", 7]);
  assert.equal(crashed.message, "TypeError: out of ideas");
  assert.match(crashed.traceback, /\n +at /);
});

test("input and output are UTF-8 under any locale", () => {
  const texts = { "a + é": "U+00E9", "a + 😀": "U+1F600" };
  for (const locale of [{ LC_ALL: "C" }, { LC_ALL: "en_US.ISO-8859-1" }]) {
    const messages = Object.keys(texts).map((expression) => {
      return JSON.stringify({ ...RUN, request: { expression, values: {} } });
    });
    const responses = run(messages.join("\n") + "\n", locale);
    for (const [index, character] of Object.values(texts).entries()) {
      assert.deepEqual(responses[index].error.span, { start: 4, end: 5 });
      assert.ok(responses[index].error.message.includes(character));
    }
  }
});

test("a character may arrive in two chunks", PATIENCE, async (context) => {
  const session = new Session(context);
  const line = Buffer.from(JSON.stringify({ ...RUN, request: { expression: "é", values: {} } }));
  const middle = line.indexOf(0xa9); // the second byte of é
  session.worker.stdin.write(JSON.stringify(START) + "\n");
  session.worker.stdin.write(line.subarray(0, middle));
  assert.equal((await session.read()).kind, "started");
  session.worker.stdin.end(Buffer.concat([line.subarray(middle), Buffer.from("\n")]));
  const { error } = await session.read();
  assert.ok(error.message.includes("U+00E9"));
  await session.exitsWith0();
});

test("a refusal names the invalid member and what it must be", () => {
  const evaluation = { operation: "exp", operands: [["3ff0000000000000"]] };
  const rows: [Json, string][] = casesOf("message", "refused").flatMap((each) => each.rows);
  const messages = rows.map(([wrong]) => {
    if (wrong?.run !== undefined) return { ...RUN, ...wrong.run };
    if (wrong?.evaluate === undefined) return wrong;
    return { ...RUN, command: "evaluate", request: { ...evaluation, ...wrong.evaluate } };
  });
  for (const [index, { kind, reason }] of exchange(...messages).entries()) {
    assert.equal(kind, "refused");
    assert.ok(reason.includes(rows[index]![1]), reason);
  }
});
