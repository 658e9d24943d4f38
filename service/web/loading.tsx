/** Parts of the page that are loaded when something of them is needed. */

import { effect, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { pass } from "./state/view.ts";
import { words } from "./words.ts";

/** A module that is loaded when something of it is needed, and once more if that has failed. */
export function later<Module>(load: () => Promise<Module>) {
  const loaded = signal<Module | null>(null);
  const hasFailed = signal(false);
  let loading: Promise<Module> | null = null;
  const ready = () => {
    loading ??= Promise.all([load(), loadStyle()]).then(([module]) => (loaded.value = module));
    loading.catch(() => (loading = null));
    return loading;
  };
  /** A component of the module. Until that has come, there is nothing in its place. */
  const part = <Props extends object>(
    choose: (module: Module) => ComponentType<Props>,
    isRoom = false,
  ) =>
    function Part(props: Props) {
      const module = loaded.value;
      if (module !== null) {
        const Loaded = choose(module);
        return <Loaded {...props} />;
      }
      if (!hasFailed.value) ready().catch(() => (hasFailed.value = true));
      else if (isRoom) return <Failed of={hasFailed} />;
      return null;
    };
  /** One that has its place for itself: it is said there if the module could not be loaded. */
  const room = <Props extends object>(choose: (module: Module) => ComponentType<Props>) =>
    part(choose, true);
  return { loaded, ready, part, room };
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

/** Load the style sheet of all parts, once; the page names it, for its name has a hash. */
function loadStyle(): Promise<void> {
  style ??= new Promise((resolve) => {
    const meta = document.querySelector<HTMLMetaElement>("meta[name=interaction-style]");
    if (meta === null) return resolve(); // it is in the page
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
