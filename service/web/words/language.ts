/** The language of the page: what it can be, which one was chosen, and the words it has then. */

import { effect, signal } from "@preact/signals";
import type { LaterWords } from "./en/later.ts";
import { FIRST } from "./en/first.ts";
import type { Words } from "./en/first.ts";

/** All words of a language: those seen at first, and those of what is loaded later. */
export interface Translation {
  readonly first: Words;
  readonly later: LaterWords;
}

export type Code = "en" | "ru";

/** A language by its own name, and how its words are loaded; those of English are in the page. */
interface Language {
  readonly name: string;
  readonly load: () => Promise<Translation | null>;
}

export const LANGUAGES: Readonly<Record<Code, Language>> = {
  en: { name: "English", load: () => Promise.resolve(null) },
  ru: { name: "Русский", load: () => import("./ru/ru.ts").then(({ RUSSIAN }) => RUSSIAN) },
};

/** The one that was chosen last; the address has it before its words have come. */
export const language = signal<Code>("en");

/** The words in their place; null is English. */
export const translation = signal<Translation | null>(null);

/** The language that an address names: English where it names none that there is. */
export function languageOf(hash: string): Code {
  const named = /(?:^#?|&)lang=(\w+)/.exec(hash)?.[1] ?? "";
  return Object.hasOwn(LANGUAGES, named) ? (named as Code) : "en";
}

/** Show the page in a language; without a connection it stays as it is (a reload tries again). */
export async function choose(code: Code): Promise<void> {
  const before = language.peek();
  if (code === before) return;
  language.value = code;
  try {
    const words = await LANGUAGES[code].load();
    if (language.peek() === code) translation.value = words;
  } catch {
    if (language.peek() === code) language.value = before;
  }
}

effect(() => {
  const { title, language: code } = translation.value?.first ?? FIRST;
  [document.title, document.documentElement.lang] = [title, code];
});
