/** The languages of the page, and the words of each. */

import type { AccuracyWords } from "./en/accuracy.ts";
import type { CodeWords } from "./en/code.ts";
import type { LaterWords } from "./en/later.ts";
import type { LessonWords } from "./en/lesson.ts";
import type { Words } from "./en/first.ts";
import type { TrainingWords } from "./en/training.ts";

/** All words of a language, by the file that they are needed in. */
export interface Translation {
  readonly first: Words;
  readonly later: LaterWords;
  readonly accuracy: AccuracyWords;
  readonly code: CodeWords;
  readonly training: TrainingWords;
  readonly lesson: LessonWords;
}

export type Code = "en" | "es" | "et" | "ru";

/** A language by its own name, and how its words are loaded; those of English are in the page. */
interface Language {
  readonly name: string;
  readonly load: () => Promise<Translation | null>;
}

export const LANGUAGES: Readonly<Record<Code, Language>> = {
  en: { name: "English", load: () => Promise.resolve(null) },
  es: { name: "Español", load: () => import("./es/es.ts") },
  et: { name: "Eesti", load: () => import("./et/et.ts") },
  ru: { name: "Русский", load: () => import("./ru/ru.ts") },
};

/** The first of these that there is, or English. */
function firstOf(wanted: readonly string[]): Code {
  return (wanted.find((each) => Object.hasOwn(LANGUAGES, each)) ?? "en") as Code;
}

/** The language that an address names, English in place of one that there is not; null for none. */
export function languageOf(hash: string): Code | null {
  const named = /(?:^#?|&)lang=([^&]+)/.exec(hash)?.[1];
  return named === undefined ? null : firstOf([named]);
}

/** The language that the browser's owner likes best. */
export function ownLanguage(): Code {
  return firstOf(navigator.languages.map((each) => each.split("-")[0]!));
}
