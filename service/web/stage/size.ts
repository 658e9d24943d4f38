/** How large the cards of a graph are, so that it fits the stage and its labels have room. */

import { clamp } from "../state/number.ts";

/** From the receiving card to the end of the line: the head is there. */
export const ARROW_ROOM = 14;

/** The card of a constant: width and height. */
export const CONSTANT = [62, 40] as const;

/** The distance of two neighbours in the engine's layout: a card and a gap. */
const ROW = 74;

/** The stage, in the units of the drawing. */
export interface Room {
  readonly width: number;
  readonly height: number;
  /** Whether inputs are on top: a phone is higher than wide. */
  readonly turned: boolean;
}

export type Kind = "full" | "medium" | "dense" | "stacked";

/** Lengths along the flow are `long`, across it `short`. */
export interface Size {
  readonly kind: Kind;
  readonly cardWidth: number;
  readonly cardHeight: number;
  readonly long: number;
  readonly short: number;
  /** From a layer to the next. */
  readonly stride: number;
  /** Units of the drawing for a unit of the engine's layout. */
  readonly scale: number;
  readonly margin: number;
  /** From the margin to the first card, across. */
  readonly offset: number;
  /** How far an operation's two arrows are from its middle. */
  readonly port: number;
}

const CARDS: Readonly<Record<Kind, readonly [width: number, height: number]>> = {
  full: [144, 84],
  medium: [106, 78],
  dense: [106, 50],
  stacked: [66, 66],
};
const MARGIN = 12;

/** Before smaller cards are taken, the whole drawing may become smaller by this. */
const SMALLER = 1.19;

/** The least and most room for labels between layers, and between the cards of one. */
const [LEAST_GAP, MOST_GAP] = [84, 260];
const [LEAST_ROOM, MOST_ROOM] = [16, 56];
const TURNED_GAP = 68;

/** Take the largest cards with which the graph fits; if none does, the smallest. */
export function chooseSize(layers: number, spread: number, room: Room): Size {
  const kinds: Kind[] = room.turned ? ["medium", "stacked"] : ["full", "medium", "dense"];
  const [across, along] = room.turned ? [room.width, Infinity] : [room.height, room.width];
  const sizes = kinds.map((kind) => fitted(kind, layers, spread, room));
  const fits = ({ long, short, stride, scale }: Size) =>
    2 * MARGIN + long + (layers - 1) * stride <= along * SMALLER &&
    2 * MARGIN + short + spread * scale <= across * SMALLER;
  return sizes.find(fits) ?? sizes.at(-1)!;
}

function fitted(kind: Kind, layers: number, spread: number, room: Room): Size {
  const [cardWidth, cardHeight] = CARDS[kind];
  const [long, short] = room.turned ? [cardHeight, cardWidth] : [cardWidth, cardHeight];
  const across = (room.turned ? room.width : room.height) - 2 * MARGIN - short;
  const rows = spread / ROW;
  const gap = rows === 0 ? 0 : across / rows - short;
  const scale = (short + clamp(gap, room.turned ? 8 : LEAST_ROOM, MOST_ROOM)) / ROW;
  const along = room.width - 2 * MARGIN - long;
  const most = kind === "full" ? MOST_GAP : LEAST_GAP + 60;
  const stride = room.turned
    ? long + TURNED_GAP
    : long + clamp(along / Math.max(1, layers - 1) - long, LEAST_GAP, most);
  const offset = Math.max(0, (across - spread * scale) / 2);
  const port = short / 6;
  return { kind, cardWidth, cardHeight, long, short, stride, scale, margin: MARGIN, offset, port };
}
