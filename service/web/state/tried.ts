/** What a person has tried, as parts of an address: an order of visits, a descent, a step, guesses. */

import { firstOrder, mistake, ORDER, order } from "./break.ts";
import { checked, typed, withGuesses } from "./guesses.ts";
import { countsOf, numbersOf, pairsOf } from "./member.ts";
import type { Member } from "./member.ts";
import { readNumber } from "./number.ts";
import { goTo, isOver, seeded, step, ticks, way } from "./play.ts";
import * as descent from "./train.ts";
import { tab } from "./view.ts";

/** How a descent is made at first, and how many steps of one are read at most. */
const [DESCENT, MOST_DESCENT] = [[0.01, 0, 20], 200] as const;

export const isOrder = () => tab.value === "break" && mistake.value === ORDER;
const isTraining = () => tab.value === "train" && descent.points.value.length > 0;

export const VISITS: Member = {
  name: "visits",
  isEdit: true,
  write() {
    if (!isOrder()) return "";
    const now = order.value.join(".");
    return now === firstOrder().join(".") ? "" : now;
  },
  read(text) {
    const [found, first] = [countsOf(text), firstOrder()];
    const isWhole = found.toSorted((one, other) => one - other).join() === first.join();
    order.value = isWhole ? found : first;
  },
};

export const RATE: Member = {
  name: "rate",
  isEdit: true,
  write() {
    const now = [descent.rate.value, descent.momentum.value, descent.steps.value].join(":");
    return isTraining() && now !== DESCENT.join(":") ? now : "";
  },
  read(text) {
    const [rate, momentum, steps] = numbersOf<readonly [number, number, number]>(text, DESCENT);
    const isOne = rate >= 0 && momentum >= 0 && momentum < 1 && steps > 0 && steps <= MOST_DESCENT;
    const [size, keeps, most] = isOne ? [rate, momentum, Math.round(steps)] : DESCENT;
    [descent.rate.value, descent.momentum.value, descent.steps.value] = [size, keeps, most];
  },
};

export const TRAINED: Member = {
  name: "n",
  write: () => (isTraining() && descent.at.value > 0 ? String(descent.at.value) : ""),
  read(text) {
    const [place = 0] = countsOf(text);
    if (isTraining() && place !== descent.at.value) descent.pause(place);
  },
};

/** One more than there are is the end, where it is told what was found. */
export const STEP: Member = {
  name: "s",
  write() {
    if (tab.value === "train") return "";
    if (isOver.value) return String(ticks.value.length + 1);
    const isBegun = step.value > 0 || (seeded.value && way.value === "backward");
    return isBegun ? String(step.value) : "";
  },
  read(text) {
    if (tab.value === "train") return;
    goTo(countsOf(text)[0] ?? 0);
    seeded.value = text !== "";
  },
};

/** They come checked; where an address has none, those that are typed stay. */
export const GUESSES: Member = {
  name: "guesses",
  write() {
    if (!withGuesses.value) return "";
    const found = Object.entries(typed.value).map(([name, text]) => [name, readNumber(text)]);
    const numbers = found.filter(([, guess]) => guess !== null);
    return numbers.map(([name, guess]) => `${name}:${guess}`).join(",");
  },
  read(text) {
    const found = pairsOf(text).filter(([, guess]) => readNumber(guess) !== null);
    withGuesses.value = found.length > 0;
    if (found.length > 0) typed.value = checked.value = Object.fromEntries(found);
  },
};
