// A worker template in JavaScript without packages: `node worker.mjs`. It reads, checks and answers every
// line of the protocol. Fill in `compute`, `apply` and ARITY, with modules of your own, and claim the
// profiles that you have.
const STARTED = {
  kind: "started", protocol: "1", contract: "2.1.0", profiles: ["core"],
  implementation: { name: "mine", language: "JavaScript", version: "0.1", runtime: process.version },
};
// The commands of `core`; other profiles have more. Limits of other commands change nothing.
const COMMANDS = ["introspect", "canonicalize", "evaluate"];
const LIMITS = {
  characters: 65_536, nodes: 10_000, variables: 1_000, sweep_nodes: 1_000_000, steps: 20_000, path_edges: 20_000,
  truth_work: 1_000_000, evaluations: 1_000_000, descent_nodes: 5_000_000, descent_numbers: 100_000, tangents: 200_000,
};
const ARITY = { __proto__: null, "+": 2 };

/** Thrown instead of a result: `refused` or `skipped` with a reason, or `error` with the contract's error. */
class Fault extends Error {
  constructor(kind, content) {
    super(content.message ?? content);
    this.response = { kind, [kind === "error" ? "error" : "reason"]: content };
  }
}

/** A request, unchecked, and all limits -> the command's result: a document, an outline... */
function compute(command, request, limits) {
  throw new Fault("skipped", `does not have ${command}`);
}

/** Finite doubles -> the operation's result, or null outside of its domain. */
function apply(operation, [x, y]) {
  return x + y;
}

/** The contract's error (R30), to be thrown: its code, `{ start, end }` or null, and the data of that code. */
export function error(code, span, data = {}) {
  return new Fault("error", { code, message: code, span, ...data }); // the message is for people: write a sentence
}

/** The canonical text of R33. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}

function answer(line) {
  let message = null;
  try {
    check((message = read(line)));
    if (message.kind === "start") return STARTED;
    if (message.kind === "stop") return { kind: "stopped" };
    const { sequence, command, request, limits = {} } = message;
    const result = command === "evaluate" ? evaluate(request) : compute(command, request, { ...LIMITS, ...limits });
    return { kind: "result", sequence, result };
  } catch (fault) {
    const sequence = isObject(message) && isWhole(message.sequence) ? message.sequence : null;
    if (fault instanceof Fault) return { ...fault.response, sequence };
    return { kind: "crashed", sequence, message: fault.message, traceback: fault.stack };
  }
}

function read(line) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    let depth = 0;
    for (const [bracket] of text.replace(STRING, "").matchAll(/[[\]{}]/g)) {
      depth += "[{".includes(bracket) ? 1 : -1;
      need(depth <= 100, "the depth");
    }
    return parse(text);
  } catch (fault) {
    throw new Fault("refused", fault.message);
  }
}

const STRING = /("(?:[^"\\]|\\.)*")(\s*:)?/gs;

/** `JSON.parse` with a number for each name: V8 can take an escaped name for another (nodejs/node#63785). */
function parse(text) {
  const names = [];
  const numbered = text.replace(STRING, (all, name, colon) => (colon ? `"~${names.push(JSON.parse(name)) - 1}"${colon}` : all));
  const named = (value) => {
    if (Array.isArray(value)) return value.map(named);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [names[name.slice(1)], named(member)]));
  };
  return named(JSON.parse(numbered));
}

function check(message) {
  need(isObject(message), "the message");
  const { kind, protocol, sequence, command, request, limits = {} } = message;
  need(["start", "run", "stop"].includes(kind), "kind");
  if (kind === "stop") return needMembers(message, ["kind"]);
  if (kind === "start") {
    needMembers(message, ["kind", "protocol"]);
    return need(typeof protocol === "string", "protocol");
  }
  need(isWhole(sequence), "sequence");
  need(typeof command === "string", "command");
  if (!COMMANDS.includes(command)) throw new Fault("skipped", "an unknown command"); // whatever its other members
  const optional = command === "evaluate" ? [] : ["limits"];
  needMembers(message, ["kind", "sequence", "command", "request"], optional);
  need(isObject(request), "request");
  need(isObject(limits) && Object.values(limits).every(isWhole), "limits");
  needMembers(limits, [], Object.keys(LIMITS));
}

function evaluate(request) {
  needMembers(request, ["operation", "operands"]);
  const { operation, operands } = request;
  const isBits = (bits) => typeof bits === "string" && /^[0-9a-f]{16}$/.test(bits);
  need(typeof operation === "string", "operation");
  need(Array.isArray(operands) && operands.every((row) => Array.isArray(row) && row.every(isBits)), "operands");
  if (!(operation in ARITY)) throw new Fault("skipped", "an unknown operation");
  need(operands.every((row) => row.length === ARITY[operation]), "a row");
  return operands.map((row) => {
    const doubles = row.map((bits) => Buffer.from(bits, "hex").readDoubleBE());
    const result = doubles.every(Number.isFinite) ? apply(operation, doubles) : null;
    if (result === null) return null;
    const bits = Buffer.alloc(8);
    bits.writeDoubleBE(result);
    return bits.toString("hex");
  });
}

function needMembers(value, required, optional = []) {
  for (const name of required) need(Object.hasOwn(value, name), name);
  for (const name of Object.keys(value)) need([...required, ...optional].includes(name), name);
}

function need(isRight, what) {
  if (!isRight) throw new Fault("refused", `${what} is missing, unknown or wrong`);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWhole(value) {
  return Number.isSafeInteger(value) && value >= 0;
}

let rest = Buffer.alloc(0);
reading: for await (const chunk of process.stdin) {
  rest = Buffer.concat([rest, chunk]);
  for (let end; (end = rest.indexOf("\n")) >= 0; rest = rest.subarray(end + 1)) {
    const response = answer(rest.subarray(0, end));
    process.stdout.write(`${JSON.stringify(response)}\n`);
    if (response.kind === "stopped") break reading;
  }
}
