/** The start: a shared address is read before anything is shown. */

import "./browser.ts";
import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { loadDeferred, loaded } from "./deferred.ts";
import { Page } from "./page.tsx";
import { pageLocation } from "./state/view.ts";
import { chooseLanguage, languageOf } from "./words.ts";

async function start(): Promise<void> {
  const loading = loadDeferred().catch(() => null);
  await chooseLanguage(languageOf(pageLocation.hash));
  if (pageLocation.hash.includes("=")) await (await loading)?.startAddress();
  render(<Page />, document.body);
  effect(() => {
    if (loaded.value !== null) untracked(() => void startDeferred(loaded.value!));
  });
}

async function startDeferred(parts: NonNullable<typeof loaded.value>): Promise<void> {
  void parts.startAddress();
  parts.startPointer();
  parts.startPointing();
  parts.startKeys();
  parts.showLinkedStep();
  parts.startPrinting();
  parts.startParityChecks();
  if (parent !== window) (await import("./top/embed.ts")).startEmbedding();
}

void start();
