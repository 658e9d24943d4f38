/** A part of an address beside its program: the usual kinds of it, and how their texts are read. */

import type { Signal } from "@preact/signals";
import { readNumber } from "./number.ts";
import { shown } from "./program.ts";

export interface Member {
  readonly name: string;
  /** What stands after the equals sign; empty where all is as at first. */
  readonly write: () => string;
  /** Set what an address says; of nothing, and of what does not read so, what is at first. */
  readonly read: (text: string) => void;
  /** Whether a change of it can be undone; the others are how a program is looked at. */
  readonly isEdit?: true;
}

/** The most letters of a text. */
export const MOST_LETTERS = 600;

export function choice<T extends string>(
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

export function flag(name: string, of: Signal<boolean>, on = "1", isSaid = () => true): Member {
  return {
    name,
    write: () => (isSaid() && of.value ? on : ""),
    read: (text) => (of.value = text === on),
  };
}

export function line(name: string, of: Signal<string>): Member {
  const read = (text: string) => (of.value = text.slice(0, MOST_LETTERS));
  return { name, write: () => of.value, read, isEdit: true };
}

/** Read whole numbers from 0, such as nodes. */
export function countsOf(text: string): number[] {
  return text.split(".").flatMap((each) => (/^\d{1,5}$/.test(each) ? [Number(each)] : []));
}

/** Read numbers, as many as there are usual ones, or take those. */
export function numbersOf<T extends readonly [number, ...number[]]>(text: string, usual: T): T {
  const found = text.split(":").map(readNumber);
  const isWhole = found.length === usual.length && !found.includes(null);
  return isWhole ? (found as unknown as T) : usual;
}

/** Read `name:text,name:text`; only what is of the program counts. */
export function pairsOf(text: string): (readonly [name: string, text: string])[] {
  const pairs = text.split(",").map((pair) => {
    const end = pair.indexOf(":");
    return [pair.slice(0, end), pair.slice(end + 1)] as const;
  });
  return pairs.filter(([name]) => isVariable(name));
}

export function isVariable(name: string): boolean {
  return Object.hasOwn(shown.value.values, name);
}
