/** An edge as an arrow from the operation to its operand, with what it carries. */

import { useComputed } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { useLive } from "../live.ts";
import { progress } from "../state/play.ts";
import { chosen } from "../state/view.ts";
import { pathOf, splitAt, translation } from "./camera.ts";
import type { Label } from "./labels.ts";
import type { Route } from "./place.ts";
import { tipOf, turnedAround } from "./tips.ts";

export type ArrowState = "idle" | "now" | "done" | "forward" | "konst" | "guess" | "late" | "lost";

export interface ArrowProps {
  readonly edge: Edge;
  readonly state: ArrowState;
  readonly route: Route;
  readonly label: Label | null;
  /** Which way its head points: along the page, or up and down where the graph is turned. */
  readonly turned: boolean;
  /** Whether it carries data: from the operand to the operation. */
  readonly flows: boolean;
  readonly name: string;
  /** Whether there is room for a finger on each arrow. */
  readonly isFew: boolean;
}

export function Arrow({ isFew, edge, state, route, label, turned, flows, name }: ArrowProps) {
  const points = flows ? turnedAround(route.points, turned) : route.points;
  const line = pathOf(points);
  const shows = label !== null && label.lines.length > 0;
  const focus = shows && {
    tabindex: 0,
    role: "button" as const,
    "aria-label": name,
    onClick: () => choose(edge.id),
    onKeyDown: onKey(edge.id),
  };
  return (
    <g class={`edge ${state}`} data-edge={edge.id} {...focus}>
      {state === "now" ? <Pulse points={points} line={line} /> : <path class="line" d={line} />}
      <path class="tip" d={tipOf(points, turned, flows)} />
      {shows && isFew && <path class="hit" d={line} />}
      {shows && <Pill label={label} />}
      {state === "now" && <Dot points={points} />}
    </g>
  );
}

/** The way behind the dot is thick, the way before it is dotted. */
function Pulse({ points, line }: { points: Route["points"]; line: string }) {
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
function Dot({ points }: { points: Route["points"] }) {
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

function onKey(edge: number) {
  return (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    choose(edge);
  };
}
