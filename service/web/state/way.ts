/** Which way the pulse goes. */

import { signal } from "@preact/signals";

export type Way = "forward" | "sort" | "backward";
export const WAYS: readonly Way[] = ["forward", "sort", "backward"];

export const way = signal<Way>("backward");
