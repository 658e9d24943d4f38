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

/** The state of the newest program and values. */
export interface Followed {
  /** Their document; if they have none, the last one before; null if there was none. */
  readonly document: GradientDocument | null;
  /** Why they have no document, or null. */
  readonly problem: GradientError | null;
  /** Whether `document` belongs to earlier values, because these have none. */
  readonly isStale: boolean;
  /** Whether the service's document is bit-identical; null until that is known. */
  readonly agrees: boolean | null;
  /** Why the service returned no document: a Problem, or the error that `fetch` threw. */
  readonly failure: unknown;
}

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
  let known = NOTHING;
  let timer: unknown;
  let call = new AbortController();

  function report(news: Partial<Followed>): void {
    known = { ...known, ...news };
    callback(known);
  }

  function stop(): void {
    clearTimeout(timer);
    call.abort();
  }

  function set(expression: string, values: BatchProgram["values"], options: Shown = {}): void {
    stop();
    const { signal } = (call = new AbortController());
    report(computed(expression, values, options, known));
    const { document, problem } = known;
    if (client === null || problem !== null || signal.aborted) return;
    const ours = canonicalText(document);

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

const NOTHING: Followed = {
  document: null,
  problem: null,
  isStale: false,
  agrees: null,
  failure: null,
};

/** Return the state without a service; if these values have no document, `before`'s is kept. */
export function computed(
  expression: string,
  values: BatchProgram["values"],
  options: Shown = {},
  before: Followed = NOTHING,
): Followed {
  try {
    return { ...NOTHING, document: introspect(expression, values, options) };
  } catch (problem) {
    if (!(problem instanceof GradientError)) throw problem;
    return { ...NOTHING, document: before.document, problem, isStale: before.document !== null };
  }
}
