/** The program that is looked at: its text, its values, and the document or the fault they make. */

import { own } from "./own.ts";
import { computed, signal } from "@preact/signals";
import type { Document } from "../../../engine_ts/src/document.ts";
import { GradientError, LimitExceeded } from "../../../engine_ts/src/errors.ts";
import { differentiate, prepare } from "../../../engine_ts/src/introspect.ts";
import type { Prepared } from "../../../engine_ts/src/introspect.ts";

export type Values = Readonly<Record<string, number>>;

/** A request, as the service takes it. */
export interface Program {
  readonly expression: string;
  readonly values: Values;
  readonly parameters: readonly string[];
}

/** What is shown: a program that could be computed, and all that was computed. */
export interface Shown extends Program {
  readonly document: Document;
  readonly prepared: Prepared;
}

/** The value of a variable that was just written for the first time. */
const NEW_VALUE = 1;

/** More than any preset has; a larger text is the work of a program, which has the API. */
export const MOST_CHARACTERS = 4_000;
const MOST_NODES = 2_000;

export const expression = signal("(a + b) * c");
export const values = signal<Values>({ a: 2, b: -3, c: 10 });
export const parameters = signal<readonly string[]>([]);

/** Whether derived operations are built from primitives, and each arrow says its local derivative. */
export const expanded = signal(false);

type Attempt = Shown | GradientError;

const view = computed(() => (expanded.value ? "primitive" : "folded"));

const prepared = computed(() => {
  const text = expression.value;
  return attempt(() => {
    if (text.length <= MOST_CHARACTERS) return prepare(text, view.value, { nodes: MOST_NODES });
    const found = { name: "characters", limit: MOST_CHARACTERS, actual: text.length };
    const span = { start: MOST_CHARACTERS, end: text.length };
    const message = `the expression is too long; at most ${MOST_CHARACTERS} characters are drawn`;
    throw new LimitExceeded(message, span, found);
  });
});

/** The program as it is written now, or why it cannot be computed. */
const latest = computed((): Attempt => {
  const ready = prepared.value;
  if (ready instanceof GradientError) return ready;
  const all = values.value;
  const names = [...ready.graph.variables.keys()];
  const wanted = Object.fromEntries(names.map((name) => [name, own(all, name) ?? NEW_VALUE]));
  const marked = parameters.value.filter((name) => ready.graph.variables.has(name));
  return attempt(() => computedOf(expression.value, wanted, marked, ready));
});

/** Every value is a finite number and every parameter a variable, so the engine need not check. */
function computedOf(text: string, wanted: Values, marked: string[], ready: Prepared): Shown {
  const request = {
    expression: text,
    values: new Map(Object.entries(wanted)),
    parameters: marked,
    view: view.value,
  } as const;
  const document = differentiate(ready, request);
  return { expression: text, values: wanted, parameters: marked, document, prepared: ready };
}

/** Why nothing can be computed, or null. */
export const fault = computed(() => (latest.value instanceof GradientError ? latest.value : null));

let last: Shown | null = null;

/** The last program that could be computed; what is shown never goes away because of a typo. */
export const shown = computed((): Shown => {
  if (!(latest.value instanceof GradientError)) last = latest.value;
  return last ?? FIRST;
});

/** Changes only where the graph does, and not with the values. */
export const structure = computed(() => shown.value.prepared);

/** Give a variable a value, and say whether it took it. */
export function setValue(name: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  values.value = { ...values.value, [name]: value };
  return true;
}

export function toggleParameter(name: string): void {
  const marked = parameters.value;
  parameters.value = marked.includes(name)
    ? marked.filter((each) => each !== name)
    : [...marked, name];
}

/** Take a whole program; values that it does not mention are forgotten. */
export function take(program: Omit<Program, "parameters"> & Partial<Program>): void {
  expression.value = program.expression;
  values.value = program.values;
  parameters.value = program.parameters ?? [];
}

function attempt<T>(work: () => T): T | GradientError {
  try {
    return work();
  } catch (reason) {
    if (reason instanceof GradientError) return reason;
    throw reason;
  }
}

/** What is shown where the very first program is faulty. */
const FIRST = computedOf("a + b", { a: 1, b: 1 }, [], prepare("a + b"));
