/** The languages of the page, and the words of the one that was chosen. */

import { computed, effect, signal } from "@preact/signals";
import { announcement, language } from "./state/view.ts";
import { FIRST, SHOWN } from "./words/en.ts";
import { say, spoken } from "./words/spoken.ts";
import type { Spoken, Translation } from "./words/spoken.ts";

type Translate = typeof import("./words/translated.ts").translated;

/** A language's own name, and a function that loads its words; the page contains English. */
interface Language {
  readonly name: string;
  readonly load?: () => Promise<{ readonly default: Parameters<Translate>[0] }>;
}

export const LANGUAGES = {
  en: { name: "English" },
  es: { name: "Español", load: () => import("./words/es.json") },
  et: { name: "Eesti", load: () => import("./words/et.json") },
  ru: { name: "Русский", load: () => import("./words/ru.json") },
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

/** The words loaded; null is English. */
const translation = signal<Translation | null>(null);

/** Return a function that returns the words of `part` in the chosen language. */
export function wordsOf<Words>(part: string, english: Words): () => Spoken<Words> {
  const own = computed(() => spoken(english, translation.value?.[part] ?? english));
  return () => own.value;
}

export const words = computed(wordsOf("first", FIRST));
export const shownWords = computed(wordsOf("interaction", SHOWN));

async function load({ load: texts }: Language): Promise<Translation | null> {
  if (texts === undefined) return null;
  const [{ default: own }, { translated }] = await Promise.all([
    texts(),
    import("./words/translated.ts"),
  ]);
  return translated(own, say);
}

/** Load the words of all languages. */
export async function loadLanguages(): Promise<void> {
  for (const each of Object.values(LANGUAGES)) await load(each);
}

/** Return an object whose members are always in the chosen language, for use as a constant. */
export function inChosenLanguage<Words extends object>(words: () => Words): Words {
  return new Proxy({} as Words, { get: (_, name) => Reflect.get(words(), name) as unknown });
}

/**
 * Show the page in the language `named`, or in the browser's. If its words cannot be loaded, the
 * language stays, and that is announced.
 */
export async function chooseLanguage(named: LanguageCode | null): Promise<void> {
  const before = language.peek();
  const code = named ?? firstOf(navigator.languages.map((each) => each.split("-")[0]!));
  language.value = named;
  try {
    const found = await load(LANGUAGES[code]);
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
