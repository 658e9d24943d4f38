/** What was changed, an edit at a time, in the browser's history: Back leaves an edit, not the page. */

import { computed, effect, signal } from "@preact/signals";
import { edits, written } from "../state/address.ts";
import type { Parts } from "../state/address.ts";
import { place as address } from "../state/location.ts";
import { taken } from "../state/program.ts";
import { language } from "../state/view.ts";
import { load } from "./address.ts";

/** Milliseconds without a change, before it is noted; and within which one of its kind goes on. */
const [REST, PAUSE] = [150, 2_000];

/** In a frame the browser's history is that of the page around it, so a frame keeps its own. */
const isFramed = parent !== window;
const entries: string[] = [];

/** The place in the history, and the last one that is known. */
const at = signal(0);
const last = signal(0);

export const canUndo = computed(() => at.value > 0);
export const canRedo = computed(() => at.value < last.value);

/** What was noted last: what can be undone, what had changed, whose program it was, and when. */
interface Noted {
  readonly parts: Parts;
  readonly kind: string;
  readonly from: object;
  readonly time: number;
}

/** Null while an address is loaded: what that changes is no edit. */
let noted: Noted | null = null;
let timer = 0;
let isStarted = false;

/** Follow the address, and keep it in step with what is shown. */
export async function startAddress(): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  at.value = last.value = isFramed ? 0 : (placeOf(history.state) ?? 0);
  // The event's address: what is noted below may have been put in its place since.
  addEventListener("hashchange", ({ newURL }) => void arrive(new URL(newURL).hash.slice(1)));
  await follow(address.hash.slice(1));
  effect(() => {
    void written();
    clearTimeout(timer);
    timer = setTimeout(note, REST) as unknown as number;
  });
}

/** Show what an address holds, which is no edit. */
async function follow(hash: string, code?: string | null): Promise<void> {
  noted = null;
  await load(hash, code);
  noted = { parts: edits(), kind: "", from: taken.peek(), time: 0 };
}

function placeOf(state: unknown): number | null {
  const place = (state as { at?: unknown } | null)?.at;
  return typeof place === "number" ? place : null;
}

/** Show what an address of the history holds, or of a person, which is a new one. */
async function arrive(hash: string): Promise<void> {
  const place = placeOf(history.state);
  at.value = place ?? at.value + 1;
  last.value = place === null ? at.value : Math.max(last.value, place);
  await follow(hash, place === null ? undefined : language.peek());
  note();
}

/** Note what is shown: as an edit of its own, or in the place of what it goes on. */
function note(): void {
  if (noted === null) return;
  clearTimeout(timer);
  const [hash, parts, from, time] = [written(), edits(), taken.peek(), Date.now()];
  const kind = kindOf(noted, parts, from);
  const goesOn = kind === noted.kind && from === noted.from && time - noted.time < PAUSE;
  const isNew = kind !== "" && !goesOn;
  if (kind !== "") noted = { parts, kind, from, time };
  if (isNew) last.value = ++at.value;
  keep(hash, isNew);
}

function keep(hash: string, isNew: boolean): void {
  if (isFramed) entries.splice(at.value, isNew ? Infinity : 1, hash);
  if (address !== location) return; // there is none to keep
  const state = { at: at.value };
  if (isNew && !isFramed) history.pushState(state, "", `#${hash}`);
  else if (location.hash.slice(1) !== hash || placeOf(history.state) === null)
    history.replaceState(state, "", `#${hash}`);
}

/** What differs, by name, and of values whose; empty where nothing does. */
function kindOf(before: Noted, now: Parts, from: object): string {
  const names = [...now].filter(([name, text]) => before.parts.get(name) !== text);
  const [first] = names.map(([name]) => name);
  if (first === undefined) return "";
  if (from !== before.from) return "another program";
  if (first !== "v") return first;
  const known = new Set(before.parts.get("v")!.split(","));
  const pairs = now.get("v")!.split(",");
  return pairs
    .filter((pair) => !known.has(pair))
    .map((pair) => pair.split(":", 1))
    .join();
}

/** Undo an edit, or do it again. */
export function go(by: -1 | 1): void {
  note();
  const to = at.value + by;
  if (to < 0 || to > last.value) return;
  if (!isFramed) return history.go(by);
  at.value = to;
  void follow(entries[to]!, language.peek());
}
