/** The address: the history, in which Back undoes an edit; links; the page in a frame. */

import { effect, signal } from "@preact/signals";
import { interactionWords, showAddressesBy } from "../shared.tsx";
import { breaking, code as codeModule, lesson as lessonModule, training } from "../loading.tsx";
import {
  applyAddress,
  currentAddress,
  currentParts,
  formatAddress,
  parseAddress,
  sceneOfLecture,
  undoableParts,
} from "../state/address.ts";
import type { PartTexts, Refusal } from "../state/address.ts";
import { guesses } from "../state/guesses.ts";
import { pause, play, step, ticks } from "../state/play.ts";
import { editable, fault, loadedProgram, shareable, shown, START } from "../state/program.ts";
import { done, isReplyRight, isScene, lesson, reply, task } from "../state/tasks.ts";
import { announcement, isFramed, isPrinted, language } from "../state/view.ts";
import { pageLocation, pass, SMALL } from "../state/view.ts";
import { chooseLanguage, languageOf } from "../words.ts";
import type { LanguageCode } from "../words.ts";

/** Milliseconds without a change before it is recorded, and in which similar ones are merged. */
const [QUIET, MAX_PAUSE] = [150, 2_000];

/** In a frame the browser's history belongs to the outer page, so a frame keeps its own. */
const entries: string[] = [];

/** The current place in the history, and the last one. */
const historyIndex = signal(0);
const historyEnd = signal(0);

/** The last record: the undoable parts, the kind of change, the loaded program, and the time. */
interface Recorded {
  readonly parts: PartTexts;
  readonly kind: string;
  readonly from: object;
  readonly time: number;
}

/** Null while an address is loaded, since loading is not an edit. */
let recorded: Recorded | null = null;
let isStarted = false;

/** Load the address, follow its changes, and keep it in step with the page. */
export async function startAddress(): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  showAddressesBy(loadAddress);
  historyIndex.value = historyEnd.value = isFramed ? 0 : (indexOf(history.state) ?? 0);
  // The event's address, since `recordEdit` may have replaced the current one.
  addEventListener("hashchange", ({ newURL }) => void onHashChange(new URL(newURL).hash.slice(1)));
  await showAddress(pageLocation.hash.slice(1));
  recordEdit();
  recordAtRest();
}

/** Wait for a change, and record it once the address stays, to compute it less often. */
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
  // The first run subscribes to all parts of the address; the next one, to nothing.
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

/** Load an address of the history, or a new one that the user has entered. */
async function onHashChange(hash: string): Promise<void> {
  const place = indexOf(history.state);
  historyIndex.value = place ?? historyIndex.value + 1;
  historyEnd.value = place === null ? historyIndex.value : Math.max(historyEnd.value, place);
  await showAddress(hash, place === null ? undefined : language.peek());
  recordEdit();
}

/** Record the current state: as a new edit, or merged into the last one. */
function recordEdit(): void {
  if (recorded === null || isPrinted.peek()) return;
  const [parts, from, time] = [undoableParts(), loadedProgram.peek(), Date.now()];
  const kind = changeKind(recorded, parts, from);
  const isMerged =
    kind === recorded.kind && from === recorded.from && time - recorded.time < MAX_PAUSE;
  const isNew = kind !== "" && !isMerged;
  if (kind !== "") recorded = { parts, kind, from, time };
  if (isNew) historyEnd.value = ++historyIndex.value;
  writeAddress(currentAddress(), isNew);
}

function writeAddress(hash: string, isNew: boolean): void {
  if (isFramed) entries.splice(historyIndex.value, isNew ? Infinity : 1, hash);
  if (pageLocation !== location) return; // a frame without an address
  const state = { at: historyIndex.value };
  if (isNew && !isFramed) history.pushState(state, "", `#${hash}`);
  else if (location.hash.slice(1) !== hash || indexOf(history.state) === null)
    history.replaceState(state, "", `#${hash}`);
}

/** Return the first part that differs, or the names of changed values; empty without a change. */
function changeKind(before: Recorded, now: PartTexts, from: object): string {
  // Before, a part whose module has just been loaded was in its initial state.
  const first = [...now.keys()].find((name) => (before.parts.get(name) ?? "") !== now.get(name));
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

/** The latest requested address; an earlier one may still wait for its modules. */
let requested = "";

/** Load the address after #; an invalid one changes nothing. */
async function loadAddress(hash: string, code: string | null = languageOf(hash)): Promise<void> {
  if (!hash.includes("=") || hash === currentAddress()) return;
  if (hash.includes("&&")) return loadAddress(sceneOfLecture(hash), code);
  requested = hash;
  void chooseLanguage(code as LanguageCode | null);
  if (hash.startsWith("lesson=")) {
    const found = await lessonModule.ready().catch(() => null);
    if (found !== null) return loadAddress(found.sceneAddress(hash), code);
  }
  // An address with only a language opens the start page.
  const parsed = /^lang=\w*$/.test(hash) ? { ...START, parts: new Map() } : parseAddress(hash);
  if ("why" in parsed) {
    announcement.value = () => describeRefusal(parsed);
    return;
  }
  await modulesOf(parsed.parts);
  if (hash !== requested) return;
  applyAddress(parsed);
  const named = parsed.parts.get("lang") ?? "";
  if (named !== "" && named !== languageOf(hash))
    announcement.value = () => interactionWords.value.address.language(named);
}

/** Load the module that sets some of the parts; without a connection, they are not set. */
async function modulesOf(parts: PartTexts): Promise<void> {
  const isSort = parts.get("w") === "sort"; // the code module computes its steps
  const module = isSort ? codeModule : { break: breaking, train: training }[parts.get("t") ?? ""];
  await module?.ready().catch(() => undefined);
}

/** Return a sentence with the reason for which an address was refused. */
function describeRefusal(refusal: Refusal): string {
  const text = interactionWords.value.address;
  return text.bad(refusal.why === "value" ? text.value(refusal.name) : text[refusal.why]);
}

/** The buttons, once there is an edit; never disabled, as a disabled button loses the focus. */
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

/** The type of the messages between this page and the one around it; README.md has their members. */
const TYPE = "gradient-sandbox";

/** The height of the content, in pixels; null on a phone. */
const height = signal<number | null>(null);

/** A message from another page; members of unexpected types are ignored. */
type FrameMessage = Readonly<Record<string, unknown>>;

export function startEmbedding(): void {
  effect(postState);
  const isUnread = editable.peek() === shown.peek();
  if (fault.peek() !== null) document.body.classList.add(isUnread ? "unread" : "unfounded");
  effect(() => {
    if (fault.value === null) document.body.classList.remove("unread", "unfounded");
  });
  reportHeight();
  if (pageLocation !== location) addEventListener("click", followLink);
  const from = (new URLSearchParams(pageLocation.search).get("from") ?? "").split(",");
  addEventListener("message", ({ source, origin, data }: MessageEvent<FrameMessage | null>) => {
    if (source !== parent || !from.includes(origin) || data?.["type"] !== TYPE) return;
    if (typeof data["plays"] === "boolean") return data["plays"] ? play() : pause();
    const whole = data["address"];
    const hash = typeof whole === "string" ? whole.replace(/^#/, "") : addressFrom(data);
    void loadAddress(hash, language.peek());
  });
}

/** Load a link to a scene, which would leave the page in a frame without an address. */
function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest("a[href^='#']");
  if (link === null) return;
  event.preventDefault();
  void loadAddress(link.getAttribute("href")!.slice(1));
}

/** Open an address as its link would. */
export function follow(hash: string): void {
  if (pageLocation === location) location.hash = hash;
  else void loadAddress(hash);
}

/**
 * Send the height of the content whenever it changes, so that a frame can adopt it.
 *
 * Heights relative to the window keep its first height, or a frame that adopts them would grow
 * forever. On a phone the play bar is at the bottom of the window, which a tall frame would hide.
 */
function reportHeight(): void {
  if (matchMedia(SMALL).matches) return;
  document.documentElement.style.setProperty("--window", `${innerHeight}px`);
  const report = () => (height.value = document.body.offsetHeight);
  new ResizeObserver(report).observe(document.body);
}

/** Send the state to the page around this one; it contains nothing private. */
function postState(): void {
  const { expression, values, parameters } = shareable.value;
  const { result, gradients } = shown.value.document;
  const message = {
    type: TYPE,
    address: `#${currentAddress()}`,
    ...{ expression, values, parameters },
    ...(fault.value ? { result: null, gradients: {} } : { result, gradients }),
    error: fault.value?.message ?? null,
    height: height.value,
    ...{ way: pass.value, step: step.value, steps: ticks.value.length },
    task: isScene.value
      ? { lesson: lesson.value, task: task.value, reply: reply.value, isRight: isReplyRight.value }
      : null,
    tasks: [...done.value],
    guesses: Object.fromEntries(guesses.value.verdicts),
  };
  parent.postMessage(message, "*");
}

/** Return the current address changed by a message, which is checked when it is parsed. */
function addressFrom({ expression, values, parameters, way: to, step: at }: FrameMessage): string {
  const parts = new Map(currentParts());
  const isProgram = typeof expression === "string";
  if (isProgram) for (const name of ["v", "p", "s"]) parts.delete(name);
  if (isProgram) parts.set("e", expression);
  if (typeof values === "object" && values !== null) {
    const all = Object.entries({ ...(isProgram ? {} : shareable.peek().values), ...values });
    parts.set("v", all.map(([name, value]) => `${name}:${String(value)}`).join(","));
  }
  if (Array.isArray(parameters)) parts.set("p", parameters.join(","));
  if (typeof to === "string") parts.set("w", to);
  if (typeof at === "number") parts.set("s", String(at));
  return formatAddress(parts);
}
