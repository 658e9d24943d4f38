/** The depth-first sort as the stage plays it: its beats, and the choice of who is called first. */

import { signal } from "@preact/signals";
import type { Tick } from "./beats.ts";

/** Nothing until what finds them is loaded. */
export const beats = signal<readonly Tick[]>([]);
/** Whether of two operands the right one is called first; the engine calls the left one. */
export const rightFirst = signal(false);
