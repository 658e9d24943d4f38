// The kill check of a TypeScript mutant: the calls of calls.json, in this process; exits with 1 at a wrong result.
// Copied beside the mutated engine. Prose is not contract, so an error's message does not count.

import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { canonicalText, digest } from "./engine_ts/src/canonical.ts";
import { GradientError } from "./engine_ts/src/errors.ts";
import { introspect, outline } from "./engine_ts/src/introspect.ts";
import { LAB } from "./engine_ts/src/lab/table.ts";
import { operationOf } from "./engine_ts/src/operations.ts";
import { draw } from "./engine_ts/src/picture/draw.ts";
import { layOut } from "./engine_ts/src/picture/layout.ts";
import { OutsideDomain } from "./engine_ts/src/rows.ts";
import { sweep } from "./engine_ts/src/sweep.ts";

// A mutant may loop for ever. Sound, all of this takes less than a second.
const SECONDS = 10;
const watch = `setTimeout(() => process.kill(process.pid, "SIGKILL"), ${1000 * SECONDS})`;
new Worker(watch, { eval: true }).unref();

const bits = new DataView(new ArrayBuffer(8));

function answer({ command, request, limits }) {
  try {
    if (command === "evaluate") return { document: evaluate(request) };
    const { expression, values, ...options } = request;
    if (command === "parse") return { document: outline(expression, { ...options, limits }) };
    if (command === "sweep") return { document: sweep(expression, values, { ...options, limits }) };
    const document = introspect(expression, values, { ...options, limits });
    const work = LAB.get(command);
    if (work !== undefined) return { document: work(document, options) };
    if (command === "introspect") return { document };
    if (command === "picture") return { document: { svg: draw(document), layout: layOut(document) } };
    return { document: { text: canonicalText(document), digest: digest(document) } };
  } catch (error) {
    if (!(error instanceof GradientError)) return { crashed: null };
    const { message, ...compared } = JSON.parse(JSON.stringify(error));
    return { error: compared };
  }
}

function evaluate({ operation, operands }) {
  const { rule } = operationOf(operation);
  return operands.map((row) => {
    try {
      return toHex(rule(...row.map(fromHex))[0], operation);
    } catch (reason) {
      if (reason instanceof OutsideDomain) return null;
      throw reason;
    }
  });
}

function fromHex(hex) {
  bits.setBigUint64(0, BigInt("0x" + hex));
  return bits.getFloat64(0);
}

function toHex(number, operation) {
  // Where a result is no single product or sum, the sign of a zero is free, as in the exactness check.
  bits.setFloat64(0, "+-*/".includes(operation) ? number : number + 0);
  return bits.getBigUint64(0).toString(16).padStart(16, "0");
}

function same(one, other) {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) {
    return Object.is(one, other);
  }
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
  );
}

for (const line of readFileSync("calls.json", "utf8").trimEnd().split("\n")) {
  const { name, call, right } = JSON.parse(line);
  if (!same(right, JSON.parse(JSON.stringify(answer(JSON.parse(call)))))) {
    console.error(`not as expected: ${name}`);
    process.exit(1);
  }
}
