/** The start: a shared address is read before anything is shown. */

import "./browser.ts";
import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { loadInteraction, loaded } from "./interaction.ts";
import { Page } from "./page.tsx";
import { pageLocation } from "./state/view.ts";
import { chooseLanguage, languageOf } from "./words.ts";

async function start(): Promise<void> {
  const loading = loadInteraction().catch(() => null);
  await chooseLanguage(languageOf(pageLocation.hash));
  if (pageLocation.hash.includes("=")) await (await loading)?.startAddress();
  render(<Page />, document.body);
  effect(() => {
    if (loaded.value !== null) untracked(() => void startInteraction(loaded.value!));
  });
}

async function startInteraction(parts: NonNullable<typeof loaded.value>): Promise<void> {
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
