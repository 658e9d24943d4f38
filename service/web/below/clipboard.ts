/** The clipboard: what was copied, or the text to copy by hand if access is not allowed. */

import { batch, signal } from "@preact/signals";
import { interactionWords, inChosenLanguage } from "../interaction_words.ts";
import { currentAddress } from "../state/address.ts";
import { announcement, selectedEdge } from "../state/view.ts";

const words = inChosenLanguage(() => interactionWords.value.export);

/** What can be copied; each language has a word for the link and the embed code. */
type CopiedThing = "Python" | "link" | "embed";

/** A text that could not be copied. */
export const byHand = signal<string | null>(null);

/** Copy a text, and announce it in the current language. */
export function copy(thing: CopiedThing, text: string): void {
  const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
  const isLocal = isFile() && (thing === "link" || thing === "embed");
  const where = () => (isLocal ? ` ${words.ofFile(publicAddress().origin)}` : "");
  done.then(
    () => announceCopy(null, () => words.copied(nameOfThing(thing)) + where()),
    () => announceCopy(text, () => words.denied),
  );
}

function nameOfThing(thing: CopiedThing): string {
  return thing === "Python" ? thing : words[thing];
}

/** Announce it instead of the previous text. */
function announceCopy(text: string | null, what: () => string): void {
  batch(() => ([byHand.value, selectedEdge.value, announcement.value] = [text, null, what]));
}

/** Copy the current address. */
export function share(): void {
  copy("link", `${publicAddress().href}#${currentAddress()}`);
}

/** Where `make run` serves. */
const LOCAL_SERVICE = "http://127.0.0.1:8000/";

/** Whether the page was opened from a file, without a service. */
function isFile(): boolean {
  return !location.protocol.startsWith("http");
}

/** The public address of the page, without a program. */
export function publicAddress(): URL {
  const { origin, pathname, search } = location;
  return new URL(isFile() ? LOCAL_SERVICE : `${origin}${pathname}${search}`);
}
