/** Below the graph: what can be unfolded, and the page's keys. */

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { interactionWords } from "../interaction_words.ts";
import { exporting } from "../loading.tsx";
import { cardKeyAction } from "../stage/input.tsx";
import { goTo, pause, play, playing, selectPass, stepBack, stepOn, ticks } from "../state/play.ts";
import { isPlayable, openTab } from "../state/guesses.ts";
import * as descent from "../state/descent.ts";
import { isPrinted, tab, TABS, turnBy } from "../state/view.ts";
import { stepHistory } from "../top/history.tsx";
import { words } from "../words.ts";
import { Tables } from "./tables.tsx";

/** The foot of the page: what a program needs to use the service. */
export function Foot() {
  const { service, reference, problems } = interactionWords.value.below;
  return (
    <footer class="bar foot">
      <nav aria-label={service}>
        <a href="docs">{reference}</a>
        <a href="problems">{problems}</a>
        <a href="openapi.json">OpenAPI</a>
      </nav>
    </footer>
  );
}

const Export = exporting.room(({ Export }) => Export);

export function Below() {
  const text = interactionWords.value.below;
  return (
    <section class="below" aria-label={text.name}>
      <Fold id="table" title={text.table} of={Tables} />
      <Fold id="export" title={text.export} of={Export} />
      <Fold id="keyboard" title={text.keyboard} of={Keyboard} />
    </section>
  );
}

interface FoldProps {
  readonly id: string;
  readonly title: string;
  readonly of: ComponentType<object>;
}

/** What can be unfolded; on paper everything is. */
function Fold({ id, title, of: Part }: FoldProps) {
  const wasOpened = useSignal(false);
  const isOpen = isPrinted.value || wasOpened.value;
  return (
    <details
      id={id}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => isPrinted.value || (wasOpened.value = open)}
    >
      <summary>{title}</summary>
      {isOpen && <Part />}
    </details>
  );
}

const ARROWS = "← → ↑ ↓";
const KEY_LIST: readonly (readonly string[])[] = [
  ["Space"],
  ["←", "→"],
  ["Home", "End"],
  [",", "."],
  [ARROWS, "Home", "End"],
  ["Tab"],
  ["Enter"],
  ["Shift", ARROWS],
  ["F", "S", "B"],
  ["/"],
  ["1", "2", "3", "4", "5"],
  ["Ctrl", "Z"],
  ["Ctrl", "Shift", "Z"],
  ["?"],
];

function Keyboard() {
  const { keys, keyNames, edits, below } = interactionWords.value;
  const { tabs, stage, expression } = words.value;
  const choices = [
    [stage.forward, stage.sort, stage.backward],
    [expression],
    Object.values(tabs),
  ].map((names) => names.join(", "));
  const controls = [edits.undo, edits.redo, below.keyboard];
  const effects = [...keys, ...choices, ...controls];
  return (
    <dl class="keys">
      {KEY_LIST.map((keys, at) => (
        <div>
          <dt>
            {keys.map((key) => (
              <>
                <kbd>{keyNames[key] ?? key}</kbd>{" "}
              </>
            ))}
          </dt>
          <dd>{effects[at]}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Degrees for a key. */
const TURN = 3;

/** Of the pass, if it can be played. */
const PASS_ACTIONS: Readonly<Record<string, () => void>> = {
  " ": () => (playing.value ? pause() : play()),
  ArrowLeft: stepBack,
  ArrowRight: stepOn,
  ",": stepBack,
  ".": stepOn,
  Home: () => goTo(0),
  End: () => goTo(ticks.value.length),
};

const ACTIONS: Readonly<Record<string, () => void>> = {
  f: () => selectPass("forward"),
  s: () => selectPass("sort"),
  b: () => selectPass("backward"),
  "/": () => document.querySelector<HTMLTextAreaElement>("#expression")?.select(),
  "?": openKeys,
};

/** In the Train tab the timeline's keys move through the descent's steps. */
const TRAINING_ACTIONS: Readonly<Record<string, () => void>> = {
  " ": () => (descent.training.value ? descent.pauseTraining() : descent.startTraining()),
  ArrowLeft: () => descent.pauseTraining(descent.pointIndex.value - 1),
  ArrowRight: () => descent.pauseTraining(descent.pointIndex.value + 1),
  Home: () => descent.pauseTraining(0),
  End: () => descent.pauseTraining(descent.settings.value.steps),
};

const TURN_ACTIONS: Readonly<Record<string, () => void>> = {
  ArrowLeft: () => turnBy(-TURN, 0),
  ArrowRight: () => turnBy(TURN, 0),
  ArrowUp: () => turnBy(0, -TURN),
  ArrowDown: () => turnBy(0, TURN),
};

/** Typing in the expression is undone by the page; other fields have their own undo. */
const FIELDS = "input:not([type=checkbox], [type=range], [type=radio]), textarea:not(#expression)";

export function startKeys(): void {
  addEventListener("keydown", (event) => {
    const target = event.target as Element;
    const by = historyStep(event);
    if (by !== null && !target.closest(FIELDS)) {
      event.preventDefault();
      stepHistory(by);
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("input:not([type=checkbox]), textarea, select")) return;
    if (event.key === " " && target.closest("button, input, summary, [role=button], a")) return;
    const action =
      event.shiftKey && event.key in TURN_ACTIONS
        ? TURN_ACTIONS[event.key]
        : (isOnCard(target) && cardKeyAction(target, event.key)) || actionOf(keyOf(event));
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

/** Whether arrow keys follow a card's wires; in full screen they always step. */
function isOnCard(target: Element): target is HTMLElement {
  return document.fullscreenElement === null && target.matches(".card");
}

/** Undo, redo, or null: Ctrl or Command with Z, with Shift, with Y. */
function historyStep(event: KeyboardEvent): -1 | 1 | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = keyOf(event).toLowerCase();
  if (key === "z") return event.shiftKey ? 1 : -1;
  return key === "y" && !event.shiftKey ? 1 : null;
}

/** Return a key's letter; on a Cyrillic keyboard, the Latin letter that is printed on it, too. */
function keyOf({ key, code }: KeyboardEvent): string {
  return /^\p{Script=Cyrillic}$/u.test(key) ? code.replace("Key", "") : key;
}

function actionOf(key: string): (() => void) | undefined {
  const room = TABS[Number(key) - 1];
  if (room !== undefined) return () => openTab(room);
  const name = key.length === 1 ? key.toLowerCase() : key;
  const ofPass = isPlayable.value ? PASS_ACTIONS[name] : undefined;
  return (tab.value === "train" ? TRAINING_ACTIONS[name] : undefined) ?? ofPass ?? ACTIONS[name];
}

function openKeys(): void {
  const list = document.querySelector<HTMLDetailsElement>("#keyboard")!;
  list.open = true;
  list.scrollIntoView({ block: "nearest" });
  list.querySelector("summary")!.focus();
}
