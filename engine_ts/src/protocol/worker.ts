/** The worker: newline-delimited JSON on stdin and stdout (`protocol.schema.json`). */

import { accuracyOfText } from "../accuracy/answer.ts";
import { canonicalText, digest } from "../canonical.ts";
import { CONTRACT } from "../document.ts";
import { GradientError } from "../errors.ts";
import { introspect, outline } from "../introspect.ts";
import { LAB } from "../lab/commands.ts";
import { OPERATIONS, OutsideDomain } from "../operations.ts";
import type { Operation } from "../operations.ts";
import { draw } from "../picture/draw.ts";
import { layOut } from "../picture/layout.ts";
import { quoted } from "../request.ts";
import { sweep } from "../sweeps/sweep.ts";
import { introspectValue } from "../value.ts";
import { readLine, Refused } from "./line.ts";
import { checkMessage, COMMANDS, sequenceOf } from "./message.ts";
import type { Message } from "./message.ts";
import { valueOf } from "./values.ts";

const PROTOCOL = "1";
/** What this engine claims of the contract: all of it. */
const PROFILES = [
  ...["core", "values", "functions", "picture", "outline", "sweep"],
  ...["experiment", "paths", "accuracy", "descent", "hessian"],
];
const NEWLINE = 0x0a;

interface Response {
  readonly kind: string;
  readonly [member: string]: unknown;
}

/** Answer one line at a time until `stop` or the end of the input. */
async function main(): Promise<void> {
  for await (const line of lines()) {
    const response = await answer(line);
    process.stdout.write(JSON.stringify(response) + "\n");
    if (response.kind === "stopped") return;
  }
}

/** Cut stdin at its newlines; what follows the last is a line, too, unless it is empty. */
async function* lines(): AsyncGenerator<Uint8Array> {
  let pieces: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]);
      [pieces, start] = [[], end + 1];
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
}

/** Answer one line; an exception that is no error of the contract gives `crashed`. */
async function answer(line: Uint8Array): Promise<Response> {
  let value: unknown = null;
  try {
    value = readLine(line);
    return await answerMessage(checkMessage(value));
  } catch (error) {
    const sequence = sequenceOf(value);
    if (error instanceof Refused) return { kind: "refused", sequence, reason: error.message };
    if (error instanceof GradientError) return { kind: "error", sequence, error };
    const traceback = error instanceof Error ? (error.stack ?? "") : "";
    return { kind: "crashed", sequence, message: String(error), traceback };
  }
}

async function answerMessage(message: Message): Promise<Response> {
  if (message.kind === "start") return started();
  if (message.kind === "stop") return { kind: "stopped" };
  const { sequence, command, request } = message;
  if (!COMMANDS.includes(command)) {
    return skipped(sequence, `does not have the command ${quoted(command)}`);
  }
  if (command !== "evaluate") {
    return { kind: "result", sequence, result: await introspected(message) };
  }
  const operation = OPERATIONS.get(request.operation);
  if (operation === undefined) {
    return skipped(sequence, `does not have the operation ${quoted(request.operation)}`);
  }
  return { kind: "result", sequence, result: evaluate(operation, request.operands) };
}

function started(): Response {
  const implementation = {
    name: "engine_ts",
    language: "TypeScript",
    version: CONTRACT,
    runtime: `Node ${process.version}`,
  };
  return {
    kind: "started",
    protocol: PROTOCOL,
    contract: CONTRACT,
    profiles: PROFILES,
    implementation,
  };
}

function skipped(sequence: number | null, reason: string): Response {
  return { kind: "skipped", sequence, reason };
}

function introspected({ command, request, limits }: Message): unknown {
  if (command === "introspect_value")
    return introspectValue(valueOf(request), { ...request, limits });
  const { expression, values, ...options } = request;
  if (command === "parse") return outline(expression, { ...options, limits });
  if (command === "sweep") return sweep(expression, values, { ...options, limits });
  if (command === "accuracy") return accuracyOfText(expression, values, { ...options, limits });
  const document = introspect(expression, values, { ...options, limits });
  const work = LAB.get(command);
  if (work !== undefined) return work(document, options, limits);
  if (command === "picture") return { svg: draw(document), layout: layOut(document) };
  if (command !== "canonicalize") return document;
  return { text: canonicalText(document), digest: digest(document) };
}

/** Apply one operation to rows of operands given as bits; null outside its domain. */
function evaluate(operation: Operation, rows: readonly string[][]): (string | null)[] {
  const { symbol, arity } = operation;
  for (const row of rows) {
    if (row.length !== arity) {
      throw new Refused(`the rows of \`${symbol}\` have a length of ${arity}, not ${row.length}`);
    }
  }
  const bits = new DataView(new ArrayBuffer(8));
  return rows.map((row) => {
    const operands = row.map((hex) => {
      bits.setBigUint64(0, BigInt("0x" + hex));
      return bits.getFloat64(0);
    });
    const out = apply(operation, operands);
    if (out === null) return null;
    bits.setFloat64(0, out);
    return bits.getBigUint64(0).toString(16).padStart(16, "0");
  });
}

function apply(operation: Operation, operands: readonly number[]): number | null {
  // An operation's domain is among the finite doubles.
  if (!operands.every(Number.isFinite)) return null;
  try {
    return operation.rule(...operands)[0];
  } catch (reason) {
    if (reason instanceof OutsideDomain) return null;
    throw reason;
  }
}

await main();
