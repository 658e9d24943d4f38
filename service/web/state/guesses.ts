/** Guesses of the gradients, and their verdicts. */

import { batch, computed, effect, signal } from "@preact/signals";
import { ownValue, readNumber } from "./helpers.ts";
import { goTo, revealed } from "./play.ts";
import { expression, fault, shown } from "./program.ts";
import { pass, tab } from "./view.ts";
import type { Tab } from "./view.ts";

/** Return whether `guess` agrees with `right` to about four digits. */
export function isClose(guess: number | null, right: number): boolean {
  return guess !== null && Math.abs(guess - right) <= 5e-4 * Math.max(1, Math.abs(right));
}

/** The typed texts, by variable. */
export const typed = signal<Readonly<Record<string, string>>>({});
/** The texts of the guesses when they were last checked. */
export const checked = signal<Readonly<Record<string, string>>>({});
/** Variables whose gradients were revealed on request. */
export const givenAway = signal<ReadonlySet<string>>(new Set());

/** Whether a shared link contains the guesses; only on request. */
export const withGuesses = signal(false);

export type Verdict = "open" | "right" | "wrong" | "no number" | "given";

export const guesses = computed(() => {
  const { gradients } = shown.value.document;
  const names = Object.keys(gradients);
  const verdicts = new Map(names.map((name) => [name, verdictOf(name, gradients[name]!)]));
  const right = new Set(names.filter((name) => ["right", "given"].includes(verdicts.get(name)!)));
  return { isOpen: right.size < names.length, names, verdicts, right };
});

/** Whether gradients still have to be predicted. */
export const isPredicting = computed(() => tab.value === "predict" && guesses.value.isOpen);

/** Whether the pass can be played; a backward pass would reveal the answers of a prediction. */
export const isPlayable = computed(
  () => fault.value === null && !(isPredicting.value && pass.value === "backward"),
);

function verdictOf(name: string, gradient: number): Verdict {
  if (givenAway.value.has(name)) return "given";
  const text = ownValue(checked.value, name);
  if (text === undefined || text !== ownValue(typed.value, name)) return "open";
  const guess = readNumber(text);
  if (guess === null) return "no number";
  return isClose(guess, gradient) ? "right" : "wrong";
}

export function checkGuesses(): void {
  checked.value = Object.fromEntries(Object.entries(typed.value).filter(([, text]) => text.trim()));
}

export function giveAway(name: string): void {
  givenAway.value = new Set([...givenAway.value, name]);
}

/** Start to predict, and hide everything that would reveal the answers. */
export function startPredicting(): void {
  batch(() => {
    pass.value = "backward";
    tab.value = "predict";
    hideAnswers();
  });
}

function hideAnswers(): void {
  revealed.value = false;
  goTo(0);
}

/** Open a tab, and hide the answers to its questions. */
export function openTab(to: Tab): void {
  if (to === "predict" && tab.peek() !== to && guesses.peek().isOpen) startPredicting();
  else tab.value = to;
}

// A new program or new values have new gradients, so the guesses are cleared.
let previousProgram = "";
effect(() => {
  const now = JSON.stringify([expression.value, shown.value.values]);
  if (now === previousProgram) return;
  previousProgram = now;
  batch(() => {
    typed.value = {};
    checked.value = {};
    givenAway.value = new Set();
    if (tab.peek() === "predict") hideAnswers();
  });
});
