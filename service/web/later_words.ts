/** The words of what is loaded later. */

import { computed } from "@preact/signals";
import { translation } from "./words.ts";
import { LATER } from "./words/en/later.ts";

export const laterWords = computed(() => translation.value?.later ?? LATER);
