/** Parts that what is loaded later loads when they are asked for. */

import { part } from "./lazy.tsx";

export const { ready: loadLesson, lazy: lazyLesson } = part(() => import("./lesson.ts"));
export const { lazy: lazyTaking } = part(() => import("./taking.ts"));
