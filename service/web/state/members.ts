/** What an address says beside its program: how each part is written, and what it sets. */

import type { Signal } from "@preact/signals";
import { firstOrder, mistake, MISTAKES, ORDER, order, ran, side } from "./break.ts";
import { groups, opened } from "./groups.ts";
import { checked, typed, withGuesses } from "./guesses.ts";
import { readNumber } from "./number.ts";
import { goTo, isOver, revealed, seeded, step, ticks, way, WAYS } from "./play.ts";
import { expanded, shown } from "./program.ts";
import { opened as curve, ranges } from "./ranges.ts";
import { answer, caption, lesson, MOST_LETTERS, task } from "./scene.ts";
import { chosenCards, follow, following, lookAt } from "./sight.ts";
import { rightFirst } from "./sorted.ts";
import * as descent from "./train.ts";
import {
  accurate,
  chosen,
  pan,
  resetView,
  tab,
  TABS,
  turnBy,
  pitch,
  yaw,
  zoom,
  zoomBy,
} from "./view.ts";

export interface Member {
  readonly name: string;
  /** What stands after the equals sign; empty where all is as at first. */
  readonly write: () => string;
  /** Set what an address says; of nothing, and of what does not read so, what is at first. */
  readonly read: (text: string) => void;
  /** Whether a change of it can be undone; the others are how a program is looked at. */
  readonly isEdit?: true;
}

const MOST_STEPS = 10_000;
/** How a descent is made at first, and how many steps are read at most. */
const [DESCENT, MOST_DESCENT] = [[0.01, 0, 20], 200] as const;

const isOrder = () => tab.value === "break" && mistake.value === ORDER;
const isPitfall = () => tab.value === "break" && mistake.value !== ORDER;
const isTraining = () => tab.value === "train" && descent.points.value.length > 0;

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
  { name: "visits", write: writeVisits, read: readVisits, isEdit: true },
  flag("ran", ran, "1", isOrder),
  { name: "open", write: () => [...opened.value].join("."), read: readOpened },
  { name: "r", write: writeRanges, read: readRanges, isEdit: true },
  { name: "curve", write: () => curve.value ?? "", read: readCurve },
  { name: "look", write: writeLook, read: readLook },
  { name: "camera", write: writeCamera, read: readCamera },
  { name: "rate", write: writeRate, read: readRate, isEdit: true },
  { name: "n", write: () => (isTraining() ? counted(descent.at.value) : ""), read: readTrained },
  { name: "s", write: writeStep, read: readStep },
  { name: "edge", write: () => chosen.value?.toString() ?? "", read: readEdge },
  { name: "guesses", write: writeGuesses, read: readGuesses },
  line("caption", caption),
  line("task", task),
  line("answer", answer),
  line("lesson", lesson),
];

function choice<T extends string>(
  name: string,
  of: Signal<T>,
  all: readonly T[],
  usual: T,
  isSaid = () => true,
): Member {
  return {
    name,
    write: () => (isSaid() && of.value !== usual ? of.value : ""),
    read: (text) => (of.value = all.find((each) => each === text) ?? usual),
  };
}

function flag(name: string, of: Signal<boolean>, on = "1", isSaid = () => true): Member {
  return {
    name,
    write: () => (isSaid() && of.value ? on : ""),
    read: (text) => (of.value = text === on),
  };
}

function line(name: string, of: Signal<string>): Member {
  const read = (text: string) => (of.value = text.slice(0, MOST_LETTERS));
  return { name, write: () => of.value, read, isEdit: true };
}

const counted = (count: number) => (count > 0 ? String(count) : "");

/** Read whole numbers from 0, such as nodes. */
function countsOf(text: string): number[] {
  return text.split(".").flatMap((each) => (/^\d{1,5}$/.test(each) ? [Number(each)] : []));
}

/** Read numbers, as many as there are usual ones, or take those. */
function numbersOf<T extends readonly [number, ...number[]]>(text: string, usual: T): T {
  const found = text.split(":").map(readNumber);
  const isWhole = found.length === usual.length && !found.includes(null);
  return isWhole ? (found as unknown as T) : usual;
}

/** Read `name:text,name:text`; only what is of the program counts. */
function pairsOf(text: string): (readonly [name: string, text: string])[] {
  const pairs = text.split(",").map((pair) => {
    const end = pair.indexOf(":");
    return [pair.slice(0, end), pair.slice(end + 1)] as const;
  });
  return pairs.filter(([name]) => Object.hasOwn(shown.value.values, name));
}

function writeVisits(): string {
  const [now, first] = [order.value.join("."), firstOrder().join(".")];
  return isOrder() && now !== first ? now : "";
}

function readVisits(text: string): void {
  const [found, first] = [countsOf(text), firstOrder()];
  const isOrder = found.toSorted((one, other) => one - other).join() === first.join();
  order.value = isOrder ? found : first;
}

function readOpened(text: string): void {
  opened.value = new Set(countsOf(text));
}

function writeRanges(): string {
  const found = pairsOf(
    Object.keys(ranges.value)
      .map((name) => `${name}:`)
      .join(","),
  );
  return found
    .map(([name]) => `${name}:${ranges.value[name]!.from}:${ranges.value[name]!.to}`)
    .join(",");
}

function readRanges(text: string): void {
  const found = pairsOf(text).map(([name, said]) => [name, numbersOf(said, [0, 0])] as const);
  const whole = found.filter(([, [from, to]]) => from < to);
  ranges.value = Object.fromEntries(whole.map(([name, [from, to]]) => [name, { from, to }]));
}

function readCurve(text: string): void {
  curve.value = Object.hasOwn(shown.value.values, text) ? text : null;
}

function readEdge(text: string): void {
  const [edge] = countsOf(text);
  chosen.value = edge ?? null;
}

function writeLook(): string {
  if (following.value) return "";
  return chosenCards.value?.join(".") ?? "all";
}

function readLook(text: string): void {
  const found = countsOf(text).filter((id) => groups.value.cards.some((card) => card.id === id));
  if (text === "all" || found.length > 0) lookAt(found.length > 0 ? found : null);
  else follow();
}

function writeCamera(): string {
  const { x, y } = pan.value;
  const now = [yaw.value, pitch.value, zoom.value, x, y].map((each) => Number(each.toFixed(3)));
  return now.join(":") === "0:0:1:0:0" ? "" : now.join(":");
}

function readCamera(text: string): void {
  const [sideways, upwards, factor, x, y] = numbersOf(text, [0, 0, 1, 0, 0]);
  resetView();
  turnBy(sideways, upwards);
  zoomBy(factor);
  pan.value = { x, y };
}

function writeRate(): string {
  const now = [descent.rate.value, descent.momentum.value, descent.steps.value].join(":");
  return isTraining() && now !== DESCENT.join(":") ? now : "";
}

function readRate(text: string): void {
  const [rate, momentum, steps] = numbersOf<readonly [number, number, number]>(text, DESCENT);
  if (rate < 0 || momentum < 0 || momentum >= 1 || !(steps <= MOST_DESCENT)) return readRate("");
  descent.setRate(rate);
  [descent.momentum.value, descent.steps.value] = [momentum, Math.round(steps)];
}

function readTrained(text: string): void {
  const [step = 0] = countsOf(text);
  if (isTraining() && step !== descent.at.value) descent.pause(step);
}

function writeStep(): string {
  if (tab.value === "train") return "";
  if (isOver.value) return String(ticks.value.length + 1);
  const isBegun = step.value > 0 || (seeded.value && way.value === "backward");
  return isBegun ? String(step.value) : "";
}

function readStep(text: string): void {
  if (tab.value === "train") return;
  const [place = 0] = countsOf(text);
  goTo(Math.min(place, MOST_STEPS));
  seeded.value = text !== "";
}

function writeGuesses(): string {
  if (!withGuesses.value) return "";
  const found = Object.entries(typed.value).filter(([, text]) => readNumber(text) !== null);
  return found.map(([name, text]) => `${name}:${readNumber(text)}`).join(",");
}

/** What was guessed comes checked; without any, those that are typed stay. */
function readGuesses(text: string): void {
  const found = pairsOf(text).filter(([, guess]) => readNumber(guess) !== null);
  withGuesses.value = found.length > 0;
  if (found.length > 0) typed.value = checked.value = Object.fromEntries(found);
}
