/** The start: a shared address is read before anything is shown; without one, what can wait does. */

import { render } from "preact";
import { loadLater } from "./lazy.tsx";
import { Page } from "./page.tsx";
import { place } from "./state/location.ts";
import { choose } from "./words.ts";
import { languageOf } from "./words/language.ts";

async function start(): Promise<void> {
  const loading = loadLater();
  await choose(languageOf(place.hash));
  if (place.hash.includes("=")) await (await loading).startAddress();
  render(<Page />, document.body);
  const later = await loading;
  void later.startAddress();
  later.startHands();
  later.startKeys();
  later.startWalk();
  later.startPaper();
  later.startConfirming();
  if (parent !== window) (await import("./framed.ts")).startFrame();
}

void start();
