/** Hand the browser to the state; imported before all that asks for it. */

import { enter } from "./state/view.ts";

declare const SINGLE_FILE: boolean;

enter({
  // In a frame without an address, its name holds what an address would.
  address:
    SINGLE_FILE && location.protocol === "about:" ? new URL(`about:srcdoc${name}`) : location,
  isAlone: SINGLE_FILE,
  reducedMotion: matchMedia("(prefers-reduced-motion: reduce)"),
});
