/**
 * A program's store as a hook of React:
 *
 *     const client = connect("https://gradients.example");
 *
 *     function Slope({ a }) {
 *       const { document, agrees } = useProgram("a * a", { a }, { client });
 *
 * @module @gradient-service/engine/react
 */

import { useLayoutEffect, useState, useSyncExternalStore } from "react";
import type { BatchProgram } from "./connect.ts";
import { createProgram } from "./store.ts";
import type { ProgramState, StoreOptions } from "./store.ts";

export type { ProgramState, StoreOptions } from "./store.ts";

/**
 * Return the state of a text and values, which may change at each rendering.
 *
 * The state belongs to the values of this rendering before anything is painted.
 */
export function useProgram(
  expression: string,
  values: BatchProgram["values"],
  options: StoreOptions = {},
): ProgramState {
  const [{ get, set, subscribe }] = useState(() => createProgram(expression, values, options));
  useLayoutEffect(() => set(expression, values, options));
  return useSyncExternalStore(subscribe, get, get);
}
