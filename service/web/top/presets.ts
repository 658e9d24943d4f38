/** The programs to begin with: the file that the service publishes as /v1/examples. */

import examples from "../../../schemas/examples.json";
import type { Program } from "../state/program.ts";

export interface Preset {
  readonly name: string;
  readonly program: Program;
  readonly isPrimitive: boolean;
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

function presetOf({ name, request }: (typeof examples.examples)[number]): Preset {
  const { expression, values } = request;
  // An import of JSON gives each object the members of all.
  const known = Object.entries(values).filter(
    (entry): entry is [string, number] => entry[1] !== undefined,
  );
  const parameters = "parameters" in request ? (request.parameters ?? []) : [];
  const program = { expression, values: Object.fromEntries(known), parameters };
  return { name, program, isPrimitive: "view" in request };
}

const all = examples.examples.map(presetOf);

export const EXAMPLES: readonly Preset[] = [
  ...FIRST.map((name) => all.find((each) => each.name === name)!),
  ...all.filter(({ name }) => !FIRST.includes(name)),
];

/** How many stand in the row; the others are behind a button. */
export const FEW = FIRST.length;
