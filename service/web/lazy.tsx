/** Parts that are loaded after the first sight of the page, which so is small and quick. */

import { effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { way } from "./state/play.ts";

/** A file that is loaded when something of it is needed; without a connection, when it is once more. */
export function part<Module>(load: () => Promise<Module>) {
  const loaded = signal<Module | null>(null);
  let loading: Promise<Module> | null = null;
  const ready = () => {
    loading ??= load().then((module) => (loaded.value = module));
    loading.catch(() => (loading = null));
    return loading;
  };
  /** A component from there; until it has come, there is nothing in its place. */
  const lazy = <Props extends object>(choose: (module: Module) => ComponentType<Props>) =>
    function Lazy(props: Props) {
      if (loaded.value === null) {
        ready().catch(() => undefined);
        return null;
      }
      const Loaded = choose(loaded.value);
      return <Loaded {...props} />;
    };
  return { loaded, ready, lazy };
}

/** What comes right after the first sight, and what comes only when it is asked for. */
export const { loaded, ready: loadLater, lazy } = part(loadBoth);
export const { loaded: code, ready: loadCode, lazy: lazyCode } = part(() => import("./code.ts"));
export const { lazy: lazyAccuracy } = part(() => import("./accuracy.ts"));
export const { loaded: large, lazy: lazyLarge } = part(() => import("./large.ts"));
export const { lazy: lazyTraining } = part(() => import("./training.ts"));

async function loadBoth() {
  const [later] = await Promise.all([import("./later.ts"), loadStyle()]);
  return later;
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

// The sort has its beats from there.
effect(() => {
  if (way.value === "sort") loadCode().catch(() => undefined);
});
