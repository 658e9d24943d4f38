/** The lessons' tasks and questions: which is being done, and which the page has seen done. */

import { batch, effect, signal } from "@preact/signals";
import { readNumber } from "./number.ts";
import { CLOSE, given, guesses, predict } from "./guesses.ts";
import { atEnd, goTo, seeded, way } from "./play.ts";
import { expression, shown, take } from "./program.ts";
import type { Request, Shown } from "./program.ts";
import { tab } from "./view.ts";

/** What the page watches for, and the program to begin with. */
interface Task {
  readonly name: "predict" | "dead" | "twice" | "negative";
  readonly request: Omit<Request, "parameters">;
  readonly isDone: (now: Shown) => boolean;
}

/** A question with a number for an answer: the gradient of a variable. */
export interface Question {
  readonly of: string;
  readonly request: Omit<Request, "parameters">;
}

const SUM = { expression: "(a + b) * c", values: { a: 2, b: -3, c: 10 } };
const NEURON = {
  expression: "x1w1 = x1 * w1; x2w2 = x2 * w2; s = x1w1 + x2w2; n = s + b; o = tanh(n)",
  values: { x1: 2, x2: 0, w1: -3, w2: 1, b: 6.881373587019543 },
};
const DIAMOND = { expression: "b = a + 1; c = a * 3; d = b * c", values: { a: 2 } };
const RISING = { expression: "a + 2 * b", values: { a: 1, b: 1 } };

export const TASKS: readonly Task[] = [
  {
    name: "predict",
    request: SUM,
    isDone: () => !guesses.value.isOpen && guesses.value.names.length > 1 && given.value.size === 0,
  },
  {
    name: "dead",
    request: { expression: "relu(a * b)", values: { a: 2, b: 3 } },
    isDone: ({ document: { nodes, edges } }) =>
      edges.some(({ from, to }) => nodes[to]!.operation === "relu" && nodes[from]!.data < 0),
  },
  {
    name: "twice",
    request: { expression: "a * a", values: { a: 3 } },
    isDone: ({ document: { edges } }) => {
      const isTwice = edges.some((one) =>
        edges.some((other) => other.id > one.id && other.from === one.from && other.to === one.to),
      );
      return isTwice && way.value === "backward" && seeded.value && atEnd.value;
    },
  },
  {
    name: "negative",
    request: RISING,
    isDone: ({ document: { gradients } }) => Object.values(gradients).some((each) => each < 0),
  },
];

export const QUESTIONS: readonly Question[] = [
  { of: "a", request: SUM },
  { of: "b", request: SUM },
  { of: "w1", request: NEURON },
  { of: "a", request: DIAMOND },
];

export const doing = signal<Task["name"] | null>(null);
export const done = signal<ReadonlySet<Task["name"]>>(new Set());

/** The question that is open, what is typed, and what was answered: null is not yet. */
export const asked = signal(0);
export const answer = signal("");
export const isRight = signal<boolean | null>(null);

export function start(task: Task): void {
  batch(() => {
    take(task.request);
    doing.value = task.name;
    if (task.name === "predict") predict();
    else tab.value = "values";
  });
}

/** Put the graph of a question on the stage, with nothing given away. */
export function ask(place: number): void {
  batch(() => {
    [asked.value, answer.value, isRight.value] = [place, "", null];
    const { request } = QUESTIONS[place]!;
    if (request.expression !== expression.peek()) take(request);
    predict();
    goTo(0);
  });
}

export function checkAnswer(): void {
  const { of, request } = QUESTIONS[asked.value]!;
  const number = readNumber(answer.value);
  if (expression.value !== request.expression) take(request);
  const gradient = shown.value.document.gradients[of]!;
  isRight.value = number !== null && Math.abs(number - gradient) <= CLOSE * Math.abs(gradient);
}

effect(() => {
  const now = shown.value;
  const task = TASKS.find(({ name }) => name === doing.value);
  if (task === undefined || !task.isDone(now)) return;
  done.value = new Set([...done.peek(), task.name]);
  doing.value = null;
});
