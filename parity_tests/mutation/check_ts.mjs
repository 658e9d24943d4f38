// The kill check of a TypeScript mutant: the lines of calls.json, to its worker; exits with 1 at a wrong response.
// Copied beside the mutated engine. What is said to people is not compared.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const MINUS_ZERO = "8" + "0".repeat(15);

const entries = readFileSync("calls.json", "utf8").trimEnd().split("\n").map(JSON.parse);
const worker = spawn(process.execPath, ["engine_ts/src/protocol/worker.ts"], { stdio: ["pipe", "pipe", "ignore"] });
worker.stdin.on("error", () => {}); // it may end before it has read all
worker.stdin.end(Buffer.concat(entries.flatMap(({ hex }) => [Buffer.from(hex, "hex"), Buffer.from("\n")])));

let answered = 0;
for await (const line of createInterface({ input: worker.stdout })) {
  const entry = entries[answered++];
  const [right, given] = entry.zero_is_free
    ? [zerosFreed(entry.right), zerosFreed(JSON.parse(line))]
    : [entry.right, withoutProse(JSON.parse(line), entry.prose ?? {})];
  if (!same(right, given, entry.partial === true)) end(`not as expected: ${entry.name}`);
}
if (answered < entries.length) end(`no response: ${entries[answered].name}`);

function end(reason) {
  console.error(reason);
  worker.kill("SIGKILL");
  process.exit(1);
}

/** Leave out what is said to people, as `parity_tests.kit.prose` does. */
function withoutProse(value, places) {
  if (Array.isArray(value)) return value.map((item) => withoutProse(item, places["*"] ?? {}));
  if (typeof value !== "object" || value === null) return value;
  const within = (name) => (Object.hasOwn(places, name) ? places[name] : (places["*"] ?? {}));
  const kept = Object.entries(value).filter(([name]) => within(name) !== true);
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutProse(each, within(name))]));
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
