/** Descent on the parameters of what is shown: its points so far, and the one that is looked at. */

import { batch, effect, signal, untracked } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { Descending } from "../../../engine_ts/src/lab/descent.ts";
import type { Fault, Point } from "../../../engine_ts/src/lab/descent.ts";
import { attempt } from "./attempt.ts";
import { LESSONS } from "./lessons.ts";
import type { Lesson, Row } from "./lessons.ts";
import { clamp } from "./number.ts";
import { seeded, speed, turn, way } from "./play.ts";
import { expression, fault, parameters, shown, take, values } from "./program.ts";
import { reducedMotion, tab } from "./view.ts";

/** Milliseconds for a step. */
const [PACE, STILL] = [140, 1_000];

export const rate = signal(0.01);
export const momentum = signal(0);
/** How many steps are made at most. */
export const steps = signal(20);

export const points = signal<readonly Point[]>([]);
/** The point that is looked at. */
export const at = signal(0);
export const training = signal(false);
/** Why nothing can be trained, or what ended it. */
export const trouble = signal<GradientError | null>(null);
export const ended = signal<Fault | null>(null);

let descending: Descending | null = null;
let begun = "";

/** The rows that the loss is a mean of; one without any is the program as it is. */
export function rowsOf(text: string): readonly Row[] {
  return LESSONS.find(({ request }) => request.expression === text)?.rows ?? [];
}

/** Set the step size, and say whether it is one: a step uphill is none. */
export function setRate(size: number): boolean {
  if (size < 0) return false;
  rate.value = size;
  return true;
}

export function learn({ request, settings }: Lesson): void {
  batch(() => {
    training.value = false;
    take(request);
    [rate.value, momentum.value, steps.value] = [settings.rate, settings.momentum, settings.steps];
  });
}

/** Look at a point; what has not been computed yet is. */
export function lookAt(step: number): void {
  batch(() => {
    const place = clamp(step, 0, steps.value);
    while (points.value.length <= place) {
      const next = descending?.next();
      if (next === undefined || next.done) break;
      points.value = [...points.value, next.value];
    }
    ended.value = descending?.fault ?? null;
    at.value = Math.min(place, points.value.length - 1);
    values.value = { ...values.value, ...points.value[at.value]?.parameters };
  });
}

export function isAtEnd(): boolean {
  const isLast = at.value === points.value.length - 1;
  return at.value >= steps.value || (isLast && ended.value !== null);
}

/** Train on from here, or once more from the start. */
export function train(): void {
  if (points.value.length === 0) return;
  if (isAtEnd()) lookAt(0);
  training.value = true;
}

export function pause(to?: number): void {
  training.value = false;
  if (to !== undefined) lookAt(to);
}

/** What a descent depends on: another program, other inputs or another step size is another one. */
function key(): string {
  const text = expression.value;
  const [row = {}] = rowsOf(text);
  const fixed = Object.entries(shown.value.values).filter(
    ([name]) => !(name in row) && !parameters.value.includes(name),
  );
  return JSON.stringify([text, parameters.value, fixed, rate.value, momentum.value, steps.value]);
}

/** Whether the parameters are where the descent has brought them. */
function isOurs(): boolean {
  const here = Object.entries(points.value[at.value]?.parameters ?? {});
  return here.length > 0 && here.every(([name, value]) => shown.value.values[name] === value);
}

function begin(now: string): void {
  begun = now;
  [points.value, at.value, training.value] = [[], 0, false];
  [trouble.value, ended.value, descending] = [null, null, null];
  const rows = rowsOf(expression.value);
  const refused = attempt(() => {
    descending = new Descending(shown.value.document, {
      ...(rows.length > 0 && { rows }),
      learning_rate: rate.value,
      momentum: momentum.value,
      steps: steps.value,
    });
    lookAt(0);
  });
  if (refused instanceof GradientError) trouble.value = refused;
}

effect(() => {
  if (tab.value !== "train" || fault.value !== null) {
    training.value = false;
    return;
  }
  const now = key();
  const isNew = now !== begun || (trouble.value === null && !isOurs());
  untracked(() => {
    if (way.value !== "backward") turn("backward");
    seeded.value = true;
    if (isNew) batch(() => begin(now));
  });
});

effect(() => {
  if (!training.value) return;
  const timer = setInterval(
    () => {
      lookAt(at.peek() + 1);
      if (isAtEnd()) training.value = false;
    },
    (reducedMotion.matches ? STILL : PACE) / speed.value,
  );
  return () => clearInterval(timer);
});
