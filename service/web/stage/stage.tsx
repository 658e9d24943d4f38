/** The middle of the page: options, the graph with its cards and arrows, sentence, play bar. */

import { computed, effect, signal, untracked, useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { Check, RadioGroup } from "../controls.tsx";
import { loaded, part } from "../interaction.ts";
import { code, overview, training } from "../loading.tsx";
import { isPlayable, isPredicting } from "../state/guesses.ts";
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
  progress,
  readingTime,
  revealed,
  selectPass,
  step,
  stepBack,
  stepOn,
  ticks,
} from "../state/play.ts";
import type { Tick } from "../state/play.ts";
import { expanded, fault, shown, structure } from "../state/program.ts";
import type { ShownProgram } from "../state/program.ts";
import {
  announcement,
  bringIntoSight,
  pass,
  PASSES,
  selectedEdge,
  stageSize,
  tab,
} from "../state/view.ts";
import type { Pass } from "../state/view.ts";
import { shownWords, words } from "../words.ts";
import { cut, nameOf, plain, Rich, sourceOf, write } from "../words/text.tsx";
import { isAcross, isInParts, stagePlan } from "./arrangement.ts";
import { Arrow, arrows, Label, Stubs, Wire } from "./arrows.tsx";
import { CardView } from "./card.tsx";

const Loss = training.part(({ Loss }) => Loss);
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
  const isStale = fault.value !== null;
  const hasMessage = isStale || selectedEdge.value !== null || announcement.value !== null;
  const state = `${isStale ? " stale" : ""}${playing.value ? " playing" : ""} ${pass.value}`;
  return (
    <section class={`stage${state}`} aria-label={text.stage.name}>
      <p class="formula mono">{shown.value.expression}</p>
      <div class="view">
        <Tools />
        <div
          class="canvas"
          ref={graphElement}
          style={`--wide:${stageSize.value.width};--high:${stageSize.value.height}`}
        >
          <Graph />
          {isInParts.value && <Overview />}
        </div>
      </div>
      {(tab.value !== "train" || hasMessage) && <Sentence />}
      {tab.value === "train" ? <Loss /> : <PlayBar />}
    </section>
  );
}

const showsOptions = signal(false);

function Tools() {
  const text = words.value.stage;
  const later = loaded.value?.interactionWords.value;
  const isOrdered = cardNotes.value?.some(({ visit }) => visit !== null) ?? false;
  return (
    <div class={`tools${showsOptions.value ? " expanded" : ""}`}>
      <RadioGroup
        label={text.way}
        name="way"
        options={PASSES.filter(isOffered).map((to) => [to, <PassName of={to} />])}
        chosen={pass.value}
        choose={selectPass}
      />
      {isPredicting.value || cardNotes.value !== null ? (
        <span class="tools-note">
          {isPredicting.value ? later?.hidden : isOrdered && later?.circles}
        </span>
      ) : (
        <>
          <button
            class="options"
            aria-expanded={showsOptions.value}
            onClick={() => (showsOptions.value = !showsOptions.value)}
          >
            {text.options}
          </button>
          <Check of={expanded} label={text.local} />
          <Check of={revealed} label={text.final} />
        </>
      )}
    </div>
  );
}

function PassName({ of }: { of: Pass }) {
  const [name, ...detail] = words.value.stage[of].split(":");
  return (
    <>
      <i class={of} />
      <span>
        {name}
        {detail.length > 0 && <span class="detail">:{detail}</span>}
      </span>
    </>
  );
}

/** The sort is the first half of the code, so it is offered with the code. */
function isOffered(to: Pass): boolean {
  return to !== "sort" || tab.value === "code" || pass.value === "sort";
}

const Ghost = part(({ Ghost }) => Ghost);
const Legend = part(({ Legend }) => Legend);
const Pulse = part(({ Pulse }) => Pulse);

function Graph() {
  const program = shown.value;
  const { document } = program;
  const text = words.value.stage;
  const { plan } = stagePlan.value;
  return (
    <div
      class={`picture${isAcross.value ? "" : " down"}${isInParts.value ? " part" : ""}`}
      style={
        `width:${plan.width}px;height:${plan.height}px;font-size:${plan.size}px` +
        (loaded.value?.turned(plan) ?? "")
      }
      role="group"
      aria-disabled={fault.value !== null}
      aria-label={text.graphOf(program.expression, write(document.result))}
    >
      <svg class="wires" aria-hidden="true">
        <Stubs />
        {arrows.value
          .toSorted((one, other) => Number(one.state === "now") - Number(other.state === "now"))
          .map((arrow) => (
            // A new element for each state: Chromium keeps the old style of a moved line.
            <Wire key={`${arrow.edge.id} ${arrow.state}`} {...arrow} />
          ))}
      </svg>
      <svg class="edges">
        {arrows.value.map((arrow) => (
          <Arrow key={arrow.edge.id} {...arrow} />
        ))}
      </svg>
      {arrows.value.map((arrow) => (
        <Label key={arrow.edge.id} {...arrow} />
      ))}
      {plan.cards.map((card) => (
        <CardView key={card.id} {...card} />
      ))}
      {progress.value < 1 && <Pulse />}
      {loaded.value && (
        <>
          <Legend />
          <Ghost />
        </>
      )}
    </div>
  );
}

/** The maximum number of characters of an expression in a sentence. */
const MAX_OF_TEXT = 40;
/** Milliseconds to read a word. */
const WORD = 260;

// At the next step, deselect the arrow and end the announcement.
effect(() => {
  void [step.value, pass.value, shown.value.prepared];
  untracked(() => ([selectedEdge.value, announcement.value] = [null, null]));
});

const sentence = computed(() => {
  const later = loaded.value;
  const text = later?.interactionWords.value;
  const program = shown.value;
  if (fault.value !== null) {
    const last = cut(program.expression, MAX_OF_TEXT);
    return text ? `${text.fault.stale} \`${last}\`. ${text.fault.follows}` : "";
  }
  const edge = selectedEdge.value === null ? undefined : program.document.edges[selectedEdge.value];
  if (edge !== undefined && later && text) return later.derivative(text, program, edge);
  if (playsFronts.value && pass.value !== "sort" && later && text) {
    const at = beats.value.findIndex(({ end }) => end >= step.value);
    return text.front(at + 1, beats.value.length, lastTicks.value.length);
  }
  const isSummed = isOver.value && pass.value === "backward" && otherWalk.value === null;
  return (
    announcement.value?.() ?? ((isSummed && later?.describeEnd(program)) || describeStep(program))
  );
});

// The first arrow takes as long as reading its sentence.
effect(() => {
  if (step.value === 1) readingTime.value = WORD * sentence.value.split(" ").length;
});

// Keep the playing graph in sight: in a small window, scroll past everything above it.
effect(() => {
  if (playing.value) bringIntoSight();
});

/** The maximum number of characters of a sentence in a large font, on a phone and elsewhere. */
const [SHORT_ON_PHONES, SHORT] = [110, 170];

function Sentence() {
  const { length } = plain(sentence.value);
  const size = length > SHORT ? " long" : length > SHORT_ON_PHONES ? " medium" : "";
  return (
    <p
      class={`sentence${size}${fault.value === null ? "" : " muted"}`}
      role="status"
      aria-live={playing.value ? "off" : "polite"}
      tabindex={0} // a long one scrolls
    >
      <Rich text={sentence.value} />
    </p>
  );
}

/** Describe the current tick; until the other parts are loaded, only the start of the pass. */
function describeStep(shown: ShownProgram): string {
  const tick = current.value;
  if (pass.value === "sort") return code.loaded.value?.describeSortTick(shown, tick) ?? "";
  const other = tick?.edge ? otherWalk.value?.describe(step.value - 1) : null;
  const sent = other ?? (tick && loaded.value?.describeTick(shown, tick));
  if (sent) return sent;
  if (pass.value === "forward") return words.value.seedForward;
  const { resultOne, seed } = words.value;
  const question = isPredicting.value && loaded.value?.interactionWords.value.predict.question;
  const first = ticks.value.length === 0 ? resultOne : question || seed;
  const result = describeResult(shown);
  return `${result.charAt(0).toUpperCase()}${result.slice(1)} ${first}`;
}

/** Describe how the last operation computes the result. */
function describeResult(shown: ShownProgram): string {
  const { nodes, edges, root, result } = shown.document;
  const { operation, span } = nodes[root]!;
  if (operation === null) return `${words.value.is(nameOf(shown, root), write(result))}.`;
  const operands = edges.filter(({ to }) => to === root).map(({ from }) => from);
  const parts = operands.filter((id) => nodes[id]!.operation !== null);
  const given = [...new Set(parts)].map((id) =>
    words.value.is(nameOf(shown, id), write(nodes[id]!.data)),
  );
  const [left, right] = operands as [number, number];
  const start = given.length > 0 ? `${given.join(", ")}; ` : "";
  if (/^\w/.test(operation)) {
    const text = sourceOf(shown.expression, span) ?? nameOf(shown, root);
    return `${start}${words.value.is(cut(text), write(result))}.`;
  }
  const { verbs, onward, makes, continues } = words.value;
  const [verb, rest] = [verbs[operation]!, [nameOf(shown, right), write(result)] as const];
  const begins = nodes[left]!.operation === null || given.length > 1;
  if (begins) return start + makes(nameOf(shown, left), verb, ...rest);
  return start + continues(onward[operation] ?? verb, ...rest);
}

/** The maximum number of ticks with names, if the names fit; more ticks are plain marks. */
const MAX_NAMED = 8;
/** Width of a letter, and of the bar without its timeline, wide and narrow, in pixels. */
const [LETTER, BESIDE, BESIDE_NARROW] = [7.3, 570, 150];
const NARROW = 560;

function PlayBar() {
  const text = words.value.play;
  const isOff = !isPlayable.value;
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
          step="0.01"
          value={step.value - (progress.value < 1 ? 1 - progress.value : 0)}
          disabled={isOff}
          aria-label={text.timeline[pass.value]}
          aria-valuetext={words.value.of(step.value, count)}
          onKeyDown={stepByKey}
          onInput={(event) => goTo(Number(event.currentTarget.value))}
        />
        <Ticks />
      </div>
      <span class="count">{words.value.of(step.value, count)}</span>
      <FullScreen />
    </div>
  );
}

/** A key moves by whole steps; dragging can stop between them. */
function stepByKey(event: KeyboardEvent): void {
  const action = {
    ...{ ArrowRight: stepOn, ArrowUp: stepOn, ArrowLeft: stepBack, ArrowDown: stepBack },
  }[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

function label(): string {
  const text = words.value.play;
  if (playing.value) return text.pause;
  if (otherWalk.value !== null && pass.value === "backward") return otherWalk.value.label;
  if (step.value > 0 && atEnd.value) return text.again;
  return text[pass.value];
}

/** Node and action of each tick, which give its name. Unlike its numbers they rarely change. */
const tickKinds = computed(() => ticks.value.map(({ node, action }) => `${node} ${action}`).join());

const tickItems = computed(() => {
  void [structure.value, tickKinds.value];
  const text = words.value.play;
  const now = step.value;
  const names = [text.begin[pass.value], ...ticks.peek().map(tickName)];
  const isNamed = names.length <= MAX_NAMED + 1 && namesFit(names);
  return names.map((name, at) => (
    <li class={now > 0 && at <= now ? (at < now ? "done" : "now") : ""}>
      {(isNamed || at === now) && <span>{name}</span>}
    </li>
  ));
});

function Ticks() {
  return (
    <ol class="ticks" aria-hidden="true">
      {tickItems.value}
    </ol>
  );
}

/** Whether each name ends before the next one begins, with a margin for the highlighted one. */
function namesFit(names: readonly string[]): boolean {
  const isThin = stageSize.value.width < NARROW;
  const width = stageSize.value.width - (isThin ? BESIDE_NARROW : BESIDE);
  const letters = width / (names.length - 1) / LETTER;
  const isNarrow = (name: string, at: number) =>
    (names[at]!.length + name.length) / 2 < letters - 1.5;
  return names.slice(1).every(isNarrow);
}

/** Signs for the actions of the sort, next to the name. */
const SIGNS = { enter: "", skip: "?", append: "✓", reverse: "⇄" };

function tickName({ node, action }: Tick): string {
  const { label, operation } = shown.peek().document.nodes[node]!;
  const name = label ?? nameOf(shown.peek(), node).replaceAll(" ", "");
  return (
    (name.length <= 6 ? name : (operation ?? cut(name, 6))) +
    (action === undefined ? "" : SIGNS[action])
  );
}

function FullScreen() {
  const name = shownWords.value.whole.full;
  if (!document.fullscreenEnabled) return null; // as in a frame without permission
  return (
    <button class="full-screen" aria-label={name} title={name} onClick={toggleFullScreen}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M1 1h5v2H3v3H1zM10 1h5v5h-2V3h-3zM1 10h2v3h3v2H1zM13 10h2v5h-5v-2h3z" />
      </svg>
    </button>
  );
}

function toggleFullScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else void document.querySelector(".sandbox:has(> .scene), .stage")!.requestFullscreen?.();
}
