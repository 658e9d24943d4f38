/** The programs to begin with: the file that the service publishes as /v1/examples. */

import examples from "../../../schemas/examples.json";
import { known } from "../state/known.ts";
import type { Request } from "../state/program.ts";

export interface Preset {
  readonly name: string;
  readonly request: Request;
  readonly isPrimitive: boolean;
  /** Whether it is about the bits that are lost. */
  readonly isAccuracy: boolean;
}

/** The first ones are the lessons'. */
const FIRST = [
  "sum-times-factor",
  "square-by-product",
  "diamond",
  "negative-gradient",
  "squared-error",
  "tanh-neuron",
];

const ACCURACY = [
  "roots-that-cancel",
  "saturated-tanh",
  "softplus-by-hand",
  "variance-below-zero",
  "lost-in-a-sum",
];

function presetOf({ name, request: given }: (typeof examples.examples)[number]): Preset {
  const { expression, values } = given;
  const parameters = "parameters" in given ? (given.parameters ?? []) : [];
  const request = { expression, values: known(values), parameters };
  const isAccuracy = ACCURACY.includes(name);
  return { name, request, isPrimitive: "view" in given, isAccuracy };
}

const all = examples.examples.map(presetOf);

export const EXAMPLES: readonly Preset[] = [
  ...FIRST.map((name) => all.find((each) => each.name === name)!),
  ...all.filter(({ name }) => !FIRST.includes(name)),
];

/** How many stand in the row; the others are behind a button. */
export const FEW = FIRST.length;
