/** The worker: newline-delimited JSON on stdin and stdout (`protocol.schema.json`). */

import { canonicalText, digest } from "./canonical.ts";
import { CONTRACT } from "./document.ts";
import { GradientError } from "./errors.ts";
import { introspect } from "./introspect.ts";
import { operationOf } from "./operations.ts";
import { OutsideDomain } from "./rows.ts";

const PROTOCOL = "1";
const COMMANDS = ["introspect", "canonicalize", "evaluate"];

// eslint-style `any` stays at the border: a message is checked by what the engine makes of it.
type Json = any;

/** Answer one line at a time until `stop` or the end of the input. */
async function main(): Promise<void> {
  let rest = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      if (write(await answer(line)) === "stopped") return;
    }
  }
  if (rest !== "") write(await answer(rest));
}

function write(reply: Json): string {
  process.stdout.write(JSON.stringify(reply) + "\n");
  return reply.kind;
}

/** Answer one message; what the engine did not foresee is `crashed`. */
async function answer(line: string): Promise<Json> {
  let sequence: number | null = null;
  try {
    const message: Json = JSON.parse(line);
    if (message.kind === "start") return started();
    if (message.kind === "stop") return { kind: "stopped" };
    sequence = message.sequence ?? null;
    if (typeof message.command === "string" && !COMMANDS.includes(message.command)) {
      const reason = `does not have the command ${JSON.stringify(message.command)}`;
      return { kind: "skipped", sequence, reason };
    }
    return { kind: "result", sequence, result: await run(message) };
  } catch (error) {
    if (error instanceof GradientError) return { kind: "error", sequence, error };
    const traceback = error instanceof Error ? (error.stack ?? "") : "";
    return { kind: "crashed", sequence, message: String(error), traceback };
  }
}

function started(): Json {
  const implementation = {
    name: "engine_ts",
    language: "TypeScript",
    version: CONTRACT,
    runtime: `Node ${process.version}`,
  };
  return { kind: "started", protocol: PROTOCOL, contract: CONTRACT, implementation };
}

async function run({ command, request, limits }: Json): Promise<Json> {
  if (command === "evaluate") return evaluate(request.operation, request.operands);
  const { expression, values, ...options } = request;
  const document = introspect(expression, values, { ...options, limits });
  if (command !== "canonicalize") return document;
  return { text: canonicalText(document), digest: await digest(document) };
}

/** Apply one operation to rows of operands given as bits; null outside its domain. */
function evaluate(symbol: string, rows: string[][]): (string | null)[] {
  const { rule } = operationOf(symbol);
  const bits = new DataView(new ArrayBuffer(8));
  return rows.map((row) => {
    const operands = row.map((hex) => {
      bits.setBigUint64(0, BigInt("0x" + hex));
      return bits.getFloat64(0);
    });
    try {
      bits.setFloat64(0, rule(...operands)[0]);
      return bits.getBigUint64(0).toString(16).padStart(16, "0");
    } catch (reason) {
      if (reason instanceof OutsideDomain) return null;
      throw reason;
    }
  });
}

await main();
