/**
 * A program whose values change often -> its document, computed here at once; and whether a service,
 * which is asked when the values rest, has the same.
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

/** What is known of the newest program and values. */
export interface Followed {
  /** Their document; where they have none, the last one before. Null where there was none. */
  readonly document: GradientDocument | null;
  /** Why they have no document; else null. */
  readonly problem: GradientError | null;
  /** Whether `document` is that of earlier values, as these have none. */
  readonly isStale: boolean;
  /** Whether the service has the same document, to the bit; null as long as that is not known. */
  readonly agrees: boolean | null;
  /** Why it is not known, where the service gave no document: a Problem, or what `fetch` threw. */
  readonly failure: unknown;
}

export interface FollowOptions {
  /** Milliseconds without a change after which the service is asked. */
  readonly rest?: number;
}

export interface Following {
  /** Compute these, tell the callback, and ask the service when nothing else comes. */
  set(expression: string, values: BatchProgram["values"], options?: Shown): void;
  /** Ask nothing more; an answer that is on its way is not heard. `set` begins anew. */
  stop(): void;
}

type Shown = Pick<ProgramOptions, "parameters" | "view">;

// What the platforms share; the build knows the types of none of them.
declare class AbortController {
  readonly signal: { readonly aborted: boolean; readonly reason: unknown };
  abort(): void;
}
declare function setTimeout(run: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

const REST = 250;
/** Seconds until a service that has no time, and does not say until when, is asked again. */
const AGAIN = 1;

/**
 * Call back with what is known, at each change and at each answer of the service.
 *
 * A call of the service ends where newer values come. Where it has no time (503), it is asked again
 * when it says.
 *
 * @param client what `connect` returns; where it is null, no service is asked
 */
export function follow(
  client: Pick<Client, "gradient"> | null,
  callback: (followed: Followed) => void,
  { rest = REST }: FollowOptions = {},
): Following {
  let known = NOTHING;
  let timer: unknown;
  let call = new AbortController();

  function tell(news: Partial<Followed>): void {
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
    tell(computed(expression, values, options, known));
    const { document, problem } = known;
    if (client === null || problem !== null || signal.aborted) return;
    const ours = canonicalText(document);

    async function ask(): Promise<void> {
      try {
        const theirs = await client!.gradient(expression, values, { ...options, signal });
        if (!signal.aborted) tell({ agrees: canonicalText(theirs) === ours, failure: null });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Problem && error.status === 503) {
          timer = setTimeout(ask, (error.retryAfter ?? AGAIN) * 1000);
        }
        tell(error instanceof Mismatch ? { agrees: false } : { failure: error });
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

/** Compute what can be told without a service; the document is kept where these values have none. */
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
