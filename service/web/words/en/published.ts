/** English: examples and pitfalls, in the words in which the service publishes them. */

import examples from "../../../../schemas/examples.json";
import pitfalls from "../../../../schemas/pitfalls.json";

interface About {
  readonly title: string;
  readonly about: string;
}

/** By name. */
export const EXAMPLES: Readonly<Record<string, About>> = Object.fromEntries(
  examples.examples.map(({ name, title, about }) => [name, { title, about }]),
);

/** By name. */
export const PITFALLS: Readonly<Record<string, About & { readonly cure: string }>> =
  Object.fromEntries(
    pitfalls.pitfalls.map(({ name, title, about, cure }) => [name, { title, about, cure }]),
  );
