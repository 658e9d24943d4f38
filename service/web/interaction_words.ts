/** The words of what is loaded after the first sight. */

import { computed } from "@preact/signals";
import { INTERACTION } from "./words/en.ts";
import { wordsOf } from "./words.ts";

export const interactionWords = computed(wordsOf("interaction", INTERACTION));

/** Words that are those of the chosen language whenever one is read, so that a file has them as a constant. */
export function inChosenLanguage<Words extends object>(words: () => Words): Words {
  return new Proxy({} as Words, { get: (_, name) => Reflect.get(words(), name) as unknown });
}
