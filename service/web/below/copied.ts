/** The clipboard: what was copied, or the text to be copied by hand where that is not allowed. */

import { signal } from "@preact/signals";
import { written } from "../state/address.ts";
import { remark } from "../state/view.ts";
import { laterWords } from "../later_words.ts";
import { addressOf, isFile } from "./snippets.ts";

/** What can be copied. */
export type Thing = keyof typeof laterWords.value.take.things;

/** A text that could not be copied. */
export const byHand = signal<string | null>(null);

/** Copy a text, and say so, in the language of the moment. */
export function copy(thing: Thing, text: string): void {
  const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
  done.then(
    () => {
      byHand.value = null;
      remark.value = () => told(thing);
    },
    () => {
      byHand.value = text;
      remark.value = () => laterWords.value.take.denied;
    },
  );
}

function told(thing: Thing): string {
  const { things, copied, ofFile } = laterWords.value.take;
  const isLocal = isFile() && (thing === "link" || thing === "embed");
  return copied(things[thing]) + (isLocal ? ` ${ofFile(addressOf().origin)}` : "");
}

/** Copy the address of what is shown. */
export function share(): void {
  copy("link", `${addressOf().href}#${written()}`);
}
