/** The arrows at this moment of the wave: state, size, line and head, and the pulse on one. */

import { computed, useComputed, useSignal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { pathOf, round } from "../canvas.ts";
import type { Point } from "../canvas.ts";
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
import type { Place, ScreenPoint } from "./camera.ts";
import { drawnOut, layout, projection } from "./viewport.ts";

/** In the order of the wave, which is the order in which Tab goes over them. */
function waveOrder(edge: Edge): number {
  return tickOfEdge.value.get(edge.id) ?? Infinity;
}

export function isRevealed(edge: Edge): boolean {
  return waveOrder(edge) <= arrived.value || (currentFlows.value.has(edge) && progress.value < 1);
}

function arrowStateOf(edge: Edge): ArrowState {
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

export function signOf({ contribution }: Edge): Sign {
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

export function strokeOf(points: readonly ScreenPoint[], width: number): Stroke {
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

function coreWidth(width: number): number {
  return Math.max(1, width - RAILS);
}

function headPath({ head }: Stroke): string {
  return `${pathOf(head)}Z`;
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

/** From where the pulse starts to where it arrives; other numbers take the same way. */
const directedRoutes = computed(() => {
  const { routes } = layout.value;
  if (pass.value === "forward" || !seeded.value) return routes;
  return new Map([...routes].map(([edge, route]) => [edge, route.toReversed()]));
});

/** All that are drawn, with that of a leaf which is drawn out of its card. */
function drawnRoutes(): ReadonlyMap<number, readonly Place[]> {
  const leaf = drawnOut.value;
  return leaf === null
    ? directedRoutes.value
    : new Map([...directedRoutes.value, [leaf.edge.id, leaf.route]]);
}

/** All arrows, in the order of the wave, which is the order in which Tab goes over them. */
export const arrows = computed((): ArrowProps[] => {
  const routes = drawnRoutes();
  const now = currentEdges.value;
  const edges = [...routes.keys()].map((id) => now[id]!);
  const largest = Math.max(
    Number.MIN_VALUE,
    ...now.map(({ contribution }) => Math.abs(contribution ?? 0)),
  );
  return edges
    .sort((one, other) => waveOrder(one) - waveOrder(other))
    .map((edge) => {
      const state = arrowStateOf(edge);
      const isFaint = /idle|guess|forward/.test(state);
      const isPlain = pass.value !== "backward";
      const carried = strokeWidthOf(edge.contribution ?? 0, largest);
      const width = !isPlain ? carried : state === "now" ? NOW : PLAIN;
      return {
        edge,
        state,
        sign: isPlain || isFaint ? "plus" : signOf(edge),
        width: isFaint ? FAINT : width,
        route: routes.get(edge.id)!,
      };
    });
});

type ArrowState = "idle" | "now" | "done" | "forward" | "guess" | "late" | "lost";
type Sign = "plus" | "minus" | "zero";

interface ArrowProps {
  readonly edge: Edge;
  readonly state: ArrowState;
  readonly sign: Sign;
  /** In pixels where it is near. */
  readonly width: number;
  /** From where the pulse starts to where it arrives. */
  readonly route: readonly Place[];
}

function useStroke({ route, width }: ArrowProps): ReadonlySignal<Stroke> {
  const [live, wide] = [useLive(route), useLive(width)];
  return useComputed(() => strokeOf(live.value.map(projection.value), wide.value));
}

/** The line, under the cards; of one under way, what is behind the pulse is thick. */
export function Wire(props: ArrowProps) {
  const { state, sign } = props;
  const stroke = useStroke(props);
  const isNow = useLive(state === "now");
  const whole = useComputed(() => pathOf(stroke.value.line));
  const line = useComputed(() =>
    isNow.value && progress.value < 1
      ? pathOf(firstPart(stroke.value.line, progress.value))
      : whole.value,
  );
  const width = useComputed(() => stroke.value.width);
  const core = useComputed(() => coreWidth(stroke.value.width));
  const isHollow = sign === "minus" && /now|done/.test(state);
  return (
    <g class={`wire ${state} ${sign}`}>
      {state === "now" && <path class="line ghost" d={whole} />}
      <path class="line" d={line} stroke-width={width} />
      {isHollow && <path class="core" d={line} stroke-width={core} />}
    </g>
  );
}

interface EdgeProps extends ArrowProps {
  readonly label: Label | null;
  readonly name: string;
}

/** What stands above the cards: the head, the label, the pulse, and room for a finger. */
export function Arrow(props: EdgeProps) {
  const { edge, state, sign, label, name } = props;
  const stroke = useStroke(props);
  const line = useComputed(() => pathOf(stroke.value.line));
  const head = useComputed(() => headPath(stroke.value));
  const press = () => void (selectedEdge.value = edge.id);
  return (
    <g
      class={`edge ${state} ${sign}${selectedEdge.value === edge.id ? " chosen" : ""}`}
      data-edge={edge.id}
      tabindex={0}
      role="button"
      aria-label={name}
      onClick={press}
      onKeyDown={onPressKey(press)}
    >
      <path class="hit" d={line} />
      <path class="arrow-head" d={head} />
      {label !== null && <Pill label={label} stroke={stroke} />}
      {state === "now" && <Pulse stroke={stroke} sign={sign} />}
    </g>
  );
}

function Pulse({ stroke, sign }: { stroke: ReadonlySignal<Stroke>; sign: Sign }) {
  const place = useComputed(() =>
    translation(firstPart(stroke.value.line, progress.value).at(-1)!),
  );
  const moves = useComputed(() => (progress.value < 1 ? "moving" : "moving landed"));
  const radius = useComputed(() => pulseRadius(stroke.value.width));
  if (sign === "zero") return null;
  return (
    <g class={moves} transform={place}>
      <circle class="pulse" r={radius} />
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
}

function Pill({ label, stroke }: { label: Label; stroke: ReadonlySignal<Stroke> }) {
  const { width, height, size, line } = label;
  const live = useLive(label);
  const place = useComputed(() => {
    const { share, off } = live.value;
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

/** What is drawn as a button is pressed by the keys of one. */
function onPressKey(press: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    press();
  };
}

export function useLive<T>(prop: T): ReadonlySignal<T> {
  const live = useSignal(prop);
  if (live.peek() !== prop) live.value = prop;
  return live;
}
