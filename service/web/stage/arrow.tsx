/** An edge as an arrow to its operand: its wire, and above all wires what it carries. */

import { useComputed } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { useLive } from "../live.ts";
import { progress } from "../state/play.ts";
import { chosen } from "../state/view.ts";
import { pathOf, splitAt, translation } from "./camera.ts";
import type { Label } from "./labels.ts";
import type { Point } from "./camera.ts";
import { tipOf } from "./tips.ts";

type Points = readonly Point[];

export type ArrowState = "idle" | "now" | "done" | "forward" | "konst" | "guess" | "late" | "lost";

export interface WireProps {
  readonly state: ArrowState;
  readonly points: Points;
  /** Which way its head points: along the page, or up and down where the graph is turned. */
  readonly turned: boolean;
  /** Whether it carries data: from the operand to the operation. */
  readonly flows: boolean;
}

export function Wire({ state, points, turned, flows }: WireProps) {
  const line = pathOf(points);
  return (
    <g class={`wire ${state}`}>
      {state === "now" ? <Pulse points={points} line={line} /> : <path class="line" d={line} />}
      <path class="tip" d={tipOf(points, turned, flows)} />
    </g>
  );
}

export interface ArrowProps {
  readonly edge: Edge;
  readonly state: ArrowState;
  readonly points: Points;
  readonly label: Label | null;
  readonly name: string;
  /** Whether there is room for a finger on each arrow. */
  readonly isFew: boolean;
}

export function Arrow({ isFew, edge, state, points, label, name }: ArrowProps) {
  const shows = label !== null && label.lines.length > 0;
  const focus = shows && {
    tabindex: 0,
    role: "button" as const,
    "aria-label": name,
    onClick: () => choose(edge.id),
    onKeyDown: onKey(() => choose(edge.id)),
  };
  return (
    <g class={`edge ${state}`} data-edge={edge.id} {...focus}>
      {shows && <path class={isFew ? "hit" : "hit off"} d={pathOf(points)} />}
      {shows && <Pill label={label} />}
      {state === "now" && <Dot points={points} />}
    </g>
  );
}

/** The way behind the dot is thick, the way before it is dotted. */
function Pulse({ points, line }: { points: Points; line: string }) {
  const way = useLive(points);
  const behind = useComputed(() =>
    pathOf(progress.value < 1 ? splitAt(way.value, progress.value)[0] : way.value),
  );
  return (
    <>
      <path class="line ghost" d={line} />
      <path class="line" d={behind} />
    </>
  );
}

/** Where the pulse is. */
function Dot({ points }: { points: Points }) {
  const way = useLive(points);
  const place = useComputed(() => translation(splitAt(way.value, progress.value)[1][0]!));
  const moves = useComputed(() => (progress.value < 1 ? "moving" : "moving landed"));
  return (
    <g class={moves} transform={place}>
      <circle class="halo" r="11" />
      <circle class="pulse" r="5.5" />
    </g>
  );
}

function Pill({ label }: { label: Label }) {
  const { width, height, lines } = label;
  return (
    <g transform={translation(label.at)}>
      <rect
        class="pill"
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx={lines.length > 1 ? 9 : 12}
      />
      {lines.map((line, at) => [
        at > 0 && " ", // so that the words of two lines are apart where they are read
        <text class="sum mid" y={4.5 + (at - (lines.length - 1) / 2) * 14}>
          {line.map(([kind, text]) => (
            <tspan class={kind}>{text}</tspan>
          ))}
        </text>,
      ])}
    </g>
  );
}

function choose(edge: number): void {
  chosen.value = edge;
}

/** What is drawn as a button is pressed by the keys of one. */
export function onKey(press: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    press();
  };
}
