/** The arrows at this step of the pass: their state, line, head and label. */

import { computed } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { isPredicting } from "../state/guesses.ts";
import {
  arrived,
  currentEdges,
  currentFlows,
  currentNodes,
  isDataKnown,
  playsFronts,
  progress,
  seeded,
  showsAllGrads,
  tickOfEdge,
} from "../state/play.ts";
import type { Defect, WalkEdge } from "../state/play.ts";
import { expanded, shown } from "../state/program.ts";
import { pass, selectedEdge, tab } from "../state/view.ts";
import { words } from "../words.ts";
import { nameOf, write } from "../words/text.tsx";
import { isAcross, stagePlan } from "./arrangement.ts";

/** Return an arrow's place in the pass, which is also the order of the Tab key. */
function orderOf({ id }: Edge): number {
  return tickOfEdge.value.get(id) ?? Infinity;
}

function isRevealed(edge: Edge): boolean {
  return orderOf(edge) <= arrived.value || currentFlows.value.has(edge);
}

function arrowStateOf(edge: Edge) {
  if (pass.value === "forward") {
    const isNow = currentNodes.value.has(edge.to);
    return isNow ? "now" : isDataKnown.value[edge.to] ? "forward" : "idle";
  }
  if (tab.value === "train") return "done";
  if (currentFlows.value.has(edge)) return "now";
  if (isRevealed(edge)) return defectOf(edge)?.kind ?? "done";
  if (isPredicting.value) return "guess";
  return seeded.value ? "idle" : "forward";
}

function signOf({ contribution }: Edge) {
  return contribution === null || contribution === 0 ? "zero" : contribution > 0 ? "plus" : "minus";
}

/** Return an arrow's defect, once the pass has reached it; a correct pass has none. */
function defectOf(edge: Edge): Defect | null {
  const { defect = null } = edge as Partial<WalkEdge>;
  return defect !== null && defect.since <= arrived.value ? defect : null;
}

/** Return an arrow's name for screen readers: its formula, if that is known, and its ends. */
function describeArrow(edge: Edge): string {
  const isKnown = isRevealed(edge) || (showsAllGrads.value && tab.value !== "predict");
  const numbers = [edge.incoming_grad, edge.local_grad, edge.contribution];
  const [incoming, local, contribution] = numbers.map(isKnown ? write : () => "?");
  const word = isKnown ? (defectOf(edge)?.word ?? "") : "";
  const { from, to } = words.value.stage;
  const ends = [from(nameOf(shown.value, edge.to)), to(nameOf(shown.value, edge.from))];
  return [`${incoming} × ${local} = ${contribution}${word}`, ...ends].join(", ");
}

/** Return `operation:slot`, the arrow's name for scripts that read the page. */
function edgeName({ to, slot }: Edge): string {
  return `${to}:${slot}`;
}

/** The arrows on the stage, in the order of the pass. */
export const arrows = computed(() => {
  const now = currentEdges.value;
  return stagePlan.value.plan.arrows
    .map((place) => {
      const edge = now[place.id]!;
      const state = arrowStateOf(edge);
      const isPlain = pass.value !== "backward" || /idle|guess|forward/.test(state);
      return { place, edge, state, sign: isPlain && edge.differentiable ? "plus" : signOf(edge) };
    })
    .sort((one, other) => orderOf(one.edge) - orderOf(other.edge));
});

type ArrowProps = (typeof arrows.value)[number];

/** Heads stop growing with the font at this size, in pixels. */
const LARGEST_HEAD = 24;
/** A head points in the direction of the gradient, or of the data in the forward pass. */
const HEADS = { back: "M0 0l.62-.3v.6z", on: "M0 0l-.62-.3v.6z" };

/** The line and its head, under the cards. */
export function Wire({ place, state, sign }: ArrowProps) {
  const isOn = pass.value === "forward" || state === "forward";
  const [x, y] = isOn ? place.tip : place.tail;
  const turn = isAcross.value ? 0 : 90;
  const size = Math.min(stagePlan.value.plan.size, LARGEST_HEAD);
  return (
    <g class={`wire ${state} ${sign}`}>
      <path class="rim" d={place.d} />
      <path class="line" d={place.d} />
      {sign === "minus" && /now|done/.test(state) && <path class="core" d={place.d} />}
      <path
        class="arrow-head"
        d={HEADS[isOn ? "on" : "back"]}
        transform={`translate(${x} ${y}) rotate(${turn}) scale(${size})`}
      />
    </g>
  );
}

/** The clickable area, with the arrow's name for screen readers. */
export function Arrow({ place, edge, state }: ArrowProps) {
  const press = () => void (selectedEdge.value = edge.id);
  return (
    <g
      class={`edge ${state}${selectedEdge.value === edge.id ? " chosen" : ""}`}
      data-edge={edgeName(edge)}
      data-active={state === "now" ? "" : undefined}
      tabindex={0}
      role="button"
      aria-label={describeArrow(edge)}
      onClick={press}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        press();
      }}
    >
      <path class="hit" d={place.d} />
    </g>
  );
}

/** In training, larger graphs have no labels: all of them would change at once. */
const MAX_WHEN_TRAINED = 25;

/** The part of a label that is shown: all, the local derivative, the result, or question marks. */
type Shown = "all" | "local" | "result" | "guess" | null;

function shownPartOf(edge: Edge): Shown {
  if (edge.contribution === null) return null;
  const isKnown = isRevealed(edge) || showsAllGrads.value;
  const showsLocal = expanded.value && edge.differentiable;
  if (selectedEdge.value === edge.id) return isKnown ? "all" : "local";
  if (playsFronts.value || pass.value === "sort") return null;
  if (pass.value === "forward") return showsLocal ? "local" : null;
  if (!tickOfEdge.value.has(edge.id)) return null;
  if (tab.value === "train") return tickOfEdge.value.size > MAX_WHEN_TRAINED ? null : "result";
  if (isKnown) return "all";
  if (isPredicting.value) return "guess";
  return showsLocal ? "local" : null;
}

/** Shares of a step: the gradient arrives, `×` and `=` appear, the product leaves, and is added. */
export const [ARRIVES, MEETS, PRODUCT, LEAVES, IS_ADDED] = [0.3, 0.22, 0.5, 0.58, 0.93] as const;
/** Return which parts of a label are visible at `share`, and its local derivative's scale. */
function phases(share: number) {
  const near = Math.max(0, 1 - Math.abs(share - 0.4) / 0.14);
  return {
    incoming: share >= ARRIVES,
    times: share >= MEETS,
    result: share >= PRODUCT,
    size: share < 1 ? 1 + 0.28 * near : 1,
  };
}

/** An arrow's label, at its straight piece, in one to three lines. */
export function Label({ place, edge, state, sign }: ArrowProps) {
  const part = shownPartOf(edge);
  if (part === null) return null;
  const { plan, texts } = stagePlan.value;
  const { lines } = plan.variant;
  const { x, y, w, h, align } = place.label;
  const scale = texts.labels[edge.id]!.scale;
  const isGuess = part === "guess";
  const written = (number: number | null) => (isGuess ? "?" : write(number));
  const word = defectOf(edge)?.word ?? "";
  const isMoving = state === "now" && part === "all" && progress.value < 1;
  const { incoming, times, result, size } = phases(isMoving ? progress.value : 1);
  const isAll = part === "all" || isGuess;
  const first = isAll && (
    <i class={`g${(edge.incoming_grad ?? 0) < 0 ? " minus" : ""}`} style={hidden(!incoming)}>
      {written(edge.incoming_grad)}
    </i>
  );
  const second = part !== "result" && (
    <>
      <i class="op" style={hidden(!times)}>
        {isAll ? " × " : "× "}
      </i>
      <i class="d" style={`${hidden(!times)};scale:${size}`}>
        {written(edge.local_grad)}
      </i>
    </>
  );
  const third = part !== "local" && (
    <span style={hidden(!result)}>
      {isAll && <i class="op"> = </i>}
      <b class={`c ${sign}`}>{written(edge.contribution)}</b>
      {word !== "" && <b class="word">{word}</b>}
    </span>
  );
  const rows = [
    [first, second, third],
    [[first, second], third],
    [first, second, third],
  ][lines - 1]!;
  return (
    <div
      class={`sum ${state} ${align} lines-${lines}`}
      style={
        `left:${x}px;top:${y}px;width:${w}px;height:${h}px` +
        (scale < 1 ? `;font-size:${scale}em` : "")
      }
      data-edge={edgeName(edge)}
      data-active={state === "now" ? "" : undefined}
      aria-hidden="true"
      onClick={() => (selectedEdge.value = edge.id)}
    >
      {lines === 1 ? <span>{rows}</span> : rows.map((row) => row && <span>{row}</span>)}
    </div>
  );
}

function hidden(isHidden: boolean): string {
  return isHidden ? "visibility:hidden" : "";
}

/** The ends of wires that leave the part of the graph on the stage. */
export function Stubs() {
  return (
    <>
      {stagePlan.value.plan.stubs.map(({ d, node, port }) => (
        <path key={`${node} ${port}`} class="stub" d={d} />
      ))}
    </>
  );
}
