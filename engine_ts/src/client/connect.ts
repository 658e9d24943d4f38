/**
 * The address of a service -> its answers, typed, and computed again here if that is wanted.
 *
 *     import { connect } from "@gradient-service/engine/client";
 *
 *     const { gradients } = await connect("http://127.0.0.1:8000").gradient("a * b", { a: 2, b: 3 });
 */

import type { Document } from "../document.ts";
import type { CallOptions, Client, Route, Settings, Signal } from "./client.ts";
import { isProblem, Mismatch, Problem, UnreadableReply } from "./problem.ts";
import { readJson, readLines, refuseProblem } from "./reply.ts";
import type { Reply } from "./reply.ts";

export type { Accuracy } from "../accuracy/accuracy.ts";
export type { Descent } from "../lab/descent.ts";
export type { Experiment } from "../lab/experiment.ts";
export type { Hessian } from "../lab/hessian.ts";
export type { Paths } from "../lab/paths.ts";
export type { Outline } from "../document.ts";
export type { Ranges, Sweep } from "../sweeps/sweep.ts";
export type { CallOptions, Client, Program, ProgramOptions, Settings } from "./client.ts";
export { Mismatch, Problem, UnreadableReply } from "./problem.ts";
export type { ProblemBody } from "./problem.ts";
export type { Document };

/** A member of each route's answers that tells them from other JSON. */
const MEMBERS: Readonly<Record<Route, string>> = {
  gradient: "nodes",
  parse: "variables",
  sweep: "axes",
  accuracy: "counts_as_zero",
  experiment: "walks",
  paths: "paths",
  descend: "trajectory",
  hessian: "hessian",
};

interface Call {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: Signal | null;
}
declare function fetch(address: string, call: Call): Promise<Reply>;

/** Make a client of the service at an address, such as `http://127.0.0.1:8000`. */
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

  async function ask(
    route: Route,
    members: object,
    { signal, ...options }: CallOptions,
  ): Promise<any> {
    const body = { ...options, ...members };
    const reply = await post(`/v1/${route}`, body, "application/json", signal);
    const answer = await answerTo(route, body, await readJson(reply));
    if (answer instanceof Problem) throw answer;
    return answer;
  }

  return {
    gradient: (expression, values, options = {}) =>
      ask("gradient", { expression, values }, options),
    gradients: async function* (programs, { signal } = {}) {
      const waiting = [...programs];
      const body = { requests: waiting };
      const reply = await post("/v1/gradients", body, "application/x-ndjson", signal);
      let answered = 0;
      for await (const value of readLines(reply)) {
        const program = waiting[answered++];
        if (program !== undefined) yield answerTo("gradient", program, value);
      }
      if (answered === waiting.length) return;
      throw new UnreadableReply(`the reply has ${answered} results for ${waiting.length} programs`);
    },
    parse: (expression, options = {}) => ask("parse", { expression }, options),
    sweep: (expression, values, options = {}) => ask("sweep", { expression, values }, options),
    accuracy: (expression, values, options = {}) =>
      ask("accuracy", { expression, values }, options),
    experiment: (expression, values, options = {}) =>
      ask("experiment", { expression, values }, options),
    paths: (expression, values, node, options = {}) =>
      ask("paths", { expression, values, node }, options),
    descend: (expression, values, options = {}) => ask("descend", { expression, values }, options),
    hessian: (expression, values, options = {}) => ask("hessian", { expression, values }, options),
  };
}

/** Give the answer or the problem that a value is. */
async function checked(route: Route, _body: object, value: unknown): Promise<any> {
  if (isProblem(value)) return new Problem(value);
  if (typeof value === "object" && value !== null && MEMBERS[route] in value) return value;
  throw new UnreadableReply("the reply holds something that is neither an answer nor a problem");
}

/** As `checked`, for an answer that is the one computed here. */
async function verified(route: Route, body: object, value: unknown): Promise<any> {
  const answer = await checked(route, body, value);
  if (answer instanceof Problem) return answer;
  const { digests } = await import("./answers.ts");
  const [theirs, ours] = digests(answer, route, body);
  if (theirs === ours) return answer;
  throw new Mismatch((body as { expression: string }).expression, theirs, ours);
}
