/** The examples: the lessons' are first and in the first load, the others are loaded later. */

import table from "../../../schemas/examples.json" with { type: "json" };

export type Example = (typeof table.examples)[number];

const FIRST = ["sum-times-factor", "square-by-product", "diamond", "tanh-neuron"];

export const FIRST_COUNT = FIRST.length;

export const EXAMPLES: readonly Example[] = [
  ...FIRST.map((name) => table.examples.find((each) => each.name === name)!),
  ...table.examples.filter(({ name }) => !FIRST.includes(name)),
];

/** The names of the examples about lost bits. */
export const ACCURACY_EXAMPLES = [
  "roots-that-cancel",
  "saturated-tanh",
  "softplus-by-hand",
  "variance-below-zero",
  "lost-in-a-sum",
];
