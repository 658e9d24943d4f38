/** The clipboard: what was copied, or the text to be copied by hand where that is not allowed. */

import { batch, signal } from "@preact/signals";
import { written } from "../state/address.ts";
import { chosen, remark } from "../state/view.ts";
import { laterWords } from "../later_words.ts";
import { addressOf, isFile } from "./where.ts";

/** What can be copied. */
type Thing = keyof typeof laterWords.value.take.things;

/** A text that could not be copied. */
export const byHand = signal<string | null>(null);

/** Copy a text, and say so, in the language of the moment. */
export function copy(thing: Thing, text: string): void {
  const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
  done.then(
    () => say(null, () => told(thing)),
    () => say(text, () => laterWords.value.take.denied),
  );
}

/** Say it in the place of what was read there. */
function say(text: string | null, what: () => string): void {
  batch(() => ([byHand.value, chosen.value, remark.value] = [text, null, what]));
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
