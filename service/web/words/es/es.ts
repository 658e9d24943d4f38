/** Spanish, whole: loaded when it is chosen. */

export { ACCURACY as accuracy } from "./accuracy.ts";
export { CODE as code } from "./code.ts";
export { FIRST as first } from "./first.ts";
export { LATER as later } from "./later.ts";
export { LESSON as lesson } from "./lesson.ts";
export { TRAINING as training } from "./training.ts";
