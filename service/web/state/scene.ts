/** What an address says to whom it is sent: a caption, a task, and the number that is its answer. */

import { batch, computed, effect, signal } from "@preact/signals";
import { isClose } from "./guesses.ts";
import { readNumber } from "./number.ts";
import { own } from "./own.ts";
import { shown } from "./program.ts";

export const caption = signal("");
export const task = signal("");
/** A number, or the name of the variable whose gradient it is. */
export const answer = signal("");
/** The scene of the page's own lesson that is shown, by its name. */
export const lesson = signal("");

export const isScene = computed(() => [caption, task, lesson].some(({ value }) => value !== ""));

/** What was answered, and whether that is right; null is not checked yet. */
export const reply = signal("");
export const isRight = signal<boolean | null>(null);

/** The number that is right; null where the address names none. */
export const expected = computed(
  () => readNumber(answer.value) ?? own(shown.value.document.gradients, answer.value) ?? null,
);

export function checkReply(): void {
  if (expected.value !== null) isRight.value = isClose(readNumber(reply.value), expected.value);
}

export function leave(): void {
  batch(() => [caption, task, answer, lesson].forEach((each) => (each.value = "")));
}

// Another task has another answer.
effect(() => {
  void [task.value, answer.value, lesson.value];
  batch(() => ([reply.value, isRight.value] = ["", null]));
});
