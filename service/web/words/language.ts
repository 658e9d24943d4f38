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

function isCode(name: string): name is Code {
  return Object.hasOwn(LANGUAGES, name);
}

/** The browser's language, of those that there are. */
export function spokenHere(): Code {
  return navigator.languages.map((each) => each.slice(0, 2)).find(isCode) ?? "en";
}

/** The language that an address names; else a lesson's is the browser's, and the page's English. */
export function languageOf(hash: string): Code {
  const [, named] = /(?:^#?|&)lang=(\w+)/.exec(hash) ?? [];
  if (named === undefined && /(?:^#?|&)lesson=/.test(hash)) return spokenHere();
  return isCode(named ?? "") ? (named as Code) : "en";
}
