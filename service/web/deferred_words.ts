/** The words of what is loaded after the first sight. */

import { computed } from "@preact/signals";
import { DEFERRED } from "./words/en.ts";
import { translation } from "./words.ts";

export const deferredWords = computed(() => translation.value?.deferred ?? DEFERRED);
