/** The words of the language that was chosen, in which the views speak. */

import { computed, effect, signal } from "@preact/signals";
import { loaded as later } from "./lazy.tsx";
import { language, remark } from "./state/view.ts";
import { FIRST } from "./words/en/first.ts";
import { LANGUAGES, ownLanguage } from "./words/language.ts";
import type { Code, Translation } from "./words/language.ts";

/** The words that were loaded; null is English. */
export const translation = signal<Translation | null>(null);

export const words = computed(() => translation.value?.first ?? FIRST);

/**
 * Show the page in a language, or in the browser's own; without a connection it stays as it is,
 * and says so.
 */
export async function choose(named: Code | null): Promise<void> {
  const before = language.peek();
  const code = named ?? ownLanguage();
  language.value = named;
  try {
    const loaded = await LANGUAGES[code].load();
    if (language.peek() === named) translation.value = loaded;
  } catch {
    if (language.peek() !== named) return;
    language.value = before;
    const { name } = LANGUAGES[code];
    remark.value = () => later.value?.laterWords.value.address.noWords(name) ?? null;
  }
}

effect(() => {
  const { title, language: code } = words.value;
  [document.title, document.documentElement.lang] = [title, code];
});
