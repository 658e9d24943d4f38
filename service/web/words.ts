/** The languages of the page, and the words of the one that was chosen. */

import { computed, effect, signal } from "@preact/signals";
import { announcement, language } from "./state/view.ts";
import { FIRST } from "./words/en.ts";
import type { Translation } from "./words/en.ts";

/** A language by its own name, and how its words are loaded; English is in the page. */
interface Language {
  readonly name: string;
  readonly load: () => Promise<Translation | null>;
}

export const LANGUAGES = {
  en: { name: "English", load: () => Promise.resolve(null) },
  es: { name: "Español", load: () => import("./words/es.ts") },
  et: { name: "Eesti", load: () => import("./words/et.ts") },
  ru: { name: "Русский", load: () => import("./words/ru.ts") },
} satisfies Readonly<Record<string, Language>>;

export type LanguageCode = keyof typeof LANGUAGES;

/** Return the first known language, or English. */
function firstOf(wanted: readonly string[]): LanguageCode {
  return (wanted.find((each) => Object.hasOwn(LANGUAGES, each)) ?? "en") as LanguageCode;
}

/** Return the language of an address, English if it is unknown, null if there is none. */
export function languageOf(hash: string): LanguageCode | null {
  const named = /(?:^#?|&)lang=([^&]+)/.exec(hash)?.[1];
  return named === undefined ? null : firstOf([named]);
}

/** The browser's preferred language. */
function browserLanguage(): LanguageCode {
  return firstOf(navigator.languages.map((each) => each.split("-")[0]!));
}

/** The words loaded; null is English. */
export const translation = signal<Translation | null>(null);

export const words = computed(() => translation.value?.first ?? FIRST);

/**
 * Show the page in a language, or in the browser's; without a connection nothing changes but a
 * message.
 */
export async function chooseLanguage(named: LanguageCode | null): Promise<void> {
  const before = language.peek();
  const code = named ?? browserLanguage();
  language.value = named;
  try {
    const found = await LANGUAGES[code].load();
    if (language.peek() === named) translation.value = found;
  } catch {
    if (language.peek() !== named) return;
    language.value = before;
    const { name } = LANGUAGES[code];
    announcement.value = () => words.value.notLoaded(name);
  }
}

effect(() => {
  const { title, language: code } = words.value;
  [document.title, document.documentElement.lang] = [title, code];
});
