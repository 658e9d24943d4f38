/**
 * The pulse: the numbers that move from card to card, as a function of `progress` alone. A step has
 * four phases: a number leaves its card, meets `× local`, leaves as the product, and is added.
 */

import { flattened, placeAlong } from "../../../engine_ts/src/screen/paths.ts";
import type { Place } from "../../../engine_ts/src/screen/paths.ts";
import type { PlacedArrow, PlacedCard, Plan } from "../../../engine_ts/src/screen/places.ts";
import type { CardKind } from "../../../engine_ts/src/screen/texts.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { clamp } from "../state/helpers.ts";
import { currentEdges, lastTicks, partialGrads, playsFronts, progress } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { pass } from "../state/view.ts";
import { ARRIVES, IS_ADDED, LEAVES } from "./arrows.tsx";
import { write } from "../words/text.tsx";
import { measure, stagePlan } from "./arrangement.ts";

/** The share of a forward step at which operands arrive. */
const REACHED = 0.62;

/** Return the progress from `start` to `end`, slow at both ends. */
function eased(share: number, start: number, end: number): number {
  const way = clamp((share - start) / (end - start), 0, 1);
  return way * way * (3 - 2 * way);
}

interface Token {
  readonly at: Place;
  readonly text: string;
  readonly kind: "data" | "plus" | "minus";
}

export function Pulse() {
  if (progress.value >= 1 || pass.value === "sort") return null;
  const tokens = lastTicks.value.flatMap(({ node, edge }) =>
    edge === null ? operandTokens(node, progress.value) : gradientTokens(edge, progress.value),
  );
  return (
    <div class="tokens" aria-hidden="true">
      {tokens.map(({ at: [x, y], text, kind }) => (
        <span class={`token ${kind}`} style={`left:${x}px;top:${y}px`}>
          {text}
        </span>
      ))}
    </div>
  );
}

/** Return the gradient as it moves to the label, or the product as it moves to the card. */
function gradientTokens(edge: Edge, share: number): Token[] {
  const { plan } = stagePlan.value;
  const arrow = plan.arrows.find(({ id }) => id === edge.id);
  const [sender, receiver] = [edge.to, edge.from].map((id) =>
    plan.cards.find((card) => card.id === id),
  );
  if (!arrow || !sender || !receiver) return [];
  const token = (line: readonly Place[], start: number, end: number, number: number, sign = "") => {
    const at = placeAlong(line, eased(share, start, end));
    const kind = number < 0 ? ("minus" as const) : ("plus" as const);
    return [{ at, kind, text: sign + write(number) }];
  };
  const back = flattened(arrow.path).toReversed();
  const home = numberPlace(receiver, "grad");
  const isSum = partialGrads.value[edge.from]!.arrived > 0;
  if (playsFronts.value) return token([...back, home], 0, IS_ADDED, edge.contribution ?? 0);
  const [incoming, product] = labelPlaces(arrow, edge, plan);
  if (share < ARRIVES) {
    const start = numberPlace(sender, "grad");
    return token([start, arrow.tip, incoming], 0, ARRIVES, edge.incoming_grad ?? 0);
  }
  if (share < LEAVES || share >= IS_ADDED) return [];
  const way = pathPastLabel(arrow, product, back, plan);
  return token([...way, home], LEAVES, IS_ADDED, edge.contribution ?? 0, isSum ? "+ " : "");
}

/** Return the product's path: first past its label, below or above the line, then on the arrow. */
function pathPastLabel(
  { label, tip }: PlacedArrow,
  product: Place,
  back: readonly Place[],
  { size, variant }: Plan,
): Place[] {
  const { isAcross, lines } = variant;
  const past: Place = isAcross ? [label.x - 0.6 * size, tip[1]] : [tip[0], label.y - 0.2 * size];
  const distance = ([x, y]: Place) => Math.hypot(x - past[0], y - past[1]);
  const nearest = back.reduce((one, other) => (distance(other) < distance(one) ? other : one));
  const clear = lines === 1 ? tip[1] + 0.62 * size : product[1];
  const around: Place[] = isAcross
    ? [
        [product[0], clear],
        [past[0], clear],
      ]
    : [[product[0], label.y - 0.55 * size]];
  return [product, ...around, ...back.slice(back.indexOf(nearest))];
}

/** Return the operands' data as they move to an operation, and then its result. */
function operandTokens(node: number, share: number): Token[] {
  const { plan } = stagePlan.value;
  const card = plan.cards.find(({ id }) => id === node);
  if (card === undefined || share >= IS_ADDED) return [];
  const { nodes } = shown.value.document;
  if (share >= REACHED) {
    const at = numberPlace(card, "data");
    return [{ at, kind: "data", text: write(nodes[node]!.data) }];
  }
  return plan.arrows.flatMap(({ id, path }) => {
    const { from, to } = currentEdges.value[id]!;
    const source = plan.cards.find((each) => each.id === from);
    if (to !== node || source === undefined) return [];
    const line = [numberPlace(source, "data"), ...flattened(path)];
    const at = placeAlong(line, eased(share, 0, REACHED));
    return [{ at, kind: "data" as const, text: write(nodes[from]!.data) }];
  });
}

/** Heights of data and grad on a card, in `em` below its top. */
const ROWS: Readonly<Record<CardKind, Readonly<Record<"data" | "grad", number>>>> = {
  words: { data: 2.27, grad: 3.55 },
  column: { data: 2.2, grad: 3.5 },
  pair: { data: 2.2, grad: 2.2 },
  low: { data: 0.85, grad: 2.1 },
  line: { data: 0.87, grad: 0.87 },
};

function numberPlace({ id, x, y, w }: PlacedCard, part: "data" | "grad"): Place {
  const { plan, texts } = stagePlan.value;
  const { size, variant } = plan;
  const kind = texts.document.nodes[id]!.kind === "operation" ? variant.operation : variant.leaf;
  const width = texts.widths[part][id]! * size;
  const isInOneRow = kind === "pair" || kind === "line";
  const right = x + w - 0.55 * size - width / 2;
  const isFirst = isInOneRow && part === "data";
  const across = isFirst ? right - (texts.widths.grad[id]! + 1.6) * size : right;
  return [across, y + ROWS[kind][part] * size];
}

/** Return the places of a label's first factor and its product. */
function labelPlaces({ label }: PlacedArrow, edge: Edge, { size, variant }: Plan): [Place, Place] {
  const written = [edge.incoming_grad, edge.local_grad, edge.contribution].map(write);
  const [incoming, local, product] = written as [string, string, string];
  const { lines, isAcross } = variant;
  const rows = [
    [`${incoming} × ${local} = ${product}`],
    [`${incoming} × ${local}`, `= ${product}`],
    [incoming, `× ${local}`, `= ${product}`],
  ][lines - 1]!;
  const share = { left: 0, center: 0.5, right: 1 }[label.align];
  const left = (text: string) => label.x + (label.w - measure(text) * size) * share;
  const line = 1.22 * size;
  const last = rows.length - 1;
  const bottom = isAcross && lines > 1 ? label.y + label.h - line : label.y + last * line;
  return [
    [left(rows[0]!) + (measure(incoming) * size) / 2, label.y + line / 2],
    [
      left(rows[last]!) + (measure(rows[last]!) - measure(product, true) / 2) * size,
      bottom + line / 2,
    ],
  ];
}
