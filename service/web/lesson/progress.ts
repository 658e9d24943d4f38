/** How far a person has come in the lesson, which the browser keeps. */

import { computed, effect, signal } from "@preact/signals";
import { remember, remembered } from "../state/memory.ts";
import { isRight, lesson } from "../state/scene.ts";
import { language } from "../state/view.ts";
import { END, LAST, NAMES, SCENES } from "./scenes.ts";
import type { SceneName } from "./scenes.ts";

/** Where the browser keeps which scenes are done. */
const PLACE = "gradient-sandbox-lesson";

export const done = signal(remembered(PLACE, NAMES));

/** The scene that is shown; null where a lesson is at its end, or there is none. */
export const scene = computed(() => NAMES.find((name) => name === lesson.value) ?? null);

/** What comes after a scene. */
export function after(name: SceneName): SceneName | typeof END {
  return NAMES[NAMES.indexOf(name) + 1] ?? END;
}

/** The address of a scene, or of the end; it says the language where the browser's is another. */
export function linkOf(name: SceneName | typeof END): string {
  const lang = language.value === null ? "" : `&lang=${language.value}`;
  return `#lesson=${name}${lang}`;
}

/** `lesson=NAME` -> all that the scene is; of a name that there is not, the first that is not done. */
export function sceneOf(hash: string): string {
  const [, named, rest] = /^lesson=(\w*)(.*)$/.exec(hash)!;
  const name = NAMES.find((each) => each === named) ?? NAMES.find((each) => !done.peek().has(each));
  if (named === END || name === undefined) return `${LAST}&lesson=${END}${rest}`;
  return `${SCENES[name]}&lesson=${name}${rest}`;
}

effect(() => {
  const name = scene.value;
  if (!isRight.value || name === null || done.peek().has(name)) return;
  done.value = new Set([...done.peek(), name]);
  remember(PLACE, done.peek());
});
