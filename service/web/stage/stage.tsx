/** The middle of the page: options, the graph with its cards and arrows, sentence and play bar. */

import { computed, effect, signal, untracked, useSignalEffect } from "@preact/signals";
import type { Signal } from "@preact/signals";
import { createRef } from "preact";
import { loaded, part } from "../deferred.ts";
import { code, overview, training } from "../lazy.tsx";
import type { Tick } from "../state/cards.ts";
import { guesses } from "../state/guesses.ts";
import {
  atEnd,
  beats,
  cardNotes,
  current,
  goTo,
  isOver,
  lastTicks,
  otherWalk,
  pause,
  play,
  playing,
  playsFronts,
  readingTime,
  revealed,
  selectPass,
  showsAllGrads,
  step,
  stepBack,
  stepOn,
  ticks,
} from "../state/play.ts";
import { expanded, fault, shown } from "../state/program.ts";
import type { ShownProgram } from "../state/program.ts";
import { following } from "../state/target.ts";
import {
  announcement,
  bringIntoSight,
  pass,
  PASSES,
  resetView,
  selectedEdge,
  showsAccuracy,
  stageSize,
  tab,
  zoom,
} from "../state/view.ts";
import { words } from "../words.ts";
import { cut, exact, nameOf, Rich, short, sourceOf } from "../words/text.tsx";
import { Arrow, arrows, formulaText, isRevealed, Wire } from "./arrows.tsx";
import { CardView } from "./card.tsx";
import { drawnGraph, isCrowded, isVertical, layout, stageHeight } from "./viewport.ts";

const Loss = training.part(({ Loss }) => Loss);
const Zoom = overview.part(({ Zoom }) => Zoom);
const Overview = overview.part(({ Overview }) => Overview);

const graphElement = createRef<HTMLDivElement>();

export function Stage() {
  useSignalEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      stageSize.value = { width, height };
    });
    observer.observe(graphElement.current!);
    return () => observer.disconnect();
  });
  const text = words.value;
  const isAsked = selectedEdge.value !== null || announcement.value !== null;
  const isStale = fault.value !== null;
  const isLarge = isCrowded.value || zoom.value !== 1 || !following.value;
  const state = `${isStale ? " stale" : ""}${playing.value ? " playing" : ""} ${pass.value}`;
  return (
    <section class={`stage${state}`} aria-label={text.stage.name}>
      <div class="view">
        <Tools />
        <div
          class="canvas"
          ref={graphElement}
          style={`--wide:${stageSize.value.width};--high:${stageSize.value.height};${isVertical.value ? `height:${stageHeight.value}px` : ""}`}
        >
          <Graph />
          {isCrowded.value && <Overview />}
        </div>
        {isLarge && <Zoom />}
        {isStale && (
          <p class="stale-label">
            {loaded.value?.deferredWords.value.fault.stale}{" "}
            <span class="mono">{shown.value.expression}</span>
          </p>
        )}
      </div>
      {(tab.value !== "train" || isAsked) && <Sentence />}
      {tab.value === "train" ? <Loss /> : <PlayBar />}
    </section>
  );
}

const showsOptions = signal(false);

function Tools() {
  const text = words.value.stage;
  const later = loaded.value?.deferredWords.value;
  const isPredicting = tab.value === "predict" && guesses.value.isOpen;
  const isOrdered = cardNotes.value?.some(({ visit }) => visit !== null) ?? false;
  return (
    <div class={`tools${showsOptions.value ? " expanded" : ""}`}>
      <div class="segmented passes" role="radiogroup" aria-label={text.way}>
        {PASSES.map((to) => {
          const [name, ...what] = text[to].split(":");
          return (
            <label>
              <input
                type="radio"
                name="way"
                checked={pass.value === to}
                onChange={() => selectPass(to)}
              />
              <i class={to} />
              <span>
                {name}
                {what.length > 0 && <span class="what">:{what}</span>}
              </span>
            </label>
          );
        })}
      </div>
      <button
        class="options"
        aria-expanded={showsOptions.value}
        onClick={() => (showsOptions.value = !showsOptions.value)}
      >
        {text.options}
      </button>
      {isPredicting || cardNotes.value !== null ? (
        <span class="tools-note">{isPredicting ? later?.hidden : isOrdered && later?.circles}</span>
      ) : (
        <>
          <Check of={expanded} label={text.local} />
          <Check of={revealed} label={text.final} />
          {showsAccuracy.value && <Check of={showsAccuracy} label={text.accuracy} />}
          <button class="reset" title={text.reset} aria-label={text.reset} onClick={resetView}>
            ↺
          </button>
        </>
      )}
    </div>
  );
}

function Check({ of, label }: { of: Signal<boolean>; label: string }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={of.value}
        onChange={(event) => (of.value = event.currentTarget.checked)}
      />{" "}
      {label}
    </label>
  );
}

const Floor = part(({ Floor }) => Floor);
const LeafDrawnOut = part(({ LeafDrawnOut }) => LeafDrawnOut);
const Ghost = part(({ Ghost }) => Ghost);

function Graph() {
  const program = shown.value;
  const { document } = program;
  const text = words.value.stage;
  return (
    <div
      class="picture"
      role="group"
      aria-label={text.graphOf(program.expression, exact(document.result))}
    >
      <Floor />
      <svg class="wires" aria-hidden="true">
        {arrows.value.map((arrow) => (
          <Wire key={arrow.edge.id} {...arrow} />
        ))}
      </svg>
      <svg class="edges">
        {arrows.value.map((arrow) => (
          <Arrow
            key={arrow.edge.id}
            {...arrow}
            label={loaded.value?.labels.value.get(arrow.edge.id) ?? null}
            name={[
              isRevealed(arrow.edge) || (showsAllGrads.value && tab.value !== "predict")
                ? formulaText(arrow.edge)
                : "? × ? = ?",
              text.from(nameOf(program, arrow.edge.to)),
              text.to(nameOf(program, arrow.edge.from)),
            ].join(", ")}
          />
        ))}
      </svg>
      {drawnGraph.value.cards.map((card) => (
        <CardView key={card.id} card={card} box={layout.value.boxes.get(card.id)!} />
      ))}
      <LeafDrawnOut />
      <Ghost />
    </div>
  );
}

/** Milliseconds in which a word is read. */
const WORD = 260;

// When the wave goes on, a derivative that was read and an announcement are over.
effect(() => {
  void [step.value, pass.value, shown.value.prepared];
  untracked(() => ([selectedEdge.value, announcement.value] = [null, null]));
});

const sentence = computed(() => {
  const later = loaded.value;
  const text = later?.deferredWords.value;
  if (fault.value !== null) return text?.fault.follows ?? "";
  const program = shown.value;
  const edge = selectedEdge.value === null ? undefined : program.document.edges[selectedEdge.value];
  if (edge !== undefined && later && text) return later.derivative(text, program, edge);
  if (playsFronts.value && pass.value !== "sort" && later && text) {
    const at = beats.value.findIndex(({ end }) => end >= step.value);
    return text.front(at + 1, beats.value.length, lastTicks.value.length);
  }
  const isTold = isOver.value && pass.value === "backward" && otherWalk.value === null;
  return (
    announcement.value?.() ?? ((isTold && later?.describeEnd(program)) || describeStep(program))
  );
});

// The first arrow takes as long as its sentence is read.
effect(() => {
  if (step.value === 1) readingTime.value = WORD * sentence.value.split(" ").length;
});

// What is played is seen: in a small window all above the graph goes out of it.
effect(() => {
  if (playing.value) bringIntoSight();
});

function Sentence() {
  return (
    <p
      class={`sentence${fault.value === null ? "" : " muted"}`}
      role="status"
      aria-live={playing.value ? "off" : "polite"}
    >
      <Rich text={sentence.value} />
    </p>
  );
}

/** Say where the pulse is; before what is loaded later has come, only how the pass begins. */
function describeStep(shown: ShownProgram): string {
  const tick = current.value;
  if (pass.value === "sort") return code.loaded.value?.describeSortTick(shown, tick) ?? "";
  const other = tick?.edge ? otherWalk.value?.describe(step.value - 1) : null;
  const sent = other ?? (tick && loaded.value?.describeTick(shown, tick));
  if (sent) return sent;
  if (pass.value === "forward") return words.value.seedForward;
  const first = ticks.value.length === 0 ? words.value.resultOne : words.value.seed;
  const told = describeResult(shown);
  return `${told.charAt(0).toUpperCase()}${told.slice(1)} ${first}`;
}

/** Say how the result comes about, from the last operation. */
function describeResult(shown: ShownProgram): string {
  const { nodes, edges, root, result } = shown.document;
  const { operation, span } = nodes[root]!;
  if (operation === null) return `${words.value.is(nameOf(shown, root), short(result))}.`;
  const operands = edges.filter(({ to }) => to === root).map(({ from }) => from);
  const parts = operands.filter((id) => nodes[id]!.operation !== null);
  const told = [...new Set(parts)].map((id) =>
    words.value.is(nameOf(shown, id), short(nodes[id]!.data)),
  );
  const [left, right] = operands as [number, number];
  const start = told.length > 0 ? `${told.join(", ")}; ` : "";
  if (/^\w/.test(operation)) {
    const text = sourceOf(shown.expression, span) ?? nameOf(shown, root);
    return `${start}${words.value.is(cut(text), short(result))}.`;
  }
  const begins =
    nodes[left]!.operation === null || told.length > 1 ? `\`${nameOf(shown, left)}\` ` : "";
  return start + words.value.makes(operation, begins, nameOf(shown, right), short(result));
}

/** Ticks have names up to here, where these have room, and are plain marks beyond. */
const MOST_NAMED = 8;
/** Pixels: a letter of a name, and what the bar needs beside the timeline, wide and narrow. */
const [LETTER, BESIDE, BESIDE_NARROW] = [7.3, 570, 150];

const FullScreen = part(({ FullScreen }) => FullScreen);

function PlayBar() {
  const text = words.value.play;
  const isOff = fault.value !== null;
  const count = ticks.value.length;
  return (
    <div class="play">
      <button
        class={tab.value === "predict" || tab.value === "break" ? "lead" : "primary"}
        disabled={isOff}
        onClick={playing.value ? pause : play}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d={playing.value ? "M3 2h3.6v12H3zM9.4 2H13v12H9.4z" : "M4 2v12l10-6z"} />
        </svg>{" "}
        {label()}
      </button>
      <button disabled={isOff} onClick={stepBack}>
        {text.back}
      </button>
      <button class="step" disabled={isOff} onClick={stepOn}>
        {text.step}
      </button>
      <div class="timeline">
        <input
          type="range"
          min="0"
          max={count}
          step="1"
          value={step.value}
          disabled={isOff}
          aria-label={text.timeline[pass.value]}
          aria-valuetext={words.value.of(step.value, count)}
          onInput={(event) => goTo(Number(event.currentTarget.value))}
        />
        <Ticks />
      </div>
      <span class="count">{words.value.of(step.value, count)}</span>
      <FullScreen />
    </div>
  );
}

function label(): string {
  const text = words.value.play;
  if (playing.value) return text.pause;
  if (otherWalk.value !== null && pass.value === "backward") return otherWalk.value.label;
  if (step.value > 0 && atEnd.value) return text.again;
  return text[pass.value];
}

function Ticks() {
  const text = words.value.play;
  const now = step.value;
  const names = [text.begin[pass.value], ...ticks.value.map(tickName)];
  const isNamed = names.length <= MOST_NAMED + 1 && haveRoom(names);
  return (
    <ol class="ticks" aria-hidden="true">
      {names.map((name, at) => (
        <li class={now > 0 && at <= now ? (at < now ? "done" : "now") : ""}>
          {(isNamed || at === now) && <span>{name}</span>}
        </li>
      ))}
    </ol>
  );
}

/** Whether each name ends before the next one begins; that of this step has a ground around it. */
function haveRoom(names: readonly string[]): boolean {
  const width = stageSize.value.width - (isVertical.value ? BESIDE_NARROW : BESIDE);
  const letters = width / (names.length - 1) / LETTER;
  const isNarrow = (name: string, at: number) =>
    (names[at]!.length + name.length) / 2 < letters - 1.5;
  return names.slice(1).every(isNarrow);
}

/** The action of a tick of the sort, beside the name. */
const SIGNS = { enter: "", skip: "?", append: "✓", reverse: "⇄" };

function tickName({ node, action }: Tick): string {
  const { label, operation } = shown.value.document.nodes[node]!;
  const name = label ?? nameOf(shown.value, node).replaceAll(" ", "");
  return (
    (name.length <= 6 ? name : (operation ?? cut(name, 6))) +
    (action === undefined ? "" : SIGNS[action])
  );
}
