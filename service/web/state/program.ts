/** The program: its text, its values, and the resulting document or fault. */

import { batch, computed, signal } from "@preact/signals";
import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import { GradientError, LimitExceeded } from "../../../engine_ts/src/errors.ts";
import { forward } from "../../../engine_ts/src/forward.ts";
import { differentiate, prepareText } from "../../../engine_ts/src/introspect.ts";
import type { Prepared } from "../../../engine_ts/src/introspect.ts";
import { attempt, ownValue } from "./helpers.ts";

export type Values = Readonly<Record<string, number>>;

/** A request: an expression with its values, as the service takes it. */
export interface Request {
  readonly expression: string;
  readonly values: Values;
  readonly parameters: readonly string[];
}

/** A valid program with a value for each of its variables. */
interface EditableProgram extends Request {
  readonly prepared: Prepared;
  readonly document?: GradientDocument;
}

/** The program that is shown, with its result. */
export interface ShownProgram extends EditableProgram {
  readonly document: GradientDocument;
}

/** The value of a new variable. */
const NEW_VALUE = 1;

/** More than any example has; larger texts, which programs write, are for the API. */
export const MAX_CHARACTERS = 4_000;
const MAX_NODES = 2_000;

/** The program that the page starts with. */
export const START: Request = {
  expression: "(a + b) * c",
  values: { a: 2, b: -3, c: 10 },
  parameters: [],
};

/** The last program that was loaded as a whole. */
export const loadedProgram = signal(START);
export const expression = signal(START.expression);
export const values = signal(START.values);
export const parameters = signal(START.parameters);
/** The parameters at the start of a descent; a link repeats the descent from there. */
export const startValues = signal<Values>({});

/** Whether derived operations are built from primitives and arrows show local derivatives. */
export const expanded = signal(false);

const view = computed(() => (expanded.value ? "primitive" : "folded"));

const prepared = computed(() => {
  const text = expression.value;
  return attempt(() => {
    if (text.length <= MAX_CHARACTERS) return prepareText(text, view.value, { nodes: MAX_NODES });
    const found = { name: "characters", limit: MAX_CHARACTERS, actual: text.length };
    const span = { start: MAX_CHARACTERS, end: text.length };
    const message = `the expression is too long; at most ${MAX_CHARACTERS} characters are drawn`;
    throw new LimitExceeded(message, span, found);
  });
});

/** The program as it is typed now, or why it is invalid. */
const parsed = computed((): EditableProgram | GradientError => {
  const ready = prepared.value;
  if (ready instanceof GradientError) return ready;
  const all = values.value;
  const names = [...ready.graph.variables.keys()];
  return {
    expression: expression.value,
    values: Object.fromEntries(names.map((name) => [name, ownValue(all, name) ?? NEW_VALUE])),
    parameters: parameters.value.filter((name) => ready.graph.variables.has(name)),
    prepared: ready,
  };
});

/** The program with its result, or why it has none. */
const evaluated = computed((): ShownProgram | GradientError => {
  const now = parsed.value;
  return now instanceof GradientError ? now : attempt(() => evaluate(now));
});

/** Compute a document; values are finite and parameters are variables, so no check is needed. */
function evaluate(program: EditableProgram): ShownProgram {
  const values = new Map(Object.entries(program.values));
  const document = differentiate(program.prepared, { ...program, values, view: view.value });
  return { ...program, document };
}

/** Why there is no result, or null. */
export const fault = computed(() =>
  evaluated.value instanceof GradientError ? evaluated.value : null,
);

let lastGood: ShownProgram | null = null;

/** The program before its text was edited; null if that was invalid. */
export const beforeEdit = signal<ShownProgram | null>(null);

/** Remember the current program, which the user can restore after any edit. */
export function beginEditing(): void {
  if (fault.peek() === null) beforeEdit.value = shown.peek();
}

/** The last program with a result: a typo never clears the page. */
export const shown = computed((): ShownProgram => {
  if (!(evaluated.value instanceof GradientError)) lastGood = evaluated.value;
  return lastGood ?? FALLBACK;
});

/** The program to edit: the one shown, or a valid one without a result for its values. */
export const editable = computed((): EditableProgram => {
  const now = parsed.value;
  return fault.value === null || now instanceof GradientError ? shown.value : now;
});

/** The program for an address; an invalid text keeps every value, since it may use any of them. */
export const shareable = computed((): Request => {
  if (!(parsed.value instanceof GradientError)) return parsed.value;
  return { expression: expression.value, values: values.value, parameters: parameters.value };
});

/** The graph shown and its text: they change with the graph, not with the values. */
export const structure = computed(() => shown.value.prepared);
export const shownText = computed(() => shown.value.expression);

/** Set a variable if the value is finite, and return whether it is. */
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

/** The variables of the program that is being replaced; null while a text is only edited. */
let replacedVariables: ReadonlySet<string> | null = null;

/**
 * Set the expression; `isWhole` is true if the whole text was replaced.
 *
 * A replacement with a variable that the old program did not have is a new program: the old values
 * and parameters are dropped.
 */
export function editText(text: string, isWhole: boolean): void {
  batch(() => {
    if (isWhole) replacedVariables ??= new Set(Object.keys(editable.value.values));
    expression.value = text;
    const ready = prepared.value;
    if (replacedVariables === null || ready instanceof GradientError) return;
    const isAnother = [...ready.graph.variables.keys()].some(
      (name) => !replacedVariables!.has(name),
    );
    if (isAnother) [values.value, parameters.value] = [{}, []];
    replacedVariables = null;
  });
}

/** Load a whole program; values that it does not mention are dropped. */
export function loadProgram(request: Omit<Request, "parameters"> & Partial<Request>): void {
  replacedVariables = beforeEdit.value = null;
  loadedProgram.value = { parameters: [], ...request };
  expression.value = inOneLine(request.expression);
  values.value = request.values;
  parameters.value = loadedProgram.value.parameters;
}

/** Shown if the very first program is invalid. */
const FALLBACK = evaluate({
  expression: "a + b",
  values: { a: 1, b: 1 },
  parameters: [],
  prepared: prepareText("a + b"),
});

/** Return a program as one line: a newline that ends a statement becomes `;`, any other a space. */
function inOneLine(text: string): string {
  let depth = 0;
  return text.replace(/[()]|\n/g, (found, at: number) => {
    if (found !== "\n") depth += found === "(" ? 1 : -1;
    else return depth <= 0 && /[\w.)][ \t\r]*$/.test(text.slice(0, at)) ? ";" : " ";
    return found;
  });
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

const USUAL: Range = { from: -10, to: 10 };

/** Ranges set by the user, by variable. */
export const ranges = signal<Readonly<Record<string, Range>>>({});
/** The variable whose curve is open. */
export const openCurve = signal<string | null>(null);
/** Whether the open curve shows the error of central differences. */
export const showsDifferences = signal(false);

/** Return a slider's range, set or default, extended to contain the value. */
export function rangeOf(name: string, value: number): Range {
  const { from, to } = ownValue(ranges.value, name) ?? USUAL;
  return { from: Math.min(from, value), to: Math.max(to, value) };
}

/** Set a range if it is valid, and return whether it is. */
export function setRange(name: string, range: Range): boolean {
  if (range.from >= range.to) return false;
  ranges.value = { ...ranges.value, [name]: range };
  return true;
}

/** Steps of a slider's range, and of the range of a number dragged on its card. */
const SLIDER_STEPS = 200;

export function stepOf({ from, to }: Range): number {
  return (to - from) / SLIDER_STEPS;
}

/** Return a function from new values of some variables to a node's data; null if it is invalid. */
export function dataOf({ prepared, values }: EditableProgram, node = prepared.order.length - 1) {
  const { graph, order, steps } = prepared;
  const all = new Map(Object.entries(values));
  return (others: Values): number | null => {
    for (const [name, value] of Object.entries(others)) all.set(name, value);
    const computed = attempt(() => forward(graph, order, steps, all));
    return computed instanceof GradientError ? null : computed[0][order[node]!]!;
  };
}
