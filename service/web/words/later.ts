/** The words of what is loaded later. */

import { signal } from "@preact/signals";
import { LATER } from "./en/later.ts";
import type { LaterWords } from "./en/later.ts";

export const laterWords = signal<LaterWords>(LATER);
