/** A prop as a signal, so that what is computed from both follows both. */

import { useSignal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

export function useLive<T>(prop: T): ReadonlySignal<T> {
  const live = useSignal(prop);
  if (live.peek() !== prop) live.value = prop;
  return live;
}
