/** Tasks: that of an address with its answer, the lessons' tasks and quiz, and which are done. */

import { batch, computed, effect, signal } from "@preact/signals";
import { givenAway, guesses, isClose, startPredicting } from "./guesses.ts";
import { ownValue, readNumber } from "./helpers.ts";
import { atEnd, goTo, seeded } from "./play.ts";
import { expression, loadedProgram, loadProgram, shown, START } from "./program.ts";
import type { Request, ShownProgram } from "./program.ts";
import { pass, tab } from "./view.ts";

export const caption = signal("");
export const task = signal("");
/** A number, or the variable whose gradient is the answer. */
export const taskAnswer = signal("");
/** The name of the current scene of the page's own lesson. */
export const lesson = signal("");

/** A teacher's lecture: the addresses of its scenes, and which one is shown, from 0. */
export const scenes = signal<readonly string[]>([]);
export const sceneIndex = signal(0);

export const isScene = computed(
  () => scenes.value.length > 0 || [caption, task, lesson].some(({ value }) => value !== ""),
);

/** The typed answer, and whether it is right; null until it is checked. */
export const reply = signal("");
export const isReplyRight = signal<boolean | null>(null);

/** The correct answer; null if the address has none. */
export const expected = computed(
  () =>
    readNumber(taskAnswer.value) ??
    ownValue(shown.value.document.gradients, taskAnswer.value) ??
    null,
);

export function checkReply(): void {
  if (expected.value !== null)
    isReplyRight.value = isClose(readNumber(reply.value), expected.value);
}

export function leaveScene(): void {
  batch(() => {
    [caption, task, taskAnswer, lesson].forEach((each) => (each.value = ""));
    scenes.value = [];
  });
}

// A new task needs a new answer.
effect(() => {
  void [task.value, taskAnswer.value, lesson.value, sceneIndex.value];
  batch(() => ([reply.value, isReplyRight.value] = ["", null]));
});

/** A task: its first program, and the condition that completes it. */
interface Task {
  readonly name: "predict" | "dead" | "twice" | "negative";
  readonly request: Omit<Request, "parameters">;
  readonly isDone: (now: ShownProgram) => boolean;
}

/** A question whose answer is the gradient of a variable. */
interface Question {
  readonly of: string;
  readonly request: Omit<Request, "parameters">;
}

const NEURON = {
  expression: "x1w1 = x1 * w1; x2w2 = x2 * w2; s = x1w1 + x2w2; n = s + b; o = tanh(n)",
  values: { x1: 2, x2: 0, w1: -3, w2: 1, b: 6.881373587019543 },
};
const DIAMOND = { expression: "b = a + 1; c = a * 3; d = b * c", values: { a: 2 } };

/** The storage key of the tasks that are done. */
const TASKS_KEY = "gradient-sandbox-tasks";

export const TASKS: readonly Task[] = [
  {
    name: "predict",
    request: START,
    isDone: ({ expression }) =>
      expression === START.expression && !guesses.value.isOpen && givenAway.value.size === 0,
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
      if (pass.value !== "backward" || !seeded.value || !atEnd.value) return false;
      return new Set(edges.map(({ from, to }) => `${from} ${to}`)).size < edges.length;
    },
  },
  {
    name: "negative",
    request: { expression: "a + 2 * b", values: { a: 1, b: 1 } },
    isDone: ({ document: { gradients } }) => Object.values(gradients).some((each) => each < 0),
  },
];

export const QUIZ: readonly Question[] = [
  { of: "a", request: START },
  { of: "b", request: START },
  { of: "w1", request: NEURON },
  { of: "a", request: DIAMOND },
];

export const doing = signal<Task["name"] | null>(null);
export const done = signal(
  storedNames(
    TASKS_KEY,
    TASKS.map(({ name }) => name),
  ),
);

/** The open question, the typed answer, and whether it is right; null until it is checked. */
export const quizIndex = signal(0);
export const quizReply = signal("");
export const isQuizRight = signal<boolean | null>(null);

export function startTask(task: Task): void {
  batch(() => {
    loadProgram(task.request);
    doing.value = task.name;
    if (task.name === "predict") startPredicting();
    else tab.value = "values";
  });
}

/** Put a question's graph on the stage, without its answer. */
export function showQuizQuestion(place: number): void {
  batch(() => {
    [quizIndex.value, quizReply.value, isQuizRight.value] = [place, "", null];
    const { request } = QUIZ[place]!;
    if (request.expression !== expression.peek()) loadProgram(request);
    startPredicting();
    goTo(0);
  });
}

export function checkQuizReply(): void {
  const { of, request } = QUIZ[quizIndex.value]!;
  if (expression.value !== request.expression) loadProgram(request);
  isQuizRight.value = isClose(readNumber(quizReply.value), shown.value.document.gradients[of]!);
}

// A task can be done without Start, but not by a program that satisfies it as loaded.
let [watched, metBefore]: [object, readonly Task["name"][]] = [{}, []];
effect(() => {
  const now = shown.value;
  const met = TASKS.filter((task) => task.isDone(now)).map(({ name }) => name);
  metBefore =
    loadedProgram.value === watched ? metBefore.filter((name) => met.includes(name)) : met;
  watched = loadedProgram.value;
  const fresh = met.filter((name) => !metBefore.includes(name) && !done.peek().has(name));
  if (fresh.length === 0) return;
  done.value = new Set([...done.peek(), ...fresh]);
  if (fresh.includes(doing.peek()!)) doing.value = null;
  storeNames(TASKS_KEY, done.peek());
});

/** Return those of `names` that are stored under the key `place`. */
export function storedNames<T extends string>(place: string, names: readonly T[]): ReadonlySet<T> {
  try {
    const kept = (localStorage.getItem(place) ?? "").split(",");
    return new Set(names.filter((name) => kept.includes(name)));
  } catch {
    return new Set();
  }
}

export function storeNames(place: string, names: ReadonlySet<string>): void {
  try {
    localStorage.setItem(place, [...names].join(","));
  } catch {
    // Without storage the task is still done.
  }
}
