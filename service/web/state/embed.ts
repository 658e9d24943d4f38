/**
 * The page inside another one: `?embed` shows the graph alone, `?embed&show=expression,panel` more.
 *
 * At each change the parent is sent {type: "gradient-sandbox", address, expression, values,
 * parameters, result, gradients, error}.
 */

import { effect } from "@preact/signals";
import { written } from "./address.ts";
import { fault, shown } from "./program.ts";

/** Tell the page around this one what is shown; there is nothing in it that others may not see. */
export function startTelling(): void {
  if (parent === window) return;
  effect(() => {
    const { expression, values, parameters, document } = shown.value;
    const { result, gradients } = document;
    const message = {
      type: "gradient-sandbox",
      address: `#${written()}`,
      ...{ expression, values, parameters, result, gradients },
      error: fault.value?.message ?? null,
    };
    parent.postMessage(message, "*");
  });
}
