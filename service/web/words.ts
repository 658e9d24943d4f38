/** The words of the language that was chosen, in which the views speak. */

import { computed, effect, signal } from "@preact/signals";
import { language, remark, spoken } from "./state/view.ts";
import { FIRST } from "./words/en/first.ts";
import { LANGUAGES, spokenHere } from "./words/language.ts";
import type { Code, Translation } from "./words/language.ts";

/** The words that were loaded; null is English. */
export const translation = signal<Translation | null>(null);

spoken.value = spokenHere();

export const words = computed(() => translation.value?.first ?? FIRST);

/** Show the page in a language; without a connection it stays as it is, and says so. */
export async function choose(code: Code): Promise<void> {
  const before = language.peek();
  if (code === before) return;
  language.value = code;
  try {
    const loaded = await LANGUAGES[code].load();
    if (language.peek() === code) translation.value = loaded;
  } catch {
    if (language.peek() !== code) return;
    language.value = before;
    remark.value = () => words.value.noWords(LANGUAGES[code].name);
  }
}

effect(() => {
  const { title, language: code } = words.value;
  [document.title, document.documentElement.lang] = [title, code];
});
