/** Parts that are loaded after the first sight of the page, which so is small and quick. */

import { signal } from "@preact/signals";
import type { ComponentType } from "preact";

type Later = typeof import("./later.ts");

export const loaded = signal<Later | null>(null);

/** Load what comes later; without a connection, try again when it is asked for once more. */
export async function loadLater(): Promise<Later> {
  if (loaded.peek() === null) {
    const [later] = await Promise.all([import("./later.ts"), loadStyle()]);
    loaded.value = later;
  }
  return loaded.peek()!;
}

/** The style of what comes later; the page names it, for its name has a hash. */
function loadStyle(): Promise<void> {
  const named = document.querySelector<HTMLMetaElement>("meta[name=later]");
  if (named === null) return Promise.resolve(); // it is in the page
  named.remove();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = named.content;
  const done = new Promise<void>((resolve) => (link.onload = link.onerror = () => resolve()));
  document.head.append(link);
  return done;
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
