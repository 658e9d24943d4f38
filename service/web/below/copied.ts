/** The clipboard: what was copied, or the text to be copied by hand where that is not allowed. */

import { signal } from "@preact/signals";
import { written } from "../state/address.ts";
import { remark } from "../state/view.ts";
import { laterWords } from "../later_words.ts";

/** A text that could not be copied. */
export const byHand = signal<string | null>(null);

/** Copy a text, and say so; `what` names it in the language of the moment. */
export function copy(what: () => string, text: string): void {
  const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
  done.then(
    () => {
      byHand.value = null;
      remark.value = () => laterWords.value.take.copied(what());
    },
    () => {
      byHand.value = text;
      remark.value = () => laterWords.value.take.denied;
    },
  );
}

/** Copy the address of what is shown. */
export function share(): void {
  copy(() => laterWords.value.take.link, `${location.href.split("#")[0]}#${written()}`);
}
