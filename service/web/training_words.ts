/** The words of what is loaded with the room where parameters learn. */

import { computed } from "@preact/signals";
import { translation } from "./words.ts";
import { TRAINING } from "./words/en/training.ts";

export const trainingWords = computed(() => translation.value?.training ?? TRAINING);
