/** Keys -> what they do; single keys act only outside of fields. */

import { ROOMS } from "../panel/rooms.ts";
import { goTo, pause, play, playing, progress, step, ticks, turn } from "../state/play.ts";
import { follow, following, showAll } from "../state/sight.ts";
import * as descent from "../state/train.ts";
import { resetView, tab, turnBy, zoomBy } from "../state/view.ts";
import { walkOf } from "../stage/walk.ts";
import { field } from "../top/expression.tsx";
import { go } from "../top/history.ts";
import { unfold } from "./below.tsx";

const TURN = Math.PI / 60;

const back = () => goTo(step.value - 1);
const next = () => goTo(progress.value < 1 ? step.value : step.value + 1);

const ACTIONS: Readonly<Record<string, () => void>> = {
  " ": () => (playing.value ? pause() : play()),
  ArrowLeft: back,
  ArrowRight: next,
  ",": back,
  ".": next,
  Home: () => goTo(0),
  End: () => goTo(ticks.value.length),
  f: () => turn("forward"),
  s: () => turn("sort"),
  b: () => turn("backward"),
  r: resetView,
  "+": () => zoomBy(1.25),
  "-": () => zoomBy(0.8),
  "0": () => (following.value ? showAll() : follow()),
  "/": () => field.current?.select(),
  "?": () => openKeys(),
};

/** In the room where parameters learn the keys of the timeline go over its steps. */
const TRAINS: Readonly<Record<string, () => void>> = {
  " ": () => (descent.training.value ? descent.pause() : descent.train()),
  ArrowLeft: () => descent.pause(descent.at.value - 1),
  ArrowRight: () => descent.pause(descent.at.value + 1),
  Home: () => descent.pause(0),
  End: () => descent.pause(descent.steps.value),
};

const TURNS: Readonly<Record<string, () => void>> = {
  ArrowLeft: () => turnBy(-TURN, 0),
  ArrowRight: () => turnBy(TURN, 0),
  ArrowUp: () => turnBy(0, -TURN),
  ArrowDown: () => turnBy(0, TURN),
};

/** What is typed into the expression is undone as all else is; other fields have an undo of their own. */
const FIELDS = "input:not([type=checkbox], [type=range], [type=radio], #expression), textarea";

export function startKeys(): void {
  addEventListener("keydown", (event) => {
    const target = event.target as Element;
    const by = goesBy(event);
    if (by !== null && !target.closest(FIELDS)) {
      event.preventDefault();
      go(by);
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("input:not([type=checkbox]), textarea, select")) return;
    if (event.key === " " && target.closest("button, input, summary, [role=button], a")) return;
    const action =
      event.shiftKey && event.key in TURNS
        ? TURNS[event.key]
        : (target.matches(".card") && walkOf(target as HTMLElement, event.key)) ||
          actionOf(keyOf(event));
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

/** Undo, redo, or null: Ctrl or Command with Z, with Shift, with Y. */
function goesBy(event: KeyboardEvent): -1 | 1 | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = keyOf(event).toLowerCase();
  if (key === "z") return event.shiftKey ? 1 : -1;
  return key === "y" && !event.shiftKey ? 1 : null;
}

/** What a key says; on a Cyrillic keyboard its Latin letter, which is written on it, too. */
function keyOf({ key, code }: KeyboardEvent): string {
  return /^\p{Script=Cyrillic}$/u.test(key) ? code.replace("Key", "") : key;
}

function actionOf(key: string): (() => void) | undefined {
  const room = ROOMS[Number(key) - 1];
  if (/^[1-9]$/.test(key) && room !== undefined) return () => (tab.value = room[0]);
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (tab.value === "train" && Object.hasOwn(TRAINS, name)) return TRAINS[name];
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
}

function openKeys(): void {
  unfold("keyboard", true);
  const list = document.getElementById("keyboard")!;
  list.scrollIntoView({ block: "nearest" });
  list.querySelector("summary")!.focus();
}
