/** Play and pause, one step back or on, and the timeline with a tick for each contribution. */

import { fault, shown } from "../state/program.ts";
import {
  atEnd,
  current,
  goTo,
  otherWalk,
  pause,
  play,
  playing,
  progress,
  speed,
  step,
  ticks,
  way,
} from "../state/play.ts";
import type { Tick } from "../state/beats.ts";
import { lazy } from "../lazy.tsx";
import { cut, nameOf } from "../words/names.ts";
import { words } from "../words.ts";
import { stage, tab } from "../state/view.ts";
import { isTurned } from "./frame.ts";

/** Ticks have names up to here, where these have room, and are plain marks beyond. */
const MOST_NAMED = 8;
/** Pixels: a letter of a name, and what the bar needs beside the timeline, wide and narrow. */
const [LETTER, BESIDE, BESIDE_NARROW] = [7.3, 570, 150];
const SPEEDS = [0.5, 1, 2];

const Full = lazy(({ Full }) => Full);

export function PlayBar() {
  const text = words.value.play;
  const isOff = fault.value !== null;
  const count = ticks.value.length;
  return (
    <div class="play">
      <button
        class={tab.value === "predict" || tab.value === "break" ? "lead" : "go"}
        disabled={isOff}
        onClick={playing.value ? pause : play}
      >
        <Icon playing={playing.value} /> {label()}
      </button>
      <button disabled={isOff} onClick={() => goTo(step.value - 1)}>
        {text.back}
      </button>
      <button
        class="step"
        disabled={isOff}
        onClick={() => goTo(progress.value < 1 ? step.value : step.value + 1)}
      >
        {text.step}
      </button>
      <div class={`time ${way.value}`}>
        <input
          type="range"
          min="0"
          max={count}
          step="1"
          value={step.value}
          disabled={isOff}
          aria-label={text.timeline[way.value]}
          aria-valuetext={text.count(step.value, count)}
          onInput={(event) => goTo(Number(event.currentTarget.value))}
        />
        <Ticks />
      </div>
      <span class="count">{text.count(step.value, count)}</span>
      <select
        class="speed"
        aria-label={text.speed}
        value={String(speed.value)}
        onChange={(event) => (speed.value = Number(event.currentTarget.value))}
      >
        {SPEEDS.map((each) => (
          <option value={String(each)}>{each}×</option>
        ))}
      </select>
      <Full />
    </div>
  );
}

function label(): string {
  const text = words.value.play;
  if (playing.value) return text.pause;
  if (otherWalk.value !== null && way.value === "backward") return otherWalk.value.label;
  if (step.value > 0 && atEnd.value) return text.again;
  return text[way.value];
}

function Icon({ playing }: { playing: boolean }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={playing ? "M3 2h3.6v12H3zM9.4 2H13v12H9.4z" : "M4 2v12l10-6z"} />
    </svg>
  );
}

function Ticks() {
  const text = words.value.play;
  const names = [text.begin[way.value], ...ticks.value.map(tickName)];
  const isNamed = names.length <= MOST_NAMED + 1 && haveRoom(names);
  return (
    <ol class="ticks" aria-hidden="true">
      {names.map((name, at) => (
        <li class={tickClass(at)}>{isNamed || at === step.value ? <span>{name}</span> : <i />}</li>
      ))}
    </ol>
  );
}

/** Whether each name ends before the next one begins. */
function haveRoom(names: readonly string[]): boolean {
  const width = stage.value.width - (isTurned.value ? BESIDE_NARROW : BESIDE);
  const letters = width / (names.length - 1) / LETTER;
  return names.every(
    (name, at) => at === 0 || (names[at - 1]!.length + name.length) / 2 < letters - 1,
  );
}

function tickClass(at: number): string {
  if (at === step.value && current.value !== null) return "now";
  return at <= step.value && step.value > 0 ? "done" : "";
}

/** What a beat of the sort does, beside the name. */
const SIGNS = { enter: "", skip: "?", append: "✓", reverse: "⇄" };

function tickName({ node, does }: Tick): string {
  const { label, operation } = shown.value.document.nodes[node]!;
  const name = label ?? nameOf(shown.value, node).replaceAll(" ", "");
  return (
    (name.length <= 6 ? name : (operation ?? cut(name, 6))) +
    (does === undefined ? "" : SIGNS[does])
  );
}
