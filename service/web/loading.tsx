/** Parts of the page that are loaded on demand. */

import { effect, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { pass } from "./state/view.ts";
import { words } from "./words.ts";

/** A module that is loaded on demand, and again after a failure. */
export function later<Module>(load: () => Promise<Module>) {
  const loaded = signal<Module | null>(null);
  const hasFailed = signal(false);
  let loading: Promise<Module> | null = null;
  const ready = () => {
    loading ??= Promise.all([load(), loadStyle()]).then(([module]) => (loaded.value = module));
    loading.catch(() => (loading = null));
    return loading;
  };
  /** A component of the module; nothing is shown until it is loaded. */
  const part = <Props extends object>(
    choose: (module: Module) => ComponentType<Props>,
    reports = false,
  ) =>
    function Part(props: Props) {
      const module = loaded.value;
      if (module !== null) {
        const Loaded = choose(module);
        return <Loaded {...props} />;
      }
      if (!hasFailed.value) ready().catch(() => (hasFailed.value = true));
      else if (reports) return <Failed of={hasFailed} />;
      return null;
    };
  /** A component that fills a section, in which a failure to load is reported. */
  const section = <Props extends object>(choose: (module: Module) => ComponentType<Props>) =>
    part(choose, true);
  return { loaded, ready, part, section };
}

function Failed({ of }: { of: Signal<boolean> }) {
  const { notLoaded, part, tryAgain } = words.value;
  return (
    <p class="failed" role="alert">
      {notLoaded(part)} <button onClick={() => (of.value = false)}>{tryAgain}</button>
    </p>
  );
}

let style: Promise<void> | null = null;

/** Load the style sheet of all parts once; its name, which has a hash, is in the page. */
function loadStyle(): Promise<void> {
  style ??= new Promise((resolve) => {
    const meta = document.querySelector<HTMLMetaElement>("meta[name=interaction-style]");
    if (meta === null) return resolve(); // one file contains it
    const link = document.createElement("link");
    [link.rel, link.href] = ["stylesheet", meta.content];
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
  return style;
}

export const accuracy = later(() => import("./stage/accuracy.tsx"));
export const breaking = later(() => import("./panel/break.tsx"));
export const code = later(() => import("./panel/code.tsx"));
export const curve = later(() => import("./panel/curve.tsx"));
export const exporting = later(() => import("./below/export.tsx"));
export const lesson = later(() => import("./top/lesson.tsx"));
export const overview = later(() => import("./stage/overview.tsx"));
export const suggestion = later(() => import("./top/suggestion.tsx"));
export const training = later(() => import("./panel/train.tsx"));

// The module of the code computes the ticks of the sort.
effect(() => {
  if (pass.value === "sort") code.ready().catch(() => undefined);
});
