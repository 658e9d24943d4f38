/** Whether the service's engine gives the same document to the bit as the one in the browser. */

import { signal } from "@preact/signals";

declare const SINGLE_FILE: boolean;

type Parity =
  | { readonly state: "asking" | "agree" | "away" | "alone" | "refused" }
  | {
      readonly state: "differ";
      readonly where: string;
      readonly here: string;
      readonly there: string;
    };

/** A page that is one file has no service. */
export const isAlone = SINGLE_FILE;

export const parity = signal<Parity>({ state: isAlone ? "alone" : "asking" });
