/** The address and the browser's history: an edit is an entry, so Back undoes it. */

import { batch, effect, signal } from "@preact/signals";
import { deferredWords } from "../deferred_words.ts";
import { code as codeModule, lesson } from "../lazy.tsx";
import { currentAddress, parseAddress, PARTS, undoableParts } from "../state/address.ts";
import type { AddressPart, PartTexts, Refusal } from "../state/address.ts";
import { loadedProgram, loadProgram, START } from "../state/program.ts";
import { announcement, language, pageLocation, pass } from "../state/view.ts";
import { chooseLanguage, languageOf } from "../words.ts";
import type { LanguageCode } from "../words.ts";

/** Milliseconds without a change, before it is noted; and within which one of its kind goes on. */
const [QUIET, MOST_PAUSE] = [150, 2_000];

/** In a frame the browser's history is that of the page around it, so a frame keeps its own. */
const isFramed = parent !== window;
const entries: string[] = [];

/** The place in the history, and the last one that is known. */
const historyIndex = signal(0);
const historyEnd = signal(0);

/** What was noted last: what can be undone, what had changed, whose program it was, and when. */
interface Recorded {
  readonly parts: PartTexts;
  readonly kind: string;
  readonly from: object;
  readonly time: number;
}

/** Null while an address is loaded: what that changes is no edit. */
let recorded: Recorded | null = null;
let timer = 0;
let isStarted = false;

/** Follow the address, and keep it in step with what is shown. */
export async function startAddress(): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  historyIndex.value = historyEnd.value = isFramed ? 0 : (indexOf(history.state) ?? 0);
  // The event's address: what is noted below may have been put in its place since.
  addEventListener("hashchange", ({ newURL }) => void onHashChange(new URL(newURL).hash.slice(1)));
  await showAddress(pageLocation.hash.slice(1));
  effect(() => {
    void currentAddress();
    clearTimeout(timer);
    timer = setTimeout(recordEdit, QUIET) as unknown as number;
  });
}

/** Show what an address holds, which is no edit. */
async function showAddress(hash: string, code?: string | null): Promise<void> {
  recorded = null;
  await loadAddress(hash, code);
  recorded = { parts: undoableParts(), kind: "", from: loadedProgram.peek(), time: 0 };
}

function indexOf(state: unknown): number | null {
  const place = (state as { at?: unknown } | null)?.at;
  return typeof place === "number" ? place : null;
}

/** Show what an address of the history holds, or of a person, which is a new one. */
async function onHashChange(hash: string): Promise<void> {
  const place = indexOf(history.state);
  historyIndex.value = place ?? historyIndex.value + 1;
  historyEnd.value = place === null ? historyIndex.value : Math.max(historyEnd.value, place);
  await showAddress(hash, place === null ? undefined : language.peek());
  recordEdit();
}

/** Note what is shown: as an edit of its own, or in the place of what it goes on. */
function recordEdit(): void {
  if (recorded === null) return;
  clearTimeout(timer);
  const [parts, from, time] = [undoableParts(), loadedProgram.peek(), Date.now()];
  const kind = changeKind(recorded, parts, from);
  const goesOn =
    kind === recorded.kind && from === recorded.from && time - recorded.time < MOST_PAUSE;
  const isNew = kind !== "" && !goesOn;
  if (kind !== "") recorded = { parts, kind, from, time };
  if (isNew) historyEnd.value = ++historyIndex.value;
  writeAddress(currentAddress(), isNew);
}

function writeAddress(hash: string, isNew: boolean): void {
  if (isFramed) entries.splice(historyIndex.value, isNew ? Infinity : 1, hash);
  if (pageLocation !== location) return; // there is none to keep
  const state = { at: historyIndex.value };
  if (isNew && !isFramed) history.pushState(state, "", `#${hash}`);
  else if (location.hash.slice(1) !== hash || indexOf(history.state) === null)
    history.replaceState(state, "", `#${hash}`);
}

/** What differs, by name, and of values whose; empty where nothing does. */
function changeKind(before: Recorded, now: PartTexts, from: object): string {
  const first = [...now.keys()].find((name) => before.parts.get(name) !== now.get(name));
  if (first === undefined) return "";
  if (from !== before.from) return "another program";
  if (first !== "v") return first;
  const earlier = before.parts.get("v")!.split(",");
  const pairs = now.get("v")!.split(",");
  const changed = pairs.filter((pair) => !earlier.includes(pair));
  return changed.map((pair) => pair.split(":", 1)).join();
}

/** Undo an edit, or do it again. */
export function stepHistory(by: -1 | 1): void {
  recordEdit();
  const to = historyIndex.value + by;
  if (to < 0 || to > historyEnd.value) return;
  if (!isFramed) return history.go(by);
  historyIndex.value = to;
  void showAddress(entries[to]!, language.peek());
}

/** Take what an address holds after #; one that cannot be read changes nothing. */
export async function loadAddress(
  hash: string,
  code: string | null = languageOf(hash),
): Promise<void> {
  if (!hash.includes("=") || hash === currentAddress()) return;
  void chooseLanguage(code as LanguageCode | null);
  if (hash.startsWith("lesson=")) {
    const found = await lesson.ready().catch(() => null);
    if (found !== null) return loadAddress(found.sceneAddress(hash), code);
  }
  // An address that names but a language is the page from its start.
  const parsed = /^lang=\w*$/.test(hash) ? { ...START, parts: new Map() } : parseAddress(hash);
  if ("why" in parsed) {
    announcement.value = () => describeRefusal(parsed);
    return;
  }
  batch(() => loadProgram(parsed));
  for (const part of PARTS) setPart(part, parsed.parts);
  const named = parsed.parts.get("lang") ?? "";
  if (named !== "" && named !== languageOf(hash))
    announcement.value = () => deferredWords.value.address.language(named);
  if (pass.value !== "sort") return;
  await codeModule.ready().catch(() => undefined); // which has its steps
  for (const part of PARTS) if (part.name === "s") setPart(part, parsed.parts);
}

/** Set a member by itself: what it changes is there for the next one, and is nobody's doing. */
function setPart({ name, read }: AddressPart, parts: PartTexts): void {
  batch(() => {
    read(parts.get(name) ?? "");
    loadedProgram.value = { ...loadedProgram.value };
  });
}

/** Say that an address was refused, and why. */
function describeRefusal(refusal: Refusal): string {
  const text = deferredWords.value.address;
  return text.bad(refusal.why === "value" ? text.value(refusal.name) : text[refusal.why]);
}

/** Buttons that are not disabled where there is nothing to do: the focus would be lost by the last press. */
export function UndoRedo() {
  const { undo, redo } = deferredWords.value.edits;
  const [place, end] = [historyIndex.value, historyEnd.value];
  const buttons = [[-1, "↶", undo, place > 0] as const, [1, "↷", redo, place < end] as const];
  return (
    <>
      {buttons.map(([by, sign, label, isOn]) => (
        <button
          key={by}
          class="edit"
          title={label}
          aria-label={label}
          aria-disabled={!isOn}
          onClick={() => stepHistory(by)}
        >
          {sign}
        </button>
      ))}
    </>
  );
}
