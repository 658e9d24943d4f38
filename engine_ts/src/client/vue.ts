/**
 * A program's store as a composable of Vue:
 *
 *     const a = ref(2);
 *     const state = useProgram("a * a", () => ({ a: a.value }), { client: connect("/") });
 *     // state.value.document.gradients.a
 *
 * @module @gradient-service/engine/vue
 */

import { onMounted, onUnmounted, shallowRef, toValue, watchEffect } from "vue";
import type { MaybeRefOrGetter, ShallowRef } from "vue";
import type { BatchProgram } from "./connect.ts";
import { createProgram } from "./store.ts";
import type { ProgramState, StoreOptions } from "./store.ts";

export type { ProgramState, StoreOptions } from "./store.ts";

/** Return the state of a text and values, each of which may be a ref or a getter. */
export function useProgram(
  expression: MaybeRefOrGetter<string>,
  values: MaybeRefOrGetter<BatchProgram["values"]>,
  options: StoreOptions = {},
): Readonly<ShallowRef<ProgramState>> {
  const { get, set, subscribe } = createProgram(toValue(expression), toValue(values), options);
  const state = shallowRef(get());
  let leave = (): void => {};
  watchEffect(() => set(toValue(expression), { ...toValue(values) }));
  onMounted(() => (leave = subscribe((news) => (state.value = news))));
  onUnmounted(() => leave());
  return state;
}
