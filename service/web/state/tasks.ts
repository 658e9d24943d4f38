/** The lessons' tasks and questions: which is being done, and which the page has seen done. */

import { batch, effect, signal } from "@preact/signals";
import { remember, remembered } from "./memory.ts";
import { readNumber } from "./number.ts";
import { given, guesses, isClose, predict } from "./guesses.ts";
import { atEnd, goTo, seeded, way } from "./play.ts";
import { expression, shown, take, taken } from "./program.ts";
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

/** Where the browser keeps what was done. */
const PLACE = "gradient-sandbox-tasks";

export const TASKS: readonly Task[] = [
  {
    name: "predict",
    request: SUM,
    isDone: ({ expression }) =>
      expression === SUM.expression && !guesses.value.isOpen && given.value.size === 0,
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
      if (way.value !== "backward" || !seeded.value || !atEnd.value) return false;
      return new Set(edges.map(({ from, to }) => `${from} ${to}`)).size < edges.length;
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
export const done = signal(
  remembered(
    PLACE,
    TASKS.map(({ name }) => name),
  ),
);

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
  if (expression.value !== request.expression) take(request);
  isRight.value = isClose(readNumber(answer.value), shown.value.document.gradients[of]!);
}

// A task is done also by who has not pressed Start; but not by a program that came as it is.
let [from, came]: [object, readonly Task["name"][]] = [{}, []];
effect(() => {
  const now = shown.value;
  const met = TASKS.filter((task) => task.isDone(now)).map(({ name }) => name);
  came = taken.value === from ? came.filter((name) => met.includes(name)) : met;
  from = taken.value;
  const fresh = met.filter((name) => !came.includes(name) && !done.peek().has(name));
  if (fresh.length === 0) return;
  done.value = new Set([...done.peek(), ...fresh]);
  if (fresh.includes(doing.peek()!)) doing.value = null;
  remember(PLACE, done.peek());
});
