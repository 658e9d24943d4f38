/** Read and write the page's address, part by part: the program and its view. */

import { batch } from "@preact/signals";
import type { Signal } from "@preact/signals";
import { checked, typed, withGuesses } from "./guesses.ts";
import { readNumber } from "./helpers.ts";
import { goTo, isOver, revealed, rightFirst, seeded, step, ticks } from "./play.ts";
import {
  expanded,
  loadedProgram,
  loadProgram,
  MAX_CHARACTERS,
  openCurve,
  ranges,
  shareable,
  shown,
  startValues,
} from "./program.ts";
import type { Request } from "./program.ts";
import { caption, lesson, sceneIndex, scenes, task, taskAnswer } from "./tasks.ts";
import { language, pass, PASSES, selectedEdge, showsAccuracy, tab, TABS } from "./view.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_VALUES = 200;
/** The maximum number of characters in an address without a lecture, and of scenes in one. */
const [MAX_LENGTH, MAX_SCENES] = [3 * MAX_CHARACTERS, 50];

/** Why an address is refused: it is too long or malformed, or a value is not a number. */
export type Refusal =
  { readonly why: "long" | "form" } | { readonly why: "value"; readonly name: string };

/** The parts of an address, by name. */
export type PartTexts = ReadonlyMap<string, string>;

/** A parsed address: its program, and every part as text. */
interface ParsedAddress extends Request {
  readonly parts: PartTexts;
}

/** Return the page's current state as the parts of an address. */
export function currentParts(): PartTexts {
  return new Map([...programParts(), ...textsOf(PARTS), ["lang", language.value ?? ""]]);
}

/** Return the page's current state as the text after #. */
export function currentAddress(): string {
  return formatAddress(currentParts());
}

/** Return the current state as a scene of a lecture: without the lecture and the language. */
export function currentScene(): string {
  const own = [...currentParts()].filter(([name]) => !["at", "scenes", "lang"].includes(name));
  return formatAddress(new Map(own));
}

/** Separates the scenes of a lecture. */
const SEPARATOR = "&&";

/** Return the address of the scene at a place of the lecture: `scene&&scene&&at=2`. */
export function lectureAddress(place: number): string {
  const lang = language.value === null ? "" : `&lang=${language.value}`;
  return [...scenes.value, `at=${place + 1}${lang}`].join(SEPARATOR);
}

/** Return the address to share: the lecture from its first scene, or else the current state. */
export function sharedAddress(): string {
  return scenes.value.length > 0 ? lectureAddress(0) : currentAddress();
}

/** `scene&&scene&&at=2` -> the parts of the second scene, with the lecture as one of them. */
export function sceneOfLecture(hash: string): string {
  const row = hash.split(SEPARATOR);
  const end = row.at(-1)!.startsWith("at=") ? row.pop()! : "at=1";
  const scene = row[Number(/\d+/.exec(end)) - 1] ?? row[0] ?? "";
  return `${scene}&${end}&scenes=${encodePart(row.join(SEPARATOR))}`;
}

/** Return the parts that undo restores. */
export function undoableParts(): PartTexts {
  return new Map([...programParts(), ...textsOf(PARTS.filter(({ isEdit }) => isEdit))]);
}

function programParts(): [string, string][] {
  const { expression, values, parameters } = shareable.value;
  const pairs = Object.entries({ ...values, ...startValues.value }).map(
    ([name, value]) => `${name}:${value}`,
  );
  return [
    ["e", expression],
    ["v", pairs.join(",")],
    ["p", parameters.join(",")],
  ];
}

function textsOf(members: readonly AddressPart[]): [string, string][] {
  return members.map(({ name, write }) => [name, write()]);
}

export function formatAddress(parts: PartTexts): string {
  const present = [...parts].filter(([name, text]) => name === "e" || text !== "");
  return present.map(([name, text]) => `${name}=${encodePart(text)}`).join("&");
}

/** Escape as little as possible, to keep an address readable; + stays a plus sign. */
function encodePart(text: string): string {
  return text.replace(/[^A-Za-z0-9_()*/+\-=;:.,]/gu, encodeURIComponent);
}

/**
 * Characters that only form encoders escape, not the page: they also write a space as a plus sign.
 * An escaped parenthesis is no evidence: Markdown escapes it, but keeps plus signs.
 */
const FORM = /%2B|%2C|%3A/i;

/** Parse the text after #, or return why it is refused. */
export function parseAddress(hash: string): ParsedAddress | Refusal {
  const length = hash.replace(/&scenes=.*/, "").length;
  if (length > MAX_LENGTH || hash.length > MAX_SCENES * MAX_LENGTH) return { why: "long" };
  const parts = new Map<string, string>();
  const isForm = FORM.test(hash);
  for (const part of hash.split("&")) {
    const end = part.indexOf("=");
    const text = decodePart(isForm ? part.replaceAll("+", " ") : part, end + 1);
    if (text === null) return MALFORMED;
    parts.set(part.slice(0, end), text);
  }
  const [expression, marked] = [parts.get("e"), splitList(parts.get("p"))];
  if (expression === undefined || expression.length > MAX_CHARACTERS) return MALFORMED;
  if (!marked.every((name) => NAME.test(name))) return MALFORMED;
  const values = parseValues(splitList(parts.get("v")));
  return "why" in values ? values : { expression, values: values.found, parameters: marked, parts };
}

const MALFORMED: Refusal = { why: "form" };

function parseValues(pairs: readonly string[]): { found: Record<string, number> } | Refusal {
  if (pairs.length > MAX_VALUES) return MALFORMED;
  const found: [string, number][] = [];
  for (const pair of pairs) {
    const [name, value, ...rest] = pair.split(":");
    if (!NAME.test(name!) || value === undefined || rest.length > 0) return MALFORMED;
    if (value.trim() === "" || !Number.isFinite(Number(value)))
      return { why: "value", name: name! };
    found.push([name!, Number(value)]);
  }
  return { found: Object.fromEntries(found) };
}

function decodePart(part: string, from: number): string | null {
  try {
    return decodeURIComponent(part.slice(from));
  } catch {
    return null;
  }
}

function splitList(text = ""): string[] {
  return text.split(",").filter((each) => each !== "");
}

/** Show an address: first load its program, then set its other parts in order. */
export function applyAddress(parsed: ParsedAddress): void {
  batch(() => loadProgram(parsed));
  for (const part of PARTS) setPart(part, parsed.parts);
}

/** Set one part, which is not an edit, and run its effects before the next part. */
function setPart({ name, read }: AddressPart, parts: PartTexts): void {
  batch(() => {
    read(parts.get(name) ?? "");
    loadedProgram.value = { ...loadedProgram.value };
  });
}

interface AddressPart {
  readonly name: string;
  /** Return the text after the equals sign; empty for the initial state. */
  readonly write: () => string;
  /** Set the state from the text; an empty or malformed text resets it. */
  readonly read: (text: string) => void;
  /** Whether a change can be undone; other parts only change the view. */
  readonly isEdit?: true;
}

/** The maximum number of characters of a caption, a task, an answer or a scene's name. */
export const MAX_LETTERS = 600;

export function choicePart<T extends string>(
  name: string,
  of: Signal<T>,
  all: readonly T[],
  usual: T,
  isWritten = () => true,
): AddressPart {
  return {
    name,
    write: () => (isWritten() && of.value !== usual ? of.value : ""),
    read: (text) => (of.value = all.find((each) => each === text) ?? usual),
  };
}

export function flagPart(
  name: string,
  of: Signal<boolean>,
  on = "1",
  isWritten = () => true,
): AddressPart {
  return {
    name,
    write: () => (isWritten() && of.value ? on : ""),
    read: (text) => (of.value = text === on),
  };
}

function linePart(name: string, of: Signal<string>): AddressPart {
  const read = (text: string) => (of.value = text.slice(0, MAX_LETTERS));
  return { name, write: () => of.value, read, isEdit: true };
}

/** Parse whole numbers from 0, such as node ids; skip anything else. */
export function countsOf(text: string): number[] {
  return text.split(".").flatMap((each) => (/^\d{1,5}$/.test(each) ? [Number(each)] : []));
}

/** Parse `1:2:3`; return `usual` unless the text has the same count of valid numbers. */
export function numbersOf<T extends readonly [number, ...number[]]>(text: string, usual: T): T {
  const found = text.split(":").map(readNumber);
  const isWhole = found.length === usual.length && !found.includes(null);
  return isWhole ? (found as unknown as T) : usual;
}

/** Parse `name:text,name:text`; keep only the program's variables. */
function pairsOf(text: string): (readonly [name: string, text: string])[] {
  const pairs = text.split(",").map((pair) => {
    const end = pair.indexOf(":");
    return [pair.slice(0, end), pair.slice(end + 1)] as const;
  });
  return pairs.filter(([name]) => isVariable(name));
}

function isVariable(name: string): boolean {
  return Object.hasOwn(shown.value.values, name);
}

/** The order in which parts are written and set: the pass before its step. */
const NAMES = [
  ...["t", "w", "o", "d", "a", "g", "m", "side", "visits", "ran", "r", "curve", "rate", "n", "s"],
  ...["edge", "guesses", "caption", "task", "answer", "lesson", "at", "scenes"],
];

/** All parts; those of a tab that is loaded on demand are added with it. */
export let PARTS: readonly AddressPart[] = [];

export function addParts(parts: readonly AddressPart[]): void {
  const placeOf = ({ name }: AddressPart) => NAMES.indexOf(name);
  PARTS = [...PARTS, ...parts].sort((one, other) => placeOf(one) - placeOf(other));
}

addParts([
  choicePart("t", tab, TABS, "values"),
  choicePart("w", pass, PASSES, "backward"),
  flagPart("o", rightFirst, "right"),
  { ...flagPart("d", expanded), isEdit: true },
  flagPart("a", showsAccuracy),
  flagPart("g", revealed),
  {
    name: "r",
    isEdit: true,
    write() {
      const set = Object.entries(ranges.value).filter(([name]) => isVariable(name));
      return set.map(([name, { from, to }]) => `${name}:${from}:${to}`).join(",");
    },
    read(text) {
      const found = pairsOf(text).map(([name, ends]) => [name, numbersOf(ends, [0, 0])] as const);
      const whole = found.filter(([, [from, to]]) => from < to);
      ranges.value = Object.fromEntries(whole.map(([name, [from, to]]) => [name, { from, to }]));
    },
  },
  {
    name: "curve",
    write: () => openCurve.value ?? "",
    read: (text) => (openCurve.value = isVariable(text) ? text : null),
  },
  // The step after the last one is the end, where the sentence summarises the pass.
  {
    name: "s",
    write() {
      if (tab.value === "train") return "";
      if (isOver.value) return String(ticks.value.length + 1);
      const isBegun = step.value > 0 || (seeded.value && pass.value === "backward");
      return isBegun ? String(step.value) : "";
    },
    read(text) {
      if (tab.value === "train") return;
      goTo(countsOf(text)[0] ?? 0);
      seeded.value = text !== "";
    },
  },
  {
    name: "edge",
    write: () => selectedEdge.value?.toString() ?? "",
    read: (text) => (selectedEdge.value = countsOf(text)[0] ?? null),
  },
  // Guesses from an address are already checked; without any, the typed ones stay.
  {
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
  },
  linePart("caption", caption),
  linePart("task", task),
  linePart("answer", taskAnswer),
  linePart("lesson", lesson),
  {
    name: "at",
    write: () => (scenes.value.length > 0 ? String(sceneIndex.value + 1) : ""),
    read: (text) => (sceneIndex.value = Math.max(0, (countsOf(text)[0] ?? 1) - 1)),
  },
  {
    name: "scenes",
    isEdit: true,
    write: () => scenes.value.join(SEPARATOR),
    read(text) {
      scenes.value = text
        .split(SEPARATOR)
        .filter((scene) => scene !== "")
        .slice(0, MAX_SCENES);
      sceneIndex.value = Math.min(sceneIndex.value, Math.max(0, scenes.value.length - 1));
    },
  },
]);
