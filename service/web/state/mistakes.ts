/** Mistakes that can be played: an order of visits chosen by the user, and the known pitfalls. */

import { batch, computed, effect, signal } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { experiment } from "../../../engine_ts/src/lab/experiment.ts";
import type { ExperimentOptions } from "../../../engine_ts/src/lab/experiment.ts";
import pitfalls from "../../../schemas/pitfalls.json" with { type: "json" };
import { addParts, choicePart, countsOf, flagPart } from "./address.ts";
import { attempt } from "./helpers.ts";
import { goTo, play, selectPass } from "./play.ts";
import { fault, loadProgram, shown, structure } from "./program.ts";
import type { Request, Values } from "./program.ts";
import { pass, tab } from "./view.ts";

type Mistake = (typeof pitfalls.pitfalls)[number]["name"];
export type Side = "wrong" | "right";

export const ORDER: Mistake = "wrong-order";
/** The order is first, because the user makes it. */
export const MISTAKES: readonly Mistake[] = [
  ORDER,
  ...pitfalls.pitfalls.map(({ name }) => name).filter((name) => name !== ORDER),
];

/** How much a variable increases between the passes, as in the pitfall. */
const CHANGE = 3;

export const mistake = signal<Mistake>(ORDER);
/** Whether the wrong or the right version is on the stage. */
export const side = signal<Side>("wrong");
/** Nodes to visit, first to last. */
export const order = signal<readonly number[]>([]);
/** Whether `order` was run; until then its effect is not shown. */
export const hasRun = signal(false);

export function pitfallOf(name: Mistake): (typeof pitfalls.pitfalls)[number] {
  return pitfalls.pitfalls.find((each) => each.name === name)!;
}

/** Return the program that shows a pitfall. */
export function exampleOf(name: Mistake): Request {
  const { expression, values } = pitfallOf(name).request;
  return { expression, values: values as Values, parameters: [] };
}

/** Corrections of the two mistakes that are in the program, not in the backward pass. */
const FIXES: Readonly<Record<Mistake, (wrong: Request) => Request>> = {
  "dead-relu": (wrong) => ({ ...wrong, values: { ...wrong.values, b: 1 } }),
  "variable-exponent": (wrong) => ({ ...wrong, expression: "exp(n * log(x))" }),
};

/** Return the corrected program; null if the mistake is in the backward pass. */
export function fixedOf(name: Mistake): Request | null {
  return FIXES[name]?.(exampleOf(name)) ?? null;
}

/** How the backward pass differs from the correct one; null if it does not. */
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

/** The first variable and its value after the change. */
export const changedValues = computed((): Readonly<Record<string, number>> => {
  const [first] = Object.entries(shown.value.values);
  return first === undefined ? {} : { [first[0]]: first[1] + CHANGE };
});

/** The result of the experiment, or the engine's error if it fails; null without a mistake. */
export const outcome = computed(() => {
  const options = experimentOptions.value;
  if (options === null || fault.value !== null) return null;
  return attempt(() => experiment(shown.value.document, {}, options));
});

/** The experiment with its wrong walk: if data changed, the walk that reads the new data. */
export const walked = computed(() => {
  const done = outcome.value;
  if (done === null || done instanceof GradientError) return null;
  return { experiment: done, walk: done.walks.at(-1)! };
});

export type Walked = NonNullable<typeof walked.value>;

/** The error of each variable's gradient. */
export const gradientErrors = computed(() =>
  Object.entries(walked.value?.walk.differences ?? {}).map(
    ([name, by]) => [name, by ?? NaN] as const,
  ),
);

/** Select a mistake; unless `reload` is true, one of the backward pass keeps this program. */
export function chooseMistake(name: Mistake, reload = true): void {
  batch(() => {
    [mistake.value, hasRun.value] = [name, false];
    if (name === ORDER) goTo(0);
    else showSide(name === "variable-exponent" ? "right" : "wrong", reload);
  });
}

/** Put one version on the stage; `reload` reloads the example. */
export function showSide(which: Side, reload = false): void {
  batch(() => {
    side.value = which;
    const cured = fixedOf(mistake.value);
    if (cured !== null && which === "right") loadProgram(cured);
    else if (cured !== null || reload) loadProgram(exampleOf(mistake.value));
    if (pass.value !== "backward") selectPass("backward");
    goTo(0);
  });
}

/** Move a visit to another place in the order. */
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

/** Return the engine's order of visits, without constants. */
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

/** Return the order of the forward pass, the most obvious wrong one. */
function forwardOrder(): readonly number[] {
  return rightOrder().toSorted((one, other) => one - other);
}

// Each new graph starts with this order.
effect(() => {
  void structure.value;
  [order.value, hasRun.value] = [forwardOrder(), false];
});

/** The visits chosen by pressing cards, and the order made from them. */
let pressed: readonly number[] = [];
let orderMade: readonly number[] = [];

/** Append the pressed node to the user's order; once all are pressed, start again. */
export function visitNext(node: number): void {
  const visits = order.value;
  if (mistake.value !== ORDER || !visits.includes(node)) return;
  const isOurs = orderMade === visits && !pressed.includes(node) && pressed.length < visits.length;
  pressed = [...(isOurs ? pressed : []), node];
  orderMade = [...pressed, ...visits.filter((each) => !pressed.includes(each))];
  setOrder(orderMade);
}

const isOrder = () => tab.value === "break" && mistake.value === ORDER;
const isPitfall = () => tab.value === "break" && mistake.value !== ORDER;

addParts([
  { ...choicePart("m", mistake, MISTAKES, ORDER, isPitfall), isEdit: true },
  choicePart("side", side, ["wrong", "right"], "wrong", isPitfall),
  {
    name: "visits",
    isEdit: true,
    write() {
      if (!isOrder()) return "";
      const now = order.value.join(".");
      return now === forwardOrder().join(".") ? "" : now;
    },
    read(text) {
      const [found, first] = [countsOf(text), forwardOrder()];
      const isWhole = found.toSorted((one, other) => one - other).join() === first.join();
      order.value = isWhole ? found : first;
    },
  },
  flagPart("ran", hasRun, "1", isOrder),
]);
