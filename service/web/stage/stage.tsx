/** The middle of the page: options, the graph with its cards and arrows, sentence and play bar. */

import { signal, useSignalEffect } from "@preact/signals";
import type { Signal } from "@preact/signals";
import { createRef } from "preact";
import { loaded, part } from "../deferred.ts";
import { overview, training } from "../lazy.tsx";
import { guesses } from "../state/guesses.ts";
import {
  atEnd,
  cardNotes,
  currentNodes,
  playing,
  progress,
  revealed,
  selectPass,
  showsAllGrads,
  sortMarks,
} from "../state/play.ts";
import { expanded, fault, shown } from "../state/program.ts";
import { activeCards, following } from "../state/target.ts";
import {
  announcement,
  pass,
  resetView,
  selectedEdge,
  showsAccuracy,
  stageSize,
  tab,
  zoom,
} from "../state/view.ts";
import type { Pass } from "../state/view.ts";
import { words } from "../words.ts";
import { exact, nameOf } from "../words/text.tsx";
import { Arrow, arrows, formulaText, isRevealed, Wire } from "./arrows.tsx";
import { CardView } from "./card.tsx";
import { PlayBar, Sentence } from "./play_bar.tsx";
import { drawnGraph, isCrowded, isVertical, layout, moving, stageHeight } from "./viewport.ts";

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
        <PassOption to="forward" label={text.forward} />
        <PassOption to="sort" label={text.sort} />
        <PassOption to="backward" label={text.backward} />
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

function PassOption({ to, label }: { to: Pass; label: string }) {
  const [name, ...what] = label.split(":");
  return (
    <label>
      <input type="radio" name="way" checked={pass.value === to} onChange={() => selectPass(to)} />
      <i class={to} />
      <span>
        {name}
        {what.length > 0 && <span class="what">:{what}</span>}
      </span>
    </label>
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
  const { boxes } = layout.value;
  const senders = new Set(activeCards.value);
  const isUnderWay = fault.value === null && progress.value < 1;
  const isHidden = tab.value === "predict";
  return (
    <div
      class={`picture${moving.value ? " camera-moves" : ""}`}
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
            name={text.edge(
              isRevealed(arrow.edge) || (showsAllGrads.value && !isHidden)
                ? formulaText(arrow.edge)
                : "? × ? = ?",
              nameOf(program, arrow.edge.to),
              nameOf(program, arrow.edge.from),
            )}
          />
        ))}
      </svg>
      {drawnGraph.value.cards
        .filter(({ id }) => boxes.has(id))
        .map((card) => (
          <CardView
            key={card.id}
            card={card}
            box={boxes.get(card.id)!}
            isRoot={card.id === document.root}
            isNext={isUnderWay && currentNodes.value.has(card.id)}
            isSending={isUnderWay && senders.has(card.id) && !currentNodes.value.has(card.id)}
            visit={cardNotes.value?.[card.id]?.visit ?? sortMarks.value?.[card.id]?.place ?? null}
            note={atEnd.value ? (cardNotes.value?.[card.id]?.word ?? "") : ""}
          />
        ))}
      <LeafDrawnOut />
      <Ghost />
    </div>
  );
}
