/** The tabs beside the graph, and what each of them holds: a new room is a line here and a file. */

import type { FunctionComponent } from "preact";
import { lazy, lazyCode, lazyTraining } from "../lazy.tsx";
import type { Tab } from "../state/view.ts";

export const ROOMS: readonly (readonly [Tab, FunctionComponent])[] = [
  ["values", lazy(({ ValuesRoom }) => ValuesRoom)],
  ["code", lazyCode(({ Code }) => Code)],
  ["predict", lazy(({ Predict }) => Predict)],
  ["break", lazy(({ BreakIt }) => BreakIt)],
  ["train", lazyTraining(({ Train }) => Train)],
];
