// The kill check of a TypeScript mutant: the lines of calls.json, to its worker; exits with 1 at a wrong response.
// Copied beside the mutated engine. Prose is not contract, so an error's message does not count.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const MINUS_ZERO = "8" + "0".repeat(15);

const entries = readFileSync("calls.json", "utf8").trimEnd().split("\n").map(JSON.parse);
const worker = spawn(process.execPath, ["engine_ts/src/worker.ts"], { stdio: ["pipe", "pipe", "ignore"] });
worker.stdin.on("error", () => {}); // it may end before it has read all
worker.stdin.end(Buffer.concat(entries.flatMap(({ hex }) => [Buffer.from(hex, "hex"), Buffer.from("\n")])));

let answered = 0;
for await (const line of createInterface({ input: worker.stdout })) {
  const entry = entries[answered++];
  const [right, given] = entry.zero_is_free
    ? [zerosFreed(entry.right), zerosFreed(JSON.parse(line))]
    : [entry.right, withoutProse(JSON.parse(line))];
  if (!same(right, given, entry.partial === true)) end(`not as expected: ${entry.name}`);
}
if (answered < entries.length) end(`no response: ${entries[answered].name}`);

function end(reason) {
  console.error(reason);
  worker.kill("SIGKILL");
  process.exit(1);
}

/** Leave out what is said to people: it is not compared. */
function withoutProse(response) {
  for (const { error } of [response, ...(response.result?.problems ?? [])]) delete error?.message;
  return response;
}

/** Write -0 as 0 where its sign is free, as the exactness check does. */
function zerosFreed(response) {
  const bits = response.result?.map((each) => (each === MINUS_ZERO ? "0".repeat(16) : each));
  return { ...response, result: bits };
}

/** Equal to the bit; with `partial`, what is given may have more members. */
function same(right, given, partial) {
  if (typeof right !== "object" || right === null || typeof given !== "object" || given === null) {
    return Object.is(right, given);
  }
  const keys = Object.keys(right);
  return (
    Array.isArray(right) === Array.isArray(given) &&
    (partial || keys.length === Object.keys(given).length) &&
    keys.every((key) => Object.hasOwn(given, key) && same(right[key], given[key], partial))
  );
}
