/** The tabs beside the graph, and what each of them holds: a new room is a line here and a file. */

import type { FunctionComponent } from "preact";
import { lazy } from "../lazy.tsx";
import type { Tab } from "../state/view.ts";
import { ValuesRoom } from "./values.tsx";

export const ROOMS: readonly (readonly [Tab, FunctionComponent])[] = [
  ["values", ValuesRoom],
  ["predict", lazy(({ Predict }) => Predict)],
];
