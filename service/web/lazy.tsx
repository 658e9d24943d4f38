/** Parts that are loaded after the first sight of the page, which so is small and quick. */

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";

type Later = typeof import("./later.ts");

export const loaded = signal<Later | null>(null);

/** Load what comes later; without a connection, try again when it is asked for once more. */
export async function loadLater(): Promise<Later> {
  loaded.value ??= await import("./later.ts");
  return loaded.value;
}

/** A component from there; until it has come, there is nothing in its place. */
export function lazy<Props extends object>(choose: (later: Later) => ComponentType<Props>) {
  return function Lazy(props: Props) {
    if (loaded.value === null) {
      loadLater().catch(() => undefined);
      return null;
    }
    const Loaded = choose(loaded.value);
    return <Loaded {...props} />;
  };
}
