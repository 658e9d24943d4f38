/** Mistakes that can be played: an order of visits put together by hand, and the known pitfalls. */

import { batch, computed, effect, signal } from "@preact/signals";
import type { ExperimentOptions } from "../../../engine_ts/src/lab/experiment.ts";
import pitfalls from "../../../schemas/pitfalls.json";
import { goTo, play, selectPass } from "./play.ts";
import { loadProgram, shown, structure } from "./program.ts";
import type { Request } from "./program.ts";
import { pass } from "./view.ts";

type Mistake = (typeof pitfalls.pitfalls)[number]["name"];
export type Side = "wrong" | "right";

export const ORDER: Mistake = "wrong-order";
/** The order first, for it is put together by hand. */
export const MISTAKES: readonly Mistake[] = [
  ORDER,
  ...pitfalls.pitfalls.map(({ name }) => name).filter((name) => name !== ORDER),
];

/** A variable that changes between the passes grows by this much, as in the pitfall. */
const CHANGE = 3;

export const mistake = signal<Mistake>(ORDER);
/** Which of the two is on the stage. */
export const side = signal<Side>("wrong");
/** Nodes to visit, first to last. */
export const order = signal<readonly number[]>([]);
/** Whether that order is being run; before, its effect is not shown. */
export const hasRun = signal(false);

export function pitfallOf(name: Mistake): (typeof pitfalls.pitfalls)[number] {
  return pitfalls.pitfalls.find((each) => each.name === name)!;
}

/** The program that a pitfall is played with. */
export function exampleOf(name: Mistake): Request {
  const { expression, values } = pitfallOf(name).request;
  return { expression, values: definedValues(values), parameters: [] };
}

/** Two mistakes are in the program, not in the backward pass: the same without them. */
const FIXES: Readonly<Record<Mistake, (wrong: Request) => Request>> = {
  "dead-relu": (wrong) => ({ ...wrong, values: { ...wrong.values, b: 1 } }),
  "variable-exponent": (wrong) => ({ ...wrong, expression: "exp(n * log(x))" }),
};

/** The program that is right; null where the mistake is in the backward pass. */
export function fixedOf(name: Mistake): Request | null {
  return FIXES[name]?.(exampleOf(name)) ?? null;
}

/** How the backward pass differs from the right one; null where it does not. */
export const experimentOptions = computed((): ExperimentOptions | null => {
  switch (mistake.value) {
    case ORDER:
      return hasRun.value ? { order: order.value } : null;
    case "assigning-instead-of-adding":
      return { accumulate: "replace" };
    case "second-backward":
      return { passes: 2 };
    case "mutation-before-backward":
      return { mutate: changedValues.value };
    default:
      return null;
  }
});

/** The first variable, grown. */
export const changedValues = computed((): Readonly<Record<string, number>> => {
  const [first] = Object.entries(shown.value.values);
  return first === undefined ? {} : { [first[0]]: first[1] + CHANGE };
});

/** Take a mistake; all but the order begin with an example that it ruins. */
export function chooseMistake(name: Mistake): void {
  batch(() => {
    [mistake.value, hasRun.value] = [name, false];
    if (name === ORDER) goTo(0);
    else showSide(name === "variable-exponent" ? "right" : "wrong", true);
  });
}

/** Put one of the two on the stage. */
export function showSide(which: Side, anew = false): void {
  batch(() => {
    side.value = which;
    const cured = fixedOf(mistake.value);
    if (cured !== null && which === "right") loadProgram(cured);
    else if (cured !== null || anew) loadProgram(exampleOf(mistake.value));
    if (pass.value !== "backward") selectPass("backward");
    goTo(0);
  });
}

/** Visit this node sooner or later. */
export function moveVisit(from: number, to: number): void {
  const visits = [...order.value];
  const [node] = visits.splice(from, 1);
  if (node !== undefined) visits.splice(Math.max(0, to), 0, node);
  setOrder(visits);
}

export function setOrder(visits: readonly number[]): void {
  batch(() => {
    [order.value, hasRun.value] = [visits, false];
    goTo(0);
  });
}

/** The order of the engine. */
export function rightOrder(): readonly number[] {
  const { nodes, backward_order } = shown.peek().document;
  return backward_order.filter((id) => nodes[id]!.kind !== "constant");
}

export function runOrder(): void {
  batch(() => {
    if (pass.value !== "backward") selectPass("backward");
    [hasRun.value, side.value] = [true, "wrong"];
    goTo(0);
  });
  play();
}

/** The order of the forward pass, which is the mistake that is nearest. */
export function forwardOrder(): readonly number[] {
  return rightOrder().toSorted((one, other) => one - other);
}

// Each graph begins so.
effect(() => {
  void structure.value;
  [order.value, hasRun.value] = [forwardOrder(), false];
});

export function definedValues(
  record: Readonly<Record<string, number | undefined>>,
): Record<string, number> {
  const entries = Object.entries(record);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}
