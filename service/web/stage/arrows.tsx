/** The arrows at this moment of the wave: state, size, line and head, and the pulse on one. */

import { computed } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { pathOf, round } from "../canvas.ts";
import type { Point, Rect } from "../canvas.ts";
import { cardGraph } from "../state/cards.ts";
import { guesses } from "../state/guesses.ts";
import { clamp } from "../state/helpers.ts";
import {
  arrived,
  currentEdges,
  currentFlows,
  currentNodes,
  isDataKnown,
  progress,
  seeded,
  tickOfEdge,
} from "../state/play.ts";
import type { Defect, WalkEdge } from "../state/play.ts";
import { pass, selectedEdge, tab } from "../state/view.ts";
import { formulaOf } from "../words/text.tsx";
import { translation } from "./camera.ts";
import type { ScreenPoint } from "./camera.ts";
import { drawnOut, layout, projection } from "./viewport.ts";

/** In the order of the wave, which is the order in which Tab goes over them. */
function waveOrder(edge: Edge): number {
  return tickOfEdge.value.get(edge.id) ?? Infinity;
}

export function isRevealed(edge: Edge): boolean {
  return waveOrder(edge) <= arrived.value || currentFlows.value.has(edge);
}

function arrowStateOf(edge: Edge) {
  if (pass.value === "forward") {
    const isNow = currentNodes.value.has(cardGraph.value.cardOf[edge.to]!);
    return isNow ? "now" : isDataKnown.value[edge.to] ? "forward" : "idle";
  }
  if (tab.value === "train") return "done";
  if (currentFlows.value.has(edge)) return "now";
  if (isRevealed(edge)) return defectOf(edge)?.kind ?? "done";
  if (guesses.value.isOpen && tab.value === "predict") return "guess";
  return seeded.value ? "idle" : "forward";
}

export function signOf({ contribution }: Edge) {
  return contribution === null || contribution === 0 ? "zero" : contribution > 0 ? "plus" : "minus";
}

/** What is wrong with it, once that has come about; of the right walk nothing is. */
export function defectOf(edge: Edge): Defect | null {
  const { defect = null } = edge as Partial<WalkEdge>;
  return defect !== null && defect.since <= arrived.value ? defect : null;
}

export function formulaText(edge: Edge): string {
  const [incoming, local, contribution] = formulaOf(edge);
  return `${incoming} × ${local} = ${contribution} ${defectOf(edge)?.word ?? ""}`.trimEnd();
}

/** Pixels of the thinnest and the thickest arrow: a thousandth of the largest contribution, and it. */
const [THIN, THICK, DECADES] = [2, 6.5, 3];
/** What carries nothing, or nothing yet. */
const FAINT = 1.6;
/** Arrows far away are thinner, within bounds. */
const [SMALLEST, LARGEST] = [0.55, 1.15];
/** The rails of a negative arrow. */
const RAILS = 2.6;

export interface Stroke {
  /** Ends where the head begins. */
  readonly line: readonly Point[];
  readonly head: readonly Point[];
  readonly width: number;
}

function strokeWidthOf(contribution: number, largest: number): number {
  const share = 1 + Math.log10(Math.abs(contribution) / largest) / DECADES;
  return contribution === 0 ? FAINT : clamp(THIN + (THICK - THIN) * share, THIN, THICK);
}

function strokeOf(points: readonly ScreenPoint[], width: number): Stroke {
  const near = clamp(points[points.length >> 1]!.scale, SMALLEST, LARGEST);
  const wide = width * near;
  const length = (8 + width) * clamp(near, 0.7, 1);
  const half = (3.6 + width * 0.6) * clamp(near, 0.7, 1);
  const tip = points.at(-1)!;
  const line: Point[] = points.filter(({ x, y }) => Math.hypot(x - tip.x, y - tip.y) > length);
  if (line.length === 0) line.push(points[0]!); // shorter than its head
  const before = line.at(-1)!;
  const angle = Math.atan2(tip.y - before.y, tip.x - before.x);
  const [along, across] = [Math.cos(angle), Math.sin(angle)];
  const back = { x: tip.x - along * length, y: tip.y - across * length };
  const side = (by: number) => ({ x: back.x - across * by, y: back.y + along * by });
  return { line: [...line, back], head: [tip, side(half), side(-half)], width: wide };
}

/** Cut a line where this share of its length is behind. */
export function firstPart(line: readonly Point[], share: number): Point[] {
  const lengths = line.slice(1).map(({ x, y }, at) => Math.hypot(x - line[at]!.x, y - line[at]!.y));
  let left = share * lengths.reduce((sum, each) => sum + each, 0);
  const found = [line[0]!];
  for (const [at, length] of lengths.entries()) {
    const [one, other] = [line[at]!, line[at + 1]!];
    const part = length === 0 ? 1 : Math.min(1, left / length);
    found.push({ x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part });
    if (part < 1) break;
    left -= length;
  }
  return found;
}

/** The disc of the pulse. */
export function pulseRadius(width: number): number {
  return round(7 + 0.9 * width);
}

/** The width of what carries no gradient, and of what is under way there. */
const [PLAIN, NOW] = [2, 4];

/** All arrows, in the order of the wave, which is the order in which Tab goes over them. */
export const arrows = computed(() => {
  const leaf = drawnOut.value;
  const isForward = pass.value === "forward" || !seeded.value;
  const routes = new Map(
    [...layout.value.routes].map(([id, route]) => [id, isForward ? route : route.toReversed()]),
  );
  if (leaf !== null) routes.set(leaf.edge.id, leaf.route);
  const now = currentEdges.value;
  const largest = Math.max(
    Number.MIN_VALUE,
    ...now.map(({ contribution }) => Math.abs(contribution ?? 0)),
  );
  return [...routes]
    .map(([id, route]) => {
      const edge = now[id]!;
      const state = arrowStateOf(edge);
      const isFaint = /idle|guess|forward/.test(state);
      const isPlain = pass.value !== "backward";
      const plain = state === "now" ? NOW : PLAIN;
      const carried = isPlain ? plain : strokeWidthOf(edge.contribution ?? 0, largest);
      const width = isFaint ? FAINT : carried;
      return {
        edge,
        state,
        sign: isPlain || isFaint ? "plus" : signOf(edge),
        /** From where the pulse starts to where it arrives, with the camera. */
        stroke: computed(() => strokeOf(route.map(projection.value), width)),
      };
    })
    .sort((one, other) => waveOrder(one.edge) - waveOrder(other.edge));
});

type ArrowProps = (typeof arrows.value)[number];

/** The line, under the cards; of one under way, what is behind the pulse is thick. */
export function Wire({ state, sign, stroke }: ArrowProps) {
  const whole = computed(() => pathOf(stroke.value.line));
  const line = computed(() =>
    state === "now" && progress.value < 1
      ? pathOf(firstPart(stroke.value.line, progress.value))
      : whole.value,
  );
  const isHollow = sign === "minus" && /now|done/.test(state);
  return (
    <g class={`wire ${state} ${sign}`}>
      {state === "now" && <path class="line ghost" d={whole} />}
      <path class="line" d={line} stroke-width={computed(() => stroke.value.width)} />
      {isHollow && (
        <path
          class="core"
          d={line}
          stroke-width={computed(() => Math.max(1, stroke.value.width - RAILS))}
        />
      )}
    </g>
  );
}

/** What stands above the cards: the head, the label, the pulse, and room for a finger. */
export function Arrow(props: ArrowProps & { label: Label | null; name: string }) {
  const { edge, state, sign, stroke, label, name } = props;
  const press = () => void (selectedEdge.value = edge.id);
  return (
    <g
      class={`edge ${state} ${sign}${selectedEdge.value === edge.id ? " chosen" : ""}`}
      data-edge={edge.id}
      tabindex={0}
      role="button"
      aria-label={name}
      onClick={press}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        press();
      }}
    >
      <path class="hit" d={computed(() => pathOf(stroke.value.line))} />
      <path class="arrow-head" d={computed(() => `${pathOf(stroke.value.head)}Z`)} />
      {label !== null && <Pill {...label} stroke={stroke} />}
      {state === "now" && sign !== "zero" && <Pulse stroke={stroke} sign={sign} />}
    </g>
  );
}

function Pulse({ stroke, sign }: { stroke: ReadonlySignal<Stroke>; sign: string }) {
  const place = computed(() => translation(firstPart(stroke.value.line, progress.value).at(-1)!));
  const moves = computed(() => (progress.value < 1 ? "moving" : "moving landed"));
  return (
    <g class={moves} transform={place}>
      <circle class="pulse" r={computed(() => pulseRadius(stroke.value.width))} />
      <path class="sign" d={sign === "plus" ? "M-4 0h8M0 -4v8" : "M-4 0h8"} />
    </g>
  );
}

/** Pieces of a label with their kind: gradient, derivative, contribution, operator. */
export type LabelText = readonly (readonly [kind: string, text: string])[];

export interface Label {
  readonly line: LabelText;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  /** Beside what share of the line its middle is, and how far from it. */
  readonly share: number;
  readonly off: Point;
  /** Where it was placed; with the camera it goes along its line. */
  readonly rect: Rect;
}

function Pill({ stroke, ...label }: Label & { stroke: ReadonlySignal<Stroke> }) {
  const { width, height, size, line, share, off } = label;
  const place = computed(() => {
    const { x, y } = firstPart(stroke.value.line, share).at(-1)!;
    return translation({ x: x + off.x, y: y + off.y });
  });
  return (
    <g class="label" transform={place}>
      <rect
        class="pill"
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx={height / 2}
      />
      <text class="sum" y={0.36 * size} font-size={size}>
        {line.map(([kind, text]) => (
          <tspan class={kind}>{text}</tspan>
        ))}
      </text>
    </g>
  );
}
