/** Parts of the page that are loaded after its first sight, which so is small and quick. */

import { effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { pass } from "./state/view.ts";

/** A chunk that is loaded when something of it is needed, and once more if that has failed. */
function chunk<Module>(load: () => Promise<Module>) {
  const loaded = signal<Module | null>(null);
  let loading: Promise<Module> | null = null;
  const ready = () => {
    loading ??= load().then((module) => (loaded.value = module));
    loading.catch(() => (loading = null));
    return loading;
  };
  /** A component of the chunk; until that has come, there is nothing in its place. */
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

/** Loaded right after the first sight of the page. */
export const { loaded, ready: loadDeferred, lazy } = chunk(loadDeferredParts);

/** Loaded on demand. */
export const {
  loaded: code,
  ready: loadCode,
  lazy: lazyCode,
} = chunk(() => import("./chunks/code.ts"));
export const { lazy: lazyAccuracy } = chunk(() => import("./chunks/accuracy.ts"));
export const { loaded: large, lazy: lazyLarge } = chunk(() => import("./chunks/large.ts"));
export const { lazy: lazyTraining } = chunk(() => import("./chunks/training.ts"));
export const { ready: loadLesson, lazy: lazyLesson } = chunk(() => import("./chunks/lesson.ts"));
export const { lazy: lazyExport } = chunk(() => import("./chunks/export.ts"));

async function loadDeferredParts() {
  const [parts] = await Promise.all([import("./chunks/deferred.tsx"), loadDeferredStyle()]);
  return parts;
}

/** Load the style sheet of those parts; the page names it, for its name has a hash. */
function loadDeferredStyle(): Promise<void> {
  const meta = document.querySelector<HTMLMetaElement>("meta[name=deferred-style]");
  if (meta === null) return Promise.resolve(); // it is in the page
  meta.remove();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = meta.content;
  const done = new Promise<void>((resolve) => (link.onload = link.onerror = () => resolve()));
  document.head.append(link);
  return done;
}

// The chunk of the code computes the ticks of the sort.
effect(() => {
  if (pass.value === "sort") loadCode().catch(() => undefined);
});
