/** The page's address and what is shown, kept in step. */

import { batch, effect } from "@preact/signals";
import { laterWords } from "../later_words.ts";
import { read, written } from "../state/address.ts";
import type { Refusal, Said } from "../state/address.ts";
import { place } from "../state/location.ts";
import { expanded, START, take } from "../state/program.ts";
import { way } from "../state/play.ts";
import { rightFirst } from "../state/sorted.ts";
import { accurate, remark, tab } from "../state/view.ts";
import { choose } from "../words.ts";
import { languageOf } from "../words/language.ts";

/** An address that names but a language is the page from its start. */
const FIRST: Said = {
  ...START,
  ...{ tab: "values", way: "backward" },
  ...{ rightFirst: false, expanded: false, accurate: false },
};

/** Take the program that an address holds; one that cannot be read changes nothing. */
function load(address: string): void {
  const hash = new URL(address).hash.slice(1);
  if (!hash.includes("=") || hash === written()) return;
  void choose(languageOf(hash));
  const said = /^lang=\w*$/.test(hash) ? FIRST : read(hash);
  if ("why" in said) {
    remark.value = () => tell(said);
    return;
  }
  batch(() => {
    take(said);
    [tab.value, way.value, rightFirst.value] = [said.tab, said.way, said.rightFirst];
    [expanded.value, accurate.value] = [said.expanded, said.accurate];
  });
  const named = /(?:^|&)lang=(\w+)/.exec(hash)?.[1] ?? "en";
  if (named !== languageOf(hash)) remark.value = () => laterWords.value.address.language(named);
}

/** Say that an address was not taken, and why. */
function tell(refusal: Refusal): string {
  const text = laterWords.value.address;
  return text.bad(refusal.why === "value" ? text.value(refusal.name) : text[refusal.why]);
}

let isStarted = false;

/** Keep the address in step, and follow it when a person changes it. */
export function startAddress(): void {
  if (isStarted) return;
  isStarted = true;
  load(place.href);
  if (place !== location) return; // there is none to keep
  // The event's address: what is written below may have been put in its place since.
  addEventListener("hashchange", ({ newURL }) => load(newURL));
  let timer = 0;
  effect(() => {
    const hash = written();
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (location.hash.slice(1) !== hash) history.replaceState(null, "", `#${hash}`);
    }, 150);
  });
}
