/**
 * A client of a service: typed answers, which it verifies if `verify` is set.
 *
 *     import { connect } from "@gradient-service/engine/client";
 *
 *     const { gradients } = await connect("http://127.0.0.1:8000").gradient("a * b", { a: 2, b: 3 });
 *
 * @module @gradient-service/engine/client
 */

import type { Accuracy, AccuracyOptions } from "../accuracy/accuracy.ts";
import type { GradientDocument, Outline } from "../document.ts";
import type { Span } from "../errors.ts";
import type { Descent, DescentOptions } from "../lab/descent.ts";
import type { Experiment, ExperimentOptions } from "../lab/experiment.ts";
import type { Hessian, HessianOptions } from "../lab/hessian.ts";
import type { Paths, PathsOptions } from "../lab/paths.ts";
import type { View } from "../request.ts";
import type { Rewritten } from "../language/rewrite.ts";
import type { Ranges, Sweep } from "../sweeps/program.ts";
import type { Route } from "./digests.ts";
import type { ProblemBody, ProblemCode } from "./problems.ts";

export type {
  Accuracy,
  Descent,
  GradientDocument,
  Experiment,
  Hessian,
  Outline,
  Paths,
  Ranges,
  Sweep,
};
export type { ProblemBody, ProblemCode } from "./problems.ts";

// The interface of a client

// Any platform's AbortSignal has this shape.
interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
}

/** One program of a batch. */
export interface BatchProgram {
  /** Returned with the answer. */
  readonly id?: string | number;
  readonly expression: string;
  readonly values: Readonly<Record<string, number>>;
  readonly parameters?: readonly string[];
  readonly view?: View;
}

/** Settings of all calls of a client. */
export interface Settings {
  /** Additional headers, such as an authorization that a gateway needs. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Compute each answer locally as well, and compare the digests. */
  readonly verify?: boolean;
}

/** Options of any call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: Signal;
}

/** Options of a call with one program. */
export type ProgramOptions = Pick<BatchProgram, "parameters" | "view"> & CallOptions;

/** The members to return; all if it is missing. */
export interface Fields<Member> {
  readonly fields?: readonly Member[];
}

/** A service at one address. Its methods need no `this`. */
export interface Client {
  /**
   * Differentiate one program.
   *
   * @throws {Problem} the service refuses the request
   * @throws {Mismatch} `verify` is set and the answer differs from the one computed locally
   * @throws {UnreadableReply} the reply is neither an answer nor a problem
   */
  readonly gradient: <M extends keyof GradientDocument = keyof GradientDocument>(
    expression: string,
    values: BatchProgram["values"],
    options?: ProgramOptions & Fields<M>,
  ) => Promise<Pick<GradientDocument, M>>;
  /**
   * Differentiate many programs: yield a document or a problem for each, in order.
   *
   * Results arrive as the service computes them; leaving the loop cancels the reply.
   *
   * @throws as `gradient`; a Problem only if it is about the batch as a whole
   */
  readonly gradients: <M extends keyof GradientDocument = keyof GradientDocument>(
    programs: Iterable<BatchProgram>,
    options?: CallOptions & Fields<M>,
  ) => AsyncGenerator<(Pick<GradientDocument, M> & Pick<BatchProgram, "id">) | Problem, void, void>;
  /** Parse a program without values. Throws as `gradient`. */
  readonly parse: <M extends keyof Outline = keyof Outline>(
    expression: string,
    options?: ProgramOptions & Fields<M>,
  ) => Promise<Pick<Outline, M>>;
  /** Find the program that a text means, as people write it. Throws as `gradient`. */
  readonly rewrite: <M extends keyof Rewritten = keyof Rewritten>(
    expression: string,
    options?: { readonly names?: readonly string[] } & CallOptions & Fields<M>,
  ) => Promise<Pick<Rewritten, M>>;
  /** Differentiate one program at many points, in columns. Throws as `gradient`. */
  readonly sweep: <M extends keyof Sweep = keyof Sweep>(
    expression: string,
    values: Ranges,
    options?: Pick<BatchProgram, "view"> & CallOptions & Fields<M>,
  ) => Promise<Pick<Sweep, M>>;
  /** Compare every number of the document with its exact value. Throws as `gradient`. */
  readonly accuracy: <M extends keyof Accuracy = keyof Accuracy>(
    expression: string,
    values: BatchProgram["values"],
    options?: ProgramOptions & AccuracyOptions & Fields<M>,
  ) => Promise<Pick<Accuracy, M>>;
  /** Run the backward pass under changed conditions. Throws as `gradient`. */
  readonly experiment: <M extends keyof Experiment = keyof Experiment>(
    expression: string,
    values: BatchProgram["values"],
    options?: ProgramOptions & ExperimentOptions & Fields<M>,
  ) => Promise<Pick<Experiment, M>>;
  /** Split the gradient of a node, given by id or label, into paths. Throws as `gradient`. */
  readonly paths: <M extends keyof Paths = keyof Paths>(
    expression: string,
    values: BatchProgram["values"],
    options: ProgramOptions & PathsOptions & Fields<M>,
  ) => Promise<Pick<Paths, M>>;
  /** Run gradient descent on the parameters. Throws as `gradient`. */
  readonly descend: <M extends keyof Descent = keyof Descent>(
    expression: string,
    values: BatchProgram["values"],
    options?: ProgramOptions & DescentOptions & Fields<M>,
  ) => Promise<Pick<Descent, M>>;
  /** Compute second derivatives. Throws as `gradient`. */
  readonly hessian: <M extends keyof Hessian = keyof Hessian>(
    expression: string,
    values: BatchProgram["values"],
    options?: ProgramOptions & HessianOptions & Fields<M>,
  ) => Promise<Pick<Hessian, M>>;
}

/** Make a client of the service at `address`: `http://127.0.0.1:8000`, or `/` for the page's own. */
export function connect(address: string, settings: Settings = {}): Client {
  const root = address.replace(/\/+$/, "");
  const answerTo = settings.verify ? verified : checked;

  async function post(path: string, body: unknown, accept: string, signal?: Signal) {
    const own = { "Content-Type": "application/json", Accept: accept };
    const reply = await fetch(root + path, {
      method: "POST",
      headers: { ...settings.headers, ...own },
      body: JSON.stringify(body),
      signal: signal ?? null,
    });
    await refuseProblem(reply);
    return reply;
  }

  async function answered(
    route: Route,
    members: object,
    { signal, fields, ...options }: CallOptions & Fields<string>,
  ): Promise<any> {
    const body = { ...options, ...members };
    const path = `/v1/${route}${query(fields)}`;
    const reply = await post(path, body, "application/json", signal);
    const answer = await answerTo(route, body, await readJson(reply), fields);
    if (answer instanceof Problem) throw answer;
    return answer;
  }

  return {
    gradient: (expression, values, options = {}) =>
      answered("gradient", { expression, values }, options),
    gradients: async function* (programs, { signal, fields } = {}) {
      const waiting = [...programs];
      const body = { requests: waiting };
      const path = `/v1/gradients${query(fields)}`;
      const reply = await post(path, body, "application/x-ndjson", signal);
      let answered = 0;
      for await (const value of readLines(reply)) {
        const program = waiting[answered++];
        if (program !== undefined) yield answerTo("gradient", program, value, fields);
      }
      if (answered === waiting.length) return;
      throw new UnreadableReply(`the reply has ${answered} results for ${waiting.length} programs`);
    },
    parse: (expression, options = {}) => answered("parse", { expression }, options),
    rewrite: (expression, options = {}) => answered("rewrite", { expression }, options),
    sweep: (expression, values, options = {}) => answered("sweep", { expression, values }, options),
    accuracy: (expression, values, options = {}) =>
      answered("accuracy", { expression, values }, options),
    experiment: (expression, values, options = {}) =>
      answered("experiment", { expression, values }, options),
    paths: (expression, values, options) => answered("paths", { expression, values }, options),
    descend: (expression, values, options = {}) =>
      answered("descend", { expression, values }, options),
    hessian: (expression, values, options = {}) =>
      answered("hessian", { expression, values }, options),
  };
}

function query(fields?: readonly string[]): string {
  return fields === undefined ? "" : `?fields=${fields.map(encodeURIComponent).join(",")}`;
}

// Errors

/** The service refused a request or could not answer it. The message is the problem's detail. */
export class Problem extends Error {
  override readonly name = "Problem";
  /** A code of the contract, or one for the HTTP status, such as `domain_error` or `overloaded`. */
  readonly code: ProblemCode;
  /** The HTTP status; in a batch, the one that the request would have had alone. */
  readonly status: number;
  /** The invalid part of the expression, in code points, or null. */
  readonly span: Span | null;
  /** The `id` of the request in its batch. */
  readonly id: BatchProgram["id"];
  /** All members, as the service wrote them; which ones there are depends on `code`. */
  readonly body: ProblemBody;
  /** Seconds to wait before the next attempt, or null if the reply does not say. */
  readonly retryAfter: number | null;

  constructor(body: ProblemBody, retryAfter: number | null = null) {
    super(body.detail);
    this.code = body.code;
    this.status = body.status;
    this.span = body.span;
    this.id = body.id;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/**
 * A reply that is neither an answer nor a problem: from another server, or truncated.
 * @hideconstructor
 */
export class UnreadableReply extends Error {
  override readonly name = "UnreadableReply";
}

/** The service's answer differs from the one computed locally. */
export class Mismatch extends Error {
  override readonly name = "Mismatch";
  /** The digest of the service's answer. */
  readonly theirs: string;
  /** The digest of the answer computed locally. */
  readonly ours: string;

  constructor(expression: string, theirs: string, ours: string) {
    const shown = `${theirs.slice(0, 12)}… and not ${ours.slice(0, 12)}…`;
    super(`the service's answer to ${JSON.stringify(expression)} has the digest ${shown}`);
    this.theirs = theirs;
    this.ours = ours;
  }
}

function isProblem(value: unknown): value is ProblemBody {
  if (typeof value !== "object" || value === null) return false;
  const { code, status, detail } = value as Readonly<Record<string, unknown>>;
  return typeof code === "string" && typeof status === "number" && typeof detail === "string";
}

// Each reply is checked: is it an answer, a problem, or neither? With `verify`, is the answer right?

/** For each route, a member that identifies its answers. */
const MEMBERS: Readonly<Record<Route, string>> = {
  gradient: "nodes",
  parse: "variables",
  rewrite: "refused",
  sweep: "axes",
  accuracy: "counts_as_zero",
  experiment: "walks",
  paths: "paths",
  descend: "trajectory",
  hessian: "hessian",
};

/** Return the value as an answer or a problem. */
async function checked(
  route: Route,
  _body: object,
  value: unknown,
  fields: readonly string[] = [MEMBERS[route]],
): Promise<any> {
  if (isProblem(value)) return new Problem(value);
  const isObject = typeof value === "object" && value !== null;
  if (isObject && fields.every((name) => name in value)) return value;
  throw new UnreadableReply("the reply holds something that is neither an answer nor a problem");
}

/** As `checked`; throws a Mismatch if the answer differs from the one computed locally. */
async function verified(
  route: Route,
  body: object,
  value: unknown,
  fields?: readonly string[],
): Promise<any> {
  const answer = await checked(route, body, value, fields);
  if (answer instanceof Problem) return answer;
  const { digests } = await import("./digests.ts");
  const [theirs, ours] = digests(answer, route, body, fields);
  if (theirs === ours) return answer;
  throw new Mismatch((body as { expression: string }).expression, theirs, ours);
}

// The body of a reply is one JSON value, or one value per line.

// The part of fetch that all platforms share; the build has no platform's types.
interface Call {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: Signal | null;
}
declare function fetch(address: string, call: Call): Promise<Reply>;

interface Reply {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): Reader } | null;
  text(): Promise<string>;
}
interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}
declare class TextDecoder {
  constructor(encoding: "utf-8", options: { fatal: boolean });
  decode(bytes?: Uint8Array, options?: { stream: boolean }): string;
}

/** At most this many characters of an unreadable reply are quoted in the message. */
const SHOWN = 80;

/** Throw the problem or error that a reply with an error status holds. */
async function refuseProblem(reply: Reply): Promise<void> {
  if (reply.ok) return;
  const body = parsed(await reply.text(), reply.status);
  if (!isProblem(body)) throw unreadable(JSON.stringify(body), reply.status);
  const seconds = Number(reply.headers.get("Retry-After") ?? NaN);
  throw new Problem(body, Number.isNaN(seconds) ? null : seconds);
}

async function readJson(reply: Reply): Promise<unknown> {
  return parsed(await reply.text(), reply.status);
}

/** Yield each line's value as it arrives; leaving the loop cancels the reply. */
async function* readLines(reply: Reply): AsyncGenerator<unknown, void, void> {
  if (reply.body === null) return;
  const reader = reply.body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split("\n");
      rest = lines.pop()!;
      for (const line of lines) yield parsed(line, reply.status);
    }
    if (rest !== "") throw new UnreadableReply("the reply ended in the middle of a line");
  } finally {
    await reader.cancel();
  }
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(text, status);
  }
}

function unreadable(text: string, status: number): UnreadableReply {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return new UnreadableReply(
    `the reply, of status ${status}, is neither an answer nor a problem: ${shown}`,
  );
}
