/** What an address says beside its program, part by part. */

import { mistake, MISTAKES, ORDER, ran, side } from "./break.ts";
import { CAMERA, CURVE, EDGE, LOOK, OPEN, RANGES } from "./looked.ts";
import { choice, flag, line } from "./member.ts";
import type { Member } from "./member.ts";
import { revealed, way, WAYS } from "./play.ts";
import { expanded } from "./program.ts";
import { answer, caption, lesson, task } from "./scene.ts";
import { rightFirst } from "./sorted.ts";
import { GUESSES, isOrder, RATE, STEP, TRAINED, VISITS } from "./tried.ts";
import { accurate, tab, TABS } from "./view.ts";

const isPitfall = () => tab.value === "break" && mistake.value !== ORDER;

/** In the order in which they are set: a step is one of a direction, among the cards that are there. */
export const MEMBERS: readonly Member[] = [
  choice("t", tab, TABS, "values"),
  choice("w", way, WAYS, "backward"),
  flag("o", rightFirst, "right"),
  { ...flag("d", expanded), isEdit: true },
  flag("a", accurate),
  flag("g", revealed),
  { ...choice("m", mistake, MISTAKES, ORDER, isPitfall), isEdit: true },
  choice("side", side, ["wrong", "right"], "wrong", isPitfall),
  VISITS,
  flag("ran", ran, "1", isOrder),
  OPEN,
  RANGES,
  CURVE,
  LOOK,
  CAMERA,
  RATE,
  TRAINED,
  STEP,
  EDGE,
  GUESSES,
  line("caption", caption),
  line("task", task),
  line("answer", answer),
  line("lesson", lesson),
];
