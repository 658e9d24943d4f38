/** Parts that are loaded after the first sight of the page, which so is small and quick. */

import { effect, signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { way } from "./state/play.ts";

type Later = typeof import("./later.ts");
type Accuracy = typeof import("./accuracy.ts");
type Code = typeof import("./code.ts");
type Training = typeof import("./training.ts");
type Large = typeof import("./large.ts");

export const loaded = signal<Later | null>(null);
const accuracy = signal<Accuracy | null>(null);
export const code = signal<Code | null>(null);
const training = signal<Training | null>(null);
export const large = signal<Large | null>(null);

let loading: Promise<Later> | null = null;

/** Load what comes later, once; without a connection, try again when it is asked for once more. */
export function loadLater(): Promise<Later> {
  if (loading === null) {
    loading = Promise.all([import("./later.ts"), loadStyle()]).then(
      ([later]) => (loaded.value = later),
    );
    loading.catch(() => (loading = null));
  }
  return loading;
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

async function loadAccuracy(): Promise<void> {
  accuracy.value = await import("./accuracy.ts");
}

async function loadCode(): Promise<void> {
  code.value = await import("./code.ts");
}

async function loadTraining(): Promise<void> {
  training.value = await import("./training.ts");
}

async function loadLarge(): Promise<void> {
  large.value = await import("./large.ts");
}

// The sort has its beats from there.
effect(() => {
  if (way.value === "sort") loadCode().catch(() => undefined);
});

/** A component from there; until it has come, there is nothing in its place. */
export const lazy = componentsOf(loaded, loadLater);
/** The same for what is loaded only when it is asked for. */
export const lazyAccuracy = componentsOf(accuracy, loadAccuracy);
export const lazyCode = componentsOf(code, loadCode);
export const lazyTraining = componentsOf(training, loadTraining);
export const lazyLarge = componentsOf(large, loadLarge);

function componentsOf<Module>(from: ReadonlySignal<Module | null>, load: () => Promise<unknown>) {
  return <Props extends object>(choose: (module: Module) => ComponentType<Props>) =>
    function Lazy(props: Props) {
      if (from.value === null) {
        load().catch(() => undefined);
        return null;
      }
      const Loaded = choose(from.value);
      return <Loaded {...props} />;
    };
}
