/** Russian, whole: loaded when it is chosen. */

import type { Translation } from "../language.ts";
import { ACCURACY } from "./accuracy.ts";
import { CODE } from "./code.ts";
import { FIRST } from "./first.ts";
import { LATER } from "./later.ts";
import { LESSON } from "./lesson.ts";
import { TRAINING } from "./training.ts";

export const RUSSIAN: Translation = {
  first: FIRST,
  later: LATER,
  accuracy: ACCURACY,
  code: CODE,
  training: TRAINING,
  lesson: LESSON,
};
