/** Gradient descent on the program shown: examples, the points so far, and the current one. */

import { batch, effect, signal, untracked } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { Descending } from "../../../engine_ts/src/lab/descent.ts";
import type { Fault, Point } from "../../../engine_ts/src/lab/descent.ts";
import { addParts, countsOf, numbersOf } from "./address.ts";
import { attempt, clamp } from "./helpers.ts";
import { seeded, selectPass } from "./play.ts";
import {
  expression,
  fault,
  loadProgram,
  parameters,
  shown,
  startValues,
  values,
} from "./program.ts";
import type { Request, Values } from "./program.ts";
import { everyFrame, pass, reducedMotion, stopFrames, tab } from "./view.ts";

interface TrainingExample {
  readonly name: "line" | "neuron" | "xor";
  readonly request: Request;
  /** Rows of inputs; empty if the program contains its only row. */
  readonly rows: readonly Values[];
  readonly settings: Settings;
}

/** Settings of a descent of at most `steps` steps. */
interface Settings {
  readonly rate: number;
  readonly momentum: number;
  readonly steps: number;
}

export const USUAL_SETTINGS: Settings = { rate: 0.01, momentum: 0, steps: 20 };

const HIDDEN_UNITS = ["1", "2", "3", "4"];

/** Weights that break the symmetry, in eighths, so that each is a double. */
const XOR_WEIGHTS = {
  ...{ u1: -1, v1: 0, b1: 0.125, u2: -0.625, v2: -0.125, b2: -0.5 },
  ...{ u3: 0.375, v3: 0.375, b3: -0.5, u4: -0.125, v4: -0.625, b4: 0.125 },
  ...{ w1: 0, w2: -1, w3: -0.75, w4: 0.75, c: -0.75 },
};

const XOR_PROGRAM = [
  ...HIDDEN_UNITS.map((at) => `h${at} = tanh(u${at} * x + v${at} * y + b${at})`),
  `out = tanh(${HIDDEN_UNITS.map((at) => `w${at} * h${at}`).join(" + ")} + c)`,
  "(out - t) ** 2",
].join("; ");

export const TRAINING_EXAMPLES: readonly TrainingExample[] = [
  {
    name: "line",
    request: {
      expression: "loss = (w * x + b - y) ** 2",
      values: { w: 2, x: 3, b: 1, y: 5 },
      parameters: ["w", "b"],
    },
    rows: [],
    settings: USUAL_SETTINGS,
  },
  {
    name: "neuron",
    request: {
      expression: "n = x1 * w1 + x2 * w2 + b; o = tanh(n); loss = (o - y) ** 2",
      values: { x1: 2, x2: 0, w1: -3, w2: 1, b: 6.881373587019543, y: -1 },
      parameters: ["w1", "w2", "b"],
    },
    rows: [],
    settings: { rate: 0.05, momentum: 0, steps: 30 },
  },
  {
    name: "xor",
    request: {
      expression: XOR_PROGRAM,
      values: { ...XOR_WEIGHTS, x: -1, y: -1, t: -1 },
      parameters: Object.keys(XOR_WEIGHTS),
    },
    rows: [-1, 1].flatMap((x) => [-1, 1].map((y) => ({ x, y, t: -x * y }))),
    settings: { rate: 0.2, momentum: 0.9, steps: 40 },
  },
];

/** Milliseconds per step, by default and with reduced motion. */
const [PACE, STILL] = [140, 1_000];

export const settings = signal(USUAL_SETTINGS);
export const points = signal<readonly Point[]>([]);
/** The current point. */
export const pointIndex = signal(0);
export const training = signal(false);
/** Why the program cannot be trained; `failure` is the error that ended a descent. */
export const refusal = signal<GradientError | null>(null);
export const failure = signal<Fault | null>(null);

let descending: Descending | null = null;
let begunKey = "";

/** Return the rows over which the loss is averaged; without any, the program is the only row. */
export function rowsOf(text: string): readonly Values[] {
  return TRAINING_EXAMPLES.find(({ request }) => request.expression === text)?.rows ?? [];
}

/** Set the step size unless it is negative, which is uphill, and return whether it was set. */
export function setRate(rate: number): boolean {
  if (rate >= 0) settings.value = { ...settings.value, rate };
  return rate >= 0;
}

export function loadExample(example: TrainingExample): void {
  batch(() => {
    training.value = false;
    loadProgram(example.request);
    settings.value = example.settings;
  });
}

/** Go to a point, after computing the missing points up to it. */
export function goToPoint(step: number): void {
  batch(() => {
    const place = clamp(step, 0, settings.value.steps);
    while (points.value.length <= place) {
      const next = descending?.next();
      if (next === undefined || next.done) break;
      points.value = [...points.value, next.value];
    }
    failure.value = descending?.fault ?? null;
    pointIndex.value = Math.min(place, points.value.length - 1);
    values.value = { ...values.value, ...points.value[pointIndex.value]?.parameters };
  });
}

export function isAtEnd(): boolean {
  const isLast = pointIndex.value === points.value.length - 1;
  return pointIndex.value >= settings.value.steps || (isLast && failure.value !== null);
}

/** Train from here; from the end, train again from the start. */
export function startTraining(): void {
  if (points.value.length === 0) return;
  if (isAtEnd()) goToPoint(0);
  training.value = true;
}

export function pauseTraining(to?: number): void {
  training.value = false;
  if (to !== undefined) goToPoint(to);
}

/** The actions of the timeline's keys in training. */
export const KEYS: Readonly<Record<string, () => void>> = {
  " ": () => (training.value ? pauseTraining() : startTraining()),
  ArrowLeft: () => pauseTraining(pointIndex.value - 1),
  ArrowRight: () => pauseTraining(pointIndex.value + 1),
  Home: () => pauseTraining(0),
  End: () => pauseTraining(settings.value.steps),
};

/** Return a key of everything that a descent depends on: program, inputs and settings. */
function descentKey(): string {
  const text = expression.value;
  const [row = {}] = rowsOf(text);
  const fixed = Object.entries(shown.value.values).filter(
    ([name]) => !(name in row) && !parameters.value.includes(name),
  );
  return JSON.stringify([text, parameters.value, fixed, settings.value]);
}

/** Return whether the parameters are those of the current point. */
function isAtPoint(): boolean {
  const here = Object.entries(points.value[pointIndex.value]?.parameters ?? {});
  return here.length > 0 && here.every(([name, value]) => shown.value.values[name] === value);
}

function beginDescent(now: string): void {
  begunKey = now;
  [points.value, pointIndex.value, training.value] = [[], 0, false];
  [refusal.value, failure.value, descending] = [null, null, null];
  const rows = rowsOf(expression.value);
  const { rate: learning_rate, momentum, steps } = settings.value;
  const options = { ...(rows.length > 0 && { rows }), learning_rate, momentum, steps };
  const refused = attempt(() => {
    descending = new Descending(shown.value.document, {}, options);
    goToPoint(0);
  });
  if (refused instanceof GradientError) refusal.value = refused;
}

effect(() => {
  if (tab.value !== "train" || fault.value !== null) {
    training.value = false;
    return;
  }
  const now = descentKey();
  const isNew = now !== begunKey || (refusal.value === null && !isAtPoint());
  untracked(() => {
    if (pass.value !== "backward") selectPass("backward");
    seeded.value = true;
    if (isNew) batch(() => beginDescent(now));
  });
});

effect(() => {
  if (!training.value) return;
  const pace = reducedMotion.matches ? STILL : PACE;
  let waited = 0;
  everyFrame("training", (elapsed) => {
    waited += elapsed;
    if (waited < pace) return true;
    waited %= pace;
    goToPoint(pointIndex.peek() + 1);
    if (isAtEnd()) training.value = false;
    return training.peek();
  });
  return () => stopFrames("training");
});

effect(() => {
  const isDescent = tab.value === "train" && fault.value === null;
  startValues.value = isDescent ? (points.value[0]?.parameters ?? {}) : {};
});

/** The maximum number of steps of a descent that an address may set. */
const MAX_STEPS = 200;

const isTraining = () => tab.value === "train" && points.value.length > 0;

function settingsText({ rate, momentum, steps }: Settings): string {
  return [rate, momentum, steps].join(":");
}

addParts([
  {
    name: "rate",
    isEdit: true,
    write() {
      const [now, usual] = [settings.value, USUAL_SETTINGS].map(settingsText);
      return isTraining() && now !== usual ? now! : "";
    },
    read(text) {
      const [rate, momentum, steps] = numbersOf(text, [-1, 0, 0]);
      const isOne = rate >= 0 && momentum >= 0 && momentum < 1 && steps > 0 && steps <= MAX_STEPS;
      const found = { rate, momentum, steps: Math.round(steps) };
      settings.value = isOne ? found : USUAL_SETTINGS;
    },
  },
  {
    name: "n",
    write: () => (isTraining() && pointIndex.value > 0 ? String(pointIndex.value) : ""),
    read(text) {
      const [place = 0] = countsOf(text);
      if (isTraining() && place !== pointIndex.value) pauseTraining(place);
    },
  },
]);
