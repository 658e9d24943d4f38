/** The worker: newline-delimited JSON on stdin and stdout (`protocol.schema.json`). */

import { accuracyOfText } from "../accuracy/accuracy.ts";
import { canonicalText, digest } from "../canonical.ts";
import { CONTRACT } from "../document.ts";
import { GradientError } from "../errors.ts";
import { introspect, outline } from "../introspect.ts";
import { refuse } from "../lab/checks.ts";
import { LAB } from "../lab/commands.ts";
import { rewrite } from "../language/rewrite.ts";
import { CUSTOM, NO_GRADIENT, OPERATIONS, OutsideDomain } from "../operations.ts";
import type { Operation } from "../operations.ts";
import { draw } from "../picture/draw.ts";
import { layOut } from "../picture/layout.ts";
import { isDouble, quoted } from "../request.ts";
import { sweep } from "../sweeps/program.ts";
import { introspectValue } from "../subject.ts";
import { Value } from "../value.ts";
import { checkMessage, COMMANDS, readLine, Refused, sequenceOf } from "./message.ts";
import type { Message } from "./message.ts";

const PROTOCOL = "1";
/** The parts of the contract that this engine implements: all. */
const PROFILES = [
  ...["core", "values", "functions", "picture", "outline", "rewrite", "sweep", "accuracy"],
  ...[...LAB.values()].map(({ result }) => result),
];
const NEWLINE = 0x0a;

/** JSON that was read and must be checked before it is used. */
type Json = any;

interface Response {
  readonly kind: string;
  readonly [member: string]: unknown;
}

/** Answer one line at a time until `stop` or the end of the input. */
async function main(): Promise<void> {
  for await (const line of lines()) {
    const response = answer(line);
    process.stdout.write(JSON.stringify(response) + "\n");
    if (response.kind === "stopped") return;
  }
}

/** Split stdin at its newlines; the rest after the last one is a line, too, unless it is empty. */
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

/** Answer one line; an exception that is not in the contract gives `crashed`. */
function answer(line: Uint8Array): Response {
  let value: unknown = null;
  try {
    value = readLine(line);
    return respond(checkMessage(value));
  } catch (error) {
    const sequence = sequenceOf(value);
    if (error instanceof Refused) return { kind: "refused", sequence, reason: error.message };
    if (error instanceof GradientError) return { kind: "error", sequence, error };
    const traceback = error instanceof Error ? (error.stack ?? "") : "";
    return { kind: "crashed", sequence, message: String(error), traceback };
  }
}

function respond(message: Message): Response {
  if (message.kind === "start") return started();
  if (message.kind === "stop") return { kind: "stopped" };
  const { sequence, command, request } = message;
  if (!COMMANDS.includes(command)) {
    return skipped(sequence, `does not have the command ${quoted(command)}`);
  }
  if (command !== "evaluate") {
    return { kind: "result", sequence, result: run(message) };
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

function run({ command, request, limits }: Message): unknown {
  if (command === "introspect_value")
    return introspectValue(valueOf(request), { ...request, limits });
  const { expression, values, ...options } = request;
  if (command === "rewrite") return rewrite(expression, request.names ?? null, limits);
  if (command === "parse") return outline(expression, { ...options, limits });
  if (command === "sweep") return sweep(expression, values, { ...options, limits });
  if (command === "accuracy") return accuracyOfText(expression, values, { ...options, limits });
  const document = introspect(expression, values, { ...options, limits });
  const ofLab = LAB.get(command);
  if (ofLab !== undefined) return ofLab.run(document, undefined, { ...options, limits });
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

// A request of `introspect_value` -> the Value that it describes

/**
 * Make the nodes one after the other, then assign data; return the last node (CONTRACT.md R29).
 *
 * @throws {GradientError} a member is wrong, or a Value cannot be made
 */
function valueOf({ nodes, assign = [] }: Json): Value {
  if (!Array.isArray(nodes) || nodes.length === 0) {
    refuse("nodes", "an array of one node or more", nodes);
  }
  const values: Value[] = [];
  for (const [place, node] of nodes.entries())
    values.push(makeValue(`nodes/${place}`, node, values));
  if (!Array.isArray(assign)) refuse("assign", "an array of objects", assign);
  for (const [place, each] of assign.entries()) {
    const member = `assign/${place}`;
    if (!isObject(each)) refuse(member, "an object", each);
    checkPlace(`${member}/node`, each.node, values)._data = each.data;
  }
  return values.at(-1)!;
}

/** Make a leaf, an operation of the table or a custom one. */
function makeValue(member: string, node: Json, values: readonly Value[]): Value {
  if (!isObject(node)) refuse(member, "an object", node);
  const { label = "", operation: symbol = null, data } = node;
  if (typeof label !== "string") refuse(`${member}/label`, "a text", label);
  if (symbol === null) return new Value(data, label);
  if (symbol === CUSTOM) return makeCustom(member, node, values, label);
  const row = OPERATIONS.get(symbol);
  if (row === undefined) {
    refuse(`${member}/operation`, "a symbol of the table, or custom", symbol);
  }
  const isPower = symbol === NO_GRADIENT.symbol;
  const count = row.arity - Number(isPower);
  const [x, ...others] = checkOperands(member, node.operands, values, count, count);
  // A method has the name of its row.
  const value: Value = (x as Json)[row.name](...(isPower ? [node.exponent] : others));
  value.label = label;
  return value;
}

function makeCustom(member: string, node: Json, values: readonly Value[], label: string): Value {
  const operands = checkOperands(member, node.operands, values, 1, 2);
  const { name = CUSTOM, local_grads: localGrads } = node;
  if (typeof name !== "string" || name === "" || OPERATIONS.has(name)) {
    refuse(`${member}/name`, "a name that no operation of the table has", name);
  }
  if (!Array.isArray(localGrads) || localGrads.length !== operands.length) {
    refuse(`${member}/local_grads`, "an array with a number for each operand", localGrads);
  }
  return new Value(node.data, operands, localGrads, name, label);
}

/** Return the Values at the given places; refuse a place of no earlier node. */
function checkOperands(
  member: string,
  operands: Json,
  values: readonly Value[],
  least: number,
  most: number,
): Value[] {
  if (!Array.isArray(operands) || operands.length < least || operands.length > most) {
    const count = least === most ? `${least}` : `${least} or ${most}`;
    refuse(`${member}/operands`, `an array of ${count} earlier nodes`, operands);
  }
  return operands.map((operand, slot) => checkPlace(`${member}/operands/${slot}`, operand, values));
}

function checkPlace(member: string, place: Json, values: readonly Value[]): Value {
  const value = isDouble(place) ? values[place] : undefined;
  return value ?? refuse(member, "the place of an earlier node, counted from 0", place);
}

function isObject(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

await main();
