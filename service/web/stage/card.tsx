/** A node as a card: its name, its data and its gradient, on a slab that shows its side. */

import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Node } from "../../../engine_ts/src/template.ts";
import type { Mark } from "../state/marks.ts";
import type { Reach } from "../state/reach.ts";
import { words } from "../words.ts";
import { translation } from "./camera.ts";
import type { Point, Turn } from "./camera.ts";
import { Hurt } from "./hurt.tsx";
import { RADIUS, Slab } from "./slab.tsx";
import { CONSTANT } from "./size.ts";
import type { Size } from "./size.ts";

/** Where a number is longer than this, its letters are smaller. */
const LONG = { full: 6, medium: 5, dense: 5, stacked: 3 };

export interface CardProps {
  readonly node: Node;
  readonly name: string;
  readonly tag: string;
  readonly data: string;
  readonly grad: string;
  readonly reach: Reach;
  /** How the side is seen. */
  readonly turned: ReadonlySignal<Turn>;
  readonly isRoot: boolean;
  /** Whether something is on its way here. */
  readonly isNext: boolean;
  readonly mark: "" | "right" | "wrong";
  /** Its place in an order of visits, and what that did to its gradient. */
  readonly visit: number | null;
  readonly note: string;
  /** Where the sort has it. */
  readonly sorted: Mark["at"] | undefined;
  readonly at: Point;
  readonly size: Size;
  /** What else stands on it. */
  readonly children: ComponentChildren;
}

export function Card(props: CardProps) {
  const { node, size } = props;
  const [width, height] = node.kind === "constant" ? CONSTANT : [size.cardWidth, size.cardHeight];
  const kind = node.kind === "parameter" ? "input param" : node.kind;
  const state = `${props.isRoot ? " root" : ""}${props.isNext ? " soon" : ""}${props.note ? " hurt" : ""}`;
  return (
    <g
      class={`card ${kind}${state} ${size.kind}`}
      transform={translation(props.at)}
      data-node={node.id}
      data-sorted={props.sorted}
    >
      {node.kind !== "constant" && <Slab width={width} height={height} turned={props.turned} />}
      <rect class="face" x={-width / 2} y={-height / 2} width={width} height={height} rx={RADIUS} />
      {node.kind === "constant" ? <Constant {...props} /> : <Inside {...props} />}
      {props.children}
      <Hurt visit={props.visit} note={props.note} half={width / 2} high={height / 2} />
    </g>
  );
}

function Constant({ name }: CardProps) {
  return (
    <>
      <text class="name mid" y="-2">
        {name}
      </text>
      <text class="cap mid" y="13">
        {words.value.stage.constant}
      </text>
    </>
  );
}

function Inside({ node, name, tag, data, grad, reach, mark, size }: CardProps) {
  const [half, high] = [size.cardWidth / 2, size.cardHeight / 2];
  const low = size.kind === "dense" || size.kind === "stacked";
  const floor = bandOf(size) - high;
  const isPartial = reach.arrived > 0 && reach.arrived < reach.expected;
  const text = words.value.stage;
  return (
    <>
      <path class="band" d={bandPath(half, high, floor)} />
      <text class="name" x={9 - half} y={floor - (low ? 6 : 8)}>
        {name}
      </text>
      <text class="tag" x={half - 8} y={floor - (low ? 7 : 9)}>
        {tag}
      </text>
      {node.derived && <title>{text.derived}</title>}
      <path class="rule" d={`M0 ${floor + 6}V${high - 8}`} />
      {!low && <Captions half={half} y={floor + (size.kind === "full" ? 16 : 15)} />}
      <text
        class={`val data mid${data.length > LONG[size.kind] ? " tight" : ""}`}
        x={-half / 2}
        y={high - valueRoom(size)}
      >
        {data}
      </text>
      <text
        class={`val grad mid ${valueClass(grad, reach, mark, LONG[size.kind])}`}
        x={half / 2}
        y={high - valueRoom(size)}
      >
        {grad}
      </text>
      {isPartial && (
        <Badge half={half} high={high} text={text.partial(reach.arrived, reach.expected)} />
      )}
    </>
  );
}

function Captions({ half, y }: { half: number; y: number }) {
  const text = words.value.stage;
  return (
    <>
      <text class="cap mid" x={-half / 2} y={y}>
        {text.data}
      </text>
      <text class="cap mid" x={half / 2} y={y}>
        {text.grad}
      </text>
    </>
  );
}

function Badge({ half, high, text }: { half: number; high: number; text: string }) {
  return (
    <>
      <rect class="partbox" x={half - 50} y={high - 8} width="54" height="18" rx="9" />
      <text class="part mid" x={half - 23} y={high + 5}>
        {text}
      </text>
    </>
  );
}

function valueClass(grad: string, { grad: known }: Reach, mark: string, most: number): string {
  return `${known === null && mark === "" ? "wait" : mark}${grad.length > most ? " tight" : ""}`;
}

function valueRoom({ kind }: Size): number {
  return kind === "full" ? 14 : kind === "medium" ? 12 : kind === "dense" ? 9 : 13;
}

/** The height of the band. */
export function bandOf({ kind }: Size): number {
  return kind === "full" ? 32 : kind === "medium" ? 27 : 22;
}

function bandPath(half: number, high: number, floor: number): string {
  const arc = `A${RADIUS} ${RADIUS} 0 0 1`;
  return (
    `M${-half} ${floor}V${RADIUS - high}${arc} ${RADIUS - half} ${-high}` +
    `H${half - RADIUS}${arc} ${half} ${RADIUS - high}V${floor}Z`
  );
}
