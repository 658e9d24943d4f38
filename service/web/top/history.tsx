/** The address and the browser's history: an edit is an entry, so Back undoes it. */

import { batch, effect, signal } from "@preact/signals";
import { interactionWords } from "../interaction_words.ts";
import { code as codeModule, lesson } from "../loading.tsx";
import { currentAddress, parseAddress, PARTS, undoableParts } from "../state/address.ts";
import type { AddressPart, PartTexts, Refusal } from "../state/address.ts";
import { loadedProgram, loadProgram, START } from "../state/program.ts";
import { announcement, language, pageLocation, pass } from "../state/view.ts";
import { chooseLanguage, languageOf } from "../words.ts";
import type { LanguageCode } from "../words.ts";

/** Milliseconds without a change until it is recorded, and within which similar ones are merged. */
const [QUIET, MOST_PAUSE] = [150, 2_000];

/** In a frame the browser's history belongs to the outer page, so a frame keeps its own. */
const isFramed = parent !== window;
const entries: string[] = [];

/** The current place in the history, and the last one. */
const historyIndex = signal(0);
const historyEnd = signal(0);

/** The last record: the undoable parts, what had changed, the loaded program, and when. */
interface Recorded {
  readonly parts: PartTexts;
  readonly kind: string;
  readonly from: object;
  readonly time: number;
}

/** Null while an address is loaded, since loading is not an edit. */
let recorded: Recorded | null = null;
let isStarted = false;

/** Follow the address, and keep it in step with the page. */
export async function startAddress(): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  historyIndex.value = historyEnd.value = isFramed ? 0 : (indexOf(history.state) ?? 0);
  // The event's address, since `recordEdit` may have replaced the current one.
  addEventListener("hashchange", ({ newURL }) => void onHashChange(new URL(newURL).hash.slice(1)));
  await showAddress(pageLocation.hash.slice(1));
  recordEdit();
  recordAtRest();
}

/** Wait for a change, and record it once the address stays: it is not computed at each change. */
function recordAtRest(): void {
  let before: string | null = null;
  const settle = () => {
    const now = currentAddress();
    if (now !== before) {
      before = now;
      setTimeout(settle, QUIET);
      return;
    }
    stop();
    recordEdit();
    recordAtRest();
  };
  // The first run subscribes to all that is in the address; the next one, to nothing.
  const stop = effect(() => {
    if (before === null) before = currentAddress();
    else setTimeout(settle, QUIET);
  });
}

/** Load an address, which is not an edit. */
async function showAddress(hash: string, code?: string | null): Promise<void> {
  recorded = null;
  await loadAddress(hash, code);
  recorded = { parts: undoableParts(), kind: "", from: loadedProgram.peek(), time: 0 };
}

function indexOf(state: unknown): number | null {
  const place = (state as { at?: unknown } | null)?.at;
  return typeof place === "number" ? place : null;
}

/** Load an address of the history, or a new one that a person has entered. */
async function onHashChange(hash: string): Promise<void> {
  const place = indexOf(history.state);
  historyIndex.value = place ?? historyIndex.value + 1;
  historyEnd.value = place === null ? historyIndex.value : Math.max(historyEnd.value, place);
  await showAddress(hash, place === null ? undefined : language.peek());
  recordEdit();
}

/** Record the current state: as a new edit, or merged into the last one. */
function recordEdit(): void {
  if (recorded === null) return;
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
  if (pageLocation !== location) return; // the frame has no address
  const state = { at: historyIndex.value };
  if (isNew && !isFramed) history.pushState(state, "", `#${hash}`);
  else if (location.hash.slice(1) !== hash || indexOf(history.state) === null)
    history.replaceState(state, "", `#${hash}`);
}

/** Return the first part that differs, or the names of changed values; empty if nothing does. */
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

/** Undo or redo an edit. */
export function stepHistory(by: -1 | 1): void {
  recordEdit();
  const to = historyIndex.value + by;
  if (to < 0 || to > historyEnd.value) return;
  if (!isFramed) return history.go(by);
  historyIndex.value = to;
  void showAddress(entries[to]!, language.peek());
}

/** Load the address after #; one that cannot be read changes nothing. */
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
  // An address with only a language is the start page.
  const parsed = /^lang=\w*$/.test(hash) ? { ...START, parts: new Map() } : parseAddress(hash);
  if ("why" in parsed) {
    announcement.value = () => describeRefusal(parsed);
    return;
  }
  batch(() => loadProgram(parsed));
  for (const part of PARTS) setPart(part, parsed.parts);
  const named = parsed.parts.get("lang") ?? "";
  if (named !== "" && named !== languageOf(hash))
    announcement.value = () => interactionWords.value.address.language(named);
  if (pass.value !== "sort") return;
  await codeModule.ready().catch(() => undefined); // it has the sort's steps
  for (const part of PARTS) if (part.name === "s") setPart(part, parsed.parts);
}

/** Set one part: its effects are complete before the next part, and are not an edit. */
function setPart({ name, read }: AddressPart, parts: PartTexts): void {
  batch(() => {
    read(parts.get(name) ?? "");
    loadedProgram.value = { ...loadedProgram.value };
  });
}

/** Say that an address was refused, and why. */
function describeRefusal(refusal: Refusal): string {
  const text = interactionWords.value.address;
  return text.bad(refusal.why === "value" ? text.value(refusal.name) : text[refusal.why]);
}

/** Show the buttons once there is an edit. They are never disabled: the last press would lose the focus. */
export function UndoRedo() {
  const { undo, redo } = interactionWords.value.edits;
  const [place, end] = [historyIndex.value, historyEnd.value];
  if (end === 0) return null;
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
