/** What the stage shows in place of the right backward pass: another walk, and what it does to cards. */

import { signal } from "@preact/signals";
import type { Document } from "../../../engine_ts/src/document.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";

/** An arrow of another walk: its numbers are those of this visit, not of the document. */
export interface Carried extends Edge {
  readonly harm: Harm | null;
}

/** What is wrong with what an arrow carries. */
export interface Harm {
  readonly kind: "late" | "lost";
  readonly word: string;
  /** The tick with which it is seen to be wrong, counted from 1. */
  readonly since: number;
}

/** A walk that is played in place of the right one. */
interface Staged {
  /** Whose walk it is: with other values it is another. */
  readonly document: Document;
  readonly edges: readonly Carried[];
  /** What the button that plays it says. */
  readonly label: string;
  /** The sentence of a tick, counted from 0; null where the usual one is right. */
  readonly tell: (tick: number) => string | null;
}

/** What a card shows beside its numbers. */
export interface Note {
  /** Its place in the order of visits, from 1. */
  readonly visit: number | null;
  /** What is wrong with its gradient at the end; empty where nothing is. */
  readonly word: string;
}

export const staged = signal<Staged | null>(null);
/** By node. */
export const notes = signal<readonly Note[] | null>(null);
