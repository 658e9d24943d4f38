/** The words of what is loaded with a scene. */

import { computed } from "@preact/signals";
import { translation } from "./words.ts";
import { LESSON } from "./words/en/lesson.ts";

export const lessonWords = computed(() => translation.value?.lesson ?? LESSON);
