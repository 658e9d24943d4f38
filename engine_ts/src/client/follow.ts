/**
 * Compute the document of a program whose values change often, at each change. When the values have
 * not changed for a while, ask a service whether it computes the same document.
 *
 *     const following = follow(client, ({ document, agrees }) => show(document, agrees));
 *     following.set("a * b", { a: 2, b: 3 });
 */

import { canonicalText } from "../canonical.ts";
import type { GradientDocument } from "../document.ts";
import { GradientError } from "../errors.ts";
import { introspect } from "../introspect.ts";
import { Mismatch, Problem } from "./connect.ts";
import type { Client, BatchProgram, ProgramOptions } from "./connect.ts";

/** The state of the newest program and values; `problem`, `agrees` and `isStale` narrow it. */
export type Followed = Answered | Refused;

/** These values have a document. */
export interface Answered {
  readonly document: GradientDocument;
  readonly problem: null;
  readonly isStale: false;
  /** Whether the service's document is bit-identical; null until that is known. */
  readonly agrees: boolean | null;
  /** Why the service returned no document: a Problem, or the error that `fetch` threw. */
  readonly failure: unknown;
}

/** These values have no document. */
export type Refused = {
  /** Why they have none. */
  readonly problem: GradientError;
  readonly agrees: null;
  readonly failure: null;
} & (
  | {
      /** The last document, which belongs to earlier values. */
      readonly document: GradientDocument;
      readonly isStale: true;
    }
  | { readonly document: null; readonly isStale: false }
);

export interface FollowOptions {
  /** Milliseconds without a change before a request is sent. */
  readonly rest?: number;
}

export interface Following {
  /** Compute these values, call back, and ask the service once no change has come for `rest`. */
  set(expression: string, values: BatchProgram["values"], options?: Shown): void;
  /** Send no more requests and ignore a pending answer. `set` starts again. */
  stop(): void;
}

type Shown = Pick<ProgramOptions, "parameters" | "view">;

// The part that all platforms share; the build has no platform's types.
declare class AbortController {
  readonly signal: { readonly aborted: boolean; readonly reason: unknown };
  abort(): void;
}
declare function setTimeout(run: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

const REST = 250;
/** Seconds before the next request after a 503 without `Retry-After`. */
const AGAIN = 1;

/**
 * Call back with the state at each change and at each answer of the service.
 *
 * Newer values abort the request for earlier ones. After a 503 the request is sent again, after the
 * time that the service names.
 *
 * @param client the result of `connect`; if it is null, no request is sent
 */
export function follow(
  client: Pick<Client, "gradient"> | null,
  callback: (followed: Followed) => void,
  { rest = REST }: FollowOptions = {},
): Following {
  let last: GradientDocument | null = null;
  let timer: unknown;
  let call = new AbortController();

  function stop(): void {
    clearTimeout(timer);
    call.abort();
  }

  function set(expression: string, values: BatchProgram["values"], options: Shown = {}): void {
    stop();
    const { signal } = (call = new AbortController());
    const known = computed(expression, values, options, last);
    last = known.document;
    callback(known);
    if (client === null || known.problem !== null || signal.aborted) return;
    let answered: Answered = known;
    const ours = canonicalText(known.document);

    function report(news: Partial<Pick<Answered, "agrees" | "failure">>): void {
      answered = { ...answered, ...news };
      callback(answered);
    }

    async function ask(): Promise<void> {
      try {
        const theirs = await client!.gradient(expression, values, { ...options, signal });
        if (!signal.aborted) report({ agrees: canonicalText(theirs) === ours, failure: null });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Problem && error.status === 503) {
          timer = setTimeout(ask, (error.retryAfter ?? AGAIN) * 1000);
        }
        report(error instanceof Mismatch ? { agrees: false } : { failure: error });
      }
    }
    timer = setTimeout(ask, rest);
  }

  return { set, stop };
}

/** Return the state without a service; if these values have no document, it has the `last` one. */
export function computed(
  expression: string,
  values: BatchProgram["values"],
  options: Shown = {},
  last: GradientDocument | null = null,
): Followed {
  const unasked = { agrees: null, failure: null };
  try {
    const document = introspect(expression, values, options);
    return { ...unasked, document, problem: null, isStale: false };
  } catch (problem) {
    if (!(problem instanceof GradientError)) throw problem;
    return last === null
      ? { ...unasked, document: last, problem, isStale: false }
      : { ...unasked, document: last, problem, isStale: true };
  }
}
