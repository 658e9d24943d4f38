/**
 * The address of a service -> its documents, typed, and computed again here if that is wanted.
 *
 *     import { connect } from "@gradient-service/engine/client";
 *
 *     const { gradients } = await connect("http://127.0.0.1:8000").gradient("a * b", { a: 2, b: 3 });
 */

import type { Document } from "../document.ts";
import type { View } from "../request.ts";
import { isDocument, isProblem, Mismatch, Problem, UnreadableReply } from "./problem.ts";
import { readJson, readLines, refuseProblem } from "./reply.ts";
import type { Reply } from "./reply.ts";

export { Mismatch, Problem, UnreadableReply } from "./problem.ts";
export type { ProblemBody } from "./problem.ts";
export type { Document };

// Any platform's AbortSignal is one.
interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
}
interface Call {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: Signal | null;
}
declare function fetch(address: string, call: Call): Promise<Reply>;

/** One program of a batch. */
export interface Program {
  readonly expression: string;
  readonly values: Readonly<Record<string, number>>;
  readonly parameters?: readonly string[];
  readonly view?: View;
}

/** What holds for every call of a client. */
export interface Settings {
  /** Headers beside those of the request, such as an authorization that a gateway asks for. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Compute each document again here, and compare the digests. */
  readonly verify?: boolean;
}

/** What one call may add. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. */
  readonly signal?: Signal;
}

/** A service at one address. Its methods need no `this`. */
export interface Client {
  /**
   * Differentiate one program.
   *
   * @throws {Problem} the service refuses it
   * @throws {Mismatch} `verify` is set, and the document is not the one computed here
   * @throws {UnreadableReply} something else than the service answered
   */
  readonly gradient: (
    expression: string,
    values: Program["values"],
    options?: Pick<Program, "parameters" | "view"> & CallOptions,
  ) => Promise<Document>;
  /**
   * Differentiate many programs: for each, in order, a document, or a problem in its place.
   *
   * They come as the service computes them; leaving the loop ends the reply.
   *
   * @throws as `gradient`; a Problem is thrown where it is about the batch as a whole
   */
  readonly gradients: (
    programs: Iterable<Program>,
    options?: CallOptions,
  ) => AsyncGenerator<Document | Problem, void, void>;
}

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

  return {
    gradient: async (expression, values, { signal, ...options } = {}) => {
      const program = { expression, values, ...options };
      const reply = await post("/v1/gradient", program, "application/json", signal);
      const answer = await answerTo(program, await readJson(reply));
      if (answer instanceof Problem) throw answer;
      return answer;
    },
    gradients: async function* (programs, { signal } = {}) {
      const waiting = [...programs];
      const body = { requests: waiting };
      const reply = await post("/v1/gradients", body, "application/x-ndjson", signal);
      let answered = 0;
      for await (const value of readLines(reply)) {
        const program = waiting[answered++];
        if (program !== undefined) yield answerTo(program, value);
      }
      if (answered === waiting.length) return;
      throw new UnreadableReply(`the reply has ${answered} results for ${waiting.length} programs`);
    },
  };
}

/** Give the document or the problem that a value is. */
async function checked(_program: Program, value: unknown): Promise<Document | Problem> {
  if (isProblem(value)) return new Problem(value);
  if (isDocument(value)) return value as Document;
  throw new UnreadableReply("the reply holds something that is neither a document nor a problem");
}

/** As `checked`, for a document that is the one computed here. The engine is loaded only now. */
async function verified(program: Program, value: unknown): Promise<Document | Problem> {
  const answer = await checked(program, value);
  if (answer instanceof Problem) return answer;
  const { expression, values, ...options } = program;
  const [{ introspect }, { digest }] = await Promise.all([
    import("../introspect.ts"),
    import("../canonical.ts"),
  ]);
  const [theirs, ours] = [digest(answer), digest(introspect(expression, values, options))];
  if (theirs !== ours) throw new Mismatch(expression, theirs, ours);
  return answer;
}
