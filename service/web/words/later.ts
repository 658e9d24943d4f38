/** The words of what is loaded later. */

import { computed } from "@preact/signals";
import { LATER } from "./en/later.ts";
import { translation } from "./language.ts";

export type { LaterWords } from "./en/later.ts";

export const laterWords = computed(() => translation.value?.later ?? LATER);
