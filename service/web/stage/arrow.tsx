/** An edge as an arrow: its size and sign, what it says, and the pulse on it. */

import { useComputed } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { useLive } from "../live.ts";
import { progress } from "../state/play.ts";
import { chosen } from "../state/view.ts";
import { pathOf, translation } from "./camera.ts";
import type { Place } from "./camera.ts";
import { projection } from "./frame.ts";
import type { Label } from "./labels.ts";
import { behind, headPath, hollow, pulseRadius, strokeOf } from "./strokes.ts";
import type { Stroke } from "./strokes.ts";

export type ArrowState = "idle" | "now" | "done" | "forward" | "guess" | "late" | "lost";
export type Sign = "plus" | "minus" | "zero";

export interface ArrowProps {
  readonly edge: Edge;
  readonly state: ArrowState;
  readonly sign: Sign;
  /** In pixels where it is near. */
  readonly width: number;
  /** From where the pulse starts to where it arrives. */
  readonly route: readonly Place[];
}

function useStroke({ route, width }: ArrowProps): ReadonlySignal<Stroke> {
  const [way, wide] = [useLive(route), useLive(width)];
  return useComputed(() => strokeOf(way.value.map(projection.value), wide.value));
}

/** The line, under the cards; of one under way, what is behind the pulse is thick. */
export function Wire(props: ArrowProps) {
  const { state, sign } = props;
  const stroke = useStroke(props);
  const isNow = useLive(state === "now");
  const whole = useComputed(() => pathOf(stroke.value.line));
  const line = useComputed(() =>
    isNow.value && progress.value < 1
      ? pathOf(behind(stroke.value.line, progress.value))
      : whole.value,
  );
  const width = useComputed(() => stroke.value.width);
  const core = useComputed(() => hollow(stroke.value.width));
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
  const press = () => void (chosen.value = edge.id);
  return (
    <g
      class={`edge ${state} ${sign}${chosen.value === edge.id ? " chosen" : ""}`}
      data-edge={edge.id}
      tabindex={0}
      role="button"
      aria-label={name}
      onClick={press}
      onKeyDown={onKey(press)}
    >
      <path class="hit" d={line} />
      <path class="tip" d={head} />
      {label !== null && <Pill label={label} />}
      {state === "now" && <Pulse stroke={stroke} sign={sign} />}
    </g>
  );
}

function Pulse({ stroke, sign }: { stroke: ReadonlySignal<Stroke>; sign: Sign }) {
  const place = useComputed(() => translation(behind(stroke.value.line, progress.value).at(-1)!));
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

function Pill({ label }: { label: Label }) {
  const { width, height, size, line } = label;
  return (
    <g class="label" transform={translation(label.at)}>
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
export function onKey(press: () => void) {
  return (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    press();
  };
}
