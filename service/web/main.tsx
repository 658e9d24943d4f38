/** The start: a shared address is read before anything is shown; without one, what can wait does. */

import { render } from "preact";
import { pageLocation } from "./state/view.ts";
import { loadDeferred } from "./lazy.tsx";
import { Page } from "./page.tsx";
import { chooseLanguage, languageOf } from "./words.ts";

async function start(): Promise<void> {
  const loading = loadDeferred();
  await chooseLanguage(languageOf(pageLocation.hash));
  if (pageLocation.hash.includes("=")) await (await loading).startAddress();
  render(<Page />, document.body);
  const deferred = await loading;
  void deferred.startAddress();
  deferred.startPointer();
  deferred.startKeys();
  deferred.startFocusFollowing();
  deferred.startPrinting();
  deferred.startParityChecks();
  if (parent !== window) (await import("./chunks/embed.ts")).startEmbedding();
}

void start();
