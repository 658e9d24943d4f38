/** The examples, the lessons' first: those are in the first load, the others come when they are asked for. */

import table from "../../../schemas/examples.json" with { type: "json" };

export type Example = (typeof table.examples)[number];

const FIRST = ["sum-times-factor", "square-by-product", "diamond", "tanh-neuron"];

export const FIRST_COUNT = FIRST.length;

export const EXAMPLES: readonly Example[] = [
  ...FIRST.map((name) => table.examples.find((each) => each.name === name)!),
  ...table.examples.filter(({ name }) => !FIRST.includes(name)),
];

/** The names of those about lost bits. */
export const ACCURACY_EXAMPLES = [
  "roots-that-cancel",
  "saturated-tanh",
  "softplus-by-hand",
  "variance-below-zero",
  "lost-in-a-sum",
];
