/**
 * A program whose text and values change often: its state, computed at each change. When nothing has
 * changed for a while, a service is asked whether it computes the same document.
 *
 *     const program = createProgram("a * b", { a: 2, b: 3 }, { client: connect("/") });
 *     program.subscribe(({ document, agrees }) => show(document, agrees));
 *     program.set("a * b", { a: 2.5, b: 3 });
 *
 * It is a store as Svelte defines one. Hooks for other frameworks return its state.
 *
 * @module @gradient-service/engine/store
 */

import { canonicalText } from "../canonical.ts";
import { Mismatch, Problem } from "./connect.ts";
import type { BatchProgram, Client } from "./connect.ts";
import { readText, stateOf, suggestionsFor } from "./state.ts";
import type { ProgramState, StateOptions } from "./state.ts";

export type { Answered, Curve, Field, ProgramState, Refused } from "./state.ts";

type Values = BatchProgram["values"];

/** Options of a program, which may change. */
export interface StoreOptions extends StateOptions {
  /** The result of `connect`; without one, no request is sent. */
  readonly client?: Pick<Client, "gradient"> | null;
  /** Milliseconds without a change before a request is sent (250). */
  readonly rest?: number;
}

export interface ProgramStore {
  /** Return the state, the same object until it changes. */
  readonly get: () => ProgramState;
  /**
   * Change the text, the values or, if given, the options, and call back. Equal arguments change
   * nothing.
   */
  readonly set: (expression: string, values: Values, options?: StoreOptions) => void;
  /**
   * Call back at once, at each change and at each answer; return a function that ends the
   * subscription.
   *
   * A service is asked only if there is a subscriber.
   */
  readonly subscribe: (callback: (state: ProgramState) => void) => () => void;
}

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
 * Make a program's store.
 *
 * Newer values abort the request for earlier ones. After a 503 the request is sent again, after the
 * time that the service names.
 */
export function createProgram(
  expression: string,
  values: Values,
  options: StoreOptions = {},
): ProgramStore {
  const callbacks = new Set<(state: ProgramState) => void>();
  let text = readText(expression, options.view);
  let state = stateOf(text, values, options, null);
  let given = keyOf(expression, values, options);
  let call = new AbortController();
  let timer: unknown;

  function get(): ProgramState {
    return state;
  }

  function set(newExpression: string, newValues: Values, newOptions = options): void {
    options = newOptions;
    const key = keyOf(newExpression, newValues, options);
    if (key === given) return;
    given = key;
    const { view = "folded" } = options;
    if (newExpression !== text.expression || view !== text.view)
      text = readText(newExpression, view);
    state = stateOf(text, newValues, options, state);
    tell();
    ask();
  }

  function subscribe(callback: (state: ProgramState) => void): () => void {
    const own = (news: ProgramState): void => callback(news);
    callbacks.add(own);
    callback(state);
    if (callbacks.size === 1) ask();
    return () => {
      callbacks.delete(own);
      if (callbacks.size === 0) stop();
    };
  }

  function tell(news: Partial<ProgramState> = {}): void {
    state = { ...state, ...news } as ProgramState;
    for (const callback of callbacks) callback(state);
  }

  function stop(): void {
    clearTimeout(timer);
    call.abort();
  }

  /** Ask for programs that an invalid text may mean, or a service for the document. */
  function ask(): void {
    stop();
    const { signal } = (call = new AbortController());
    if (callbacks.size === 0) return;
    const { client = null, rest = REST } = options;
    if (state.problem) void suggest(signal);
    else if (client && state.agrees === null) timer = setTimeout(() => compare(signal), rest);
  }

  async function suggest(signal: AbortController["signal"]): Promise<void> {
    const suggestions = await suggestionsFor(state);
    if (!signal.aborted && suggestions.length > 0) tell({ suggestions });
  }

  async function compare(signal: AbortController["signal"]): Promise<void> {
    const { client, parameters = [], view = "folded" } = options;
    const { document } = state;
    try {
      const call = { parameters, view, signal };
      const theirs = await client!.gradient(state.expression, state.values, call);
      if (signal.aborted) return;
      const agrees = canonicalText(theirs) === canonicalText(document);
      tell({ agrees, answeredBy: agrees ? "service" : "browser", failure: null });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status === 503) {
        timer = setTimeout(() => compare(signal), (error.retryAfter ?? AGAIN) * 1000);
      }
      tell(error instanceof Mismatch ? { agrees: false } : { failure: error });
    }
  }

  return { get, set, subscribe };
}

/** Write everything that a state depends on as a text. */
function keyOf(expression: string, values: Values, options: StoreOptions): string {
  const { client = null, rest, missing, parameters, view } = options;
  return JSON.stringify([expression, values, client !== null, rest, missing, parameters, view]);
}
