/** The lesson: the way of the lessons that this page comes from, each scene an address with a number to predict. */

import type { LESSON } from "../words/en/lesson.ts";

export type SceneName = keyof typeof LESSON.scenes;

const SUM = "e=(a + b) * c&v=a:2,b:-3,c:10";
const DIAMOND = "e=b = a + 1; c = a * 3; d = b * c&v=a:2";
const NEURON =
  "e=x1w1 = x1 * w1; x2w2 = x2 * w2; s = x1w1 + x2w2; n = s + b; o = tanh(n)" +
  "&v=x1:2,x2:0,w1:-3,w2:1,b:6.881373587019543";
const LINE = "e=loss = (w * x + b - y) ** 2&v=w:2,x:3,b:1,y:5&p=w,b";

/** In their order. */
export const SCENES: Readonly<Record<SceneName, string>> = {
  graph: `${SUM}&w=forward&answer=-10`,
  product: `${SUM}&s=0&answer=-1`,
  sum: `${SUM}&s=2&answer=10`,
  twice: "e=a * a&v=a:3&s=0&answer=6",
  order: `${DIAMOND}&t=break&visits=2.5.4.0&answer=9`,
  sort: `${DIAMOND}&t=code&w=sort&answer=1`,
  dead: "e=relu(w * x + b)&v=w:1,x:2,b:-10&s=0&answer=0",
  neuron: `${NEURON}&s=0&answer=1`,
  training: `${LINE}&t=train&answer=1.88`,
  modes: `${NEURON}&g=1&answer=5`,
};

export const NAMES = Object.keys(SCENES) as SceneName[];

/** The last page, which says what was learned, and the graph beside it. */
export const END = "end";
export const LAST = `${SUM}&g=1`;
