/** The words of what is loaded with the code of the backward pass. */

import { computed } from "@preact/signals";
import { translation } from "./words.ts";
import { CODE } from "./words/en/code.ts";

export const codeWords = computed(() => translation.value?.code ?? CODE);
