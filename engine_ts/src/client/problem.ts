/** What a service replies instead of an answer -> an error with its code, place and hint. */

import type { Span } from "../errors.ts";

/** The members that every problem has (`problem.schema.json`); each code adds its own. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly span: Span | null;
  readonly [member: string]: unknown;
}

/** A request that the service refused, or could not answer. The message is the problem's detail. */
export class Problem extends Error {
  override readonly name = "Problem";
  /** The code of the contract, or of HTTP, such as `domain_error` or `overloaded`. */
  readonly code: string;
  /** The status of the reply; in a batch, the one that the request would have had alone. */
  readonly status: number;
  /** The part of the expression that is wrong, in code points; null where no part is. */
  readonly span: Span | null;
  /** All members, as the service wrote them. */
  readonly body: ProblemBody;
  /** Seconds to wait before another attempt makes sense; null where the reply names none. */
  readonly retryAfter: number | null;

  /** Keep a problem document. */
  constructor(body: ProblemBody, retryAfter: number | null = null) {
    super(body.detail);
    this.code = body.code;
    this.status = body.status;
    this.span = body.span;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** A reply that is neither an answer nor a problem: it came from something else, or was cut. */
export class UnreadableReply extends Error {
  override readonly name = "UnreadableReply";
}

/** An answer that differs from what the engine computes here. */
export class Mismatch extends Error {
  override readonly name = "Mismatch";
  /** The digest of the service's answer. */
  readonly theirs: string;
  /** The digest of the answer computed here. */
  readonly ours: string;

  /** Keep both digests, of which the message shows the beginnings. */
  constructor(expression: string, theirs: string, ours: string) {
    const shown = `${theirs.slice(0, 12)}… and not ${ours.slice(0, 12)}…`;
    super(`the service's answer to ${JSON.stringify(expression)} has the digest ${shown}`);
    this.theirs = theirs;
    this.ours = ours;
  }
}

/** Say whether a JSON value is a problem and not an answer. */
export function isProblem(value: unknown): value is ProblemBody {
  if (typeof value !== "object" || value === null) return false;
  const { code, status, detail } = value as Readonly<Record<string, unknown>>;
  return typeof code === "string" && typeof status === "number" && typeof detail === "string";
}
