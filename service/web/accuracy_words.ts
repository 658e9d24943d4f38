/** The words of what is loaded with the accuracy of numbers. */

import { computed } from "@preact/signals";
import { translation } from "./words.ts";
import { ACCURACY } from "./words/en/accuracy.ts";

export const accuracyWords = computed(() => translation.value?.accuracy ?? ACCURACY);
