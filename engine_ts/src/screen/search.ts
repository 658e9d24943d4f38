/**
 * Cells + texts + window -> the best variant: the largest letters, weighted by how much cards and
 * labels show.
 *
 * Along the layers a variant's length is exact before anything is placed, and across it is at least
 * its fullest row: this bounds its worth. Variants are placed in the order of their bounds, and the
 * search ends when no remaining one can be better; the result is that of a full search.
 */

import type { Cells } from "./cells.ts";
import { placed, roomsOf } from "./rooms.ts";
import type { Placed, Rooms, SizedTexts, Variant } from "./rooms.ts";
import { KINDS, LINES } from "./texts.ts";
import type { CardKind, LabelLines } from "./texts.ts";

export interface Window {
  readonly width: number;
  readonly height: number;
  /** Font sizes in pixels: the smallest that is readable, and the largest. */
  readonly least: number;
  readonly most: number;
}

export interface SearchOptions {
  readonly variants?: readonly Variant[];
  /** A variant that stays unless another one is a tenth better. */
  readonly previous?: Variant | null;
  /** Whether to place all variants, to check that the bounds do not change the result. */
  readonly isFull?: boolean;
}

interface Found {
  readonly plan: Placed;
  /** The font size in pixels, at most the largest. */
  readonly size: number;
  readonly worth: number;
  /** How many variants were placed. */
  readonly count: number;
}

/** The margin around the whole picture, in `em`, both sides together. */
export const MARGIN = 0.8;
/** How readable each kind is, relative to the size of its letters. */
const CARD_WORTH: Readonly<Record<CardKind, number>> = {
  ...{ words: 1, column: 0.82, pair: 0.84, low: 0.78, line: 0.72 },
};
const LINES_WORTH: Readonly<Record<LabelLines, number>> = { 1: 1, 2: 0.84, 3: 0.74 };
const BANDS_WORTH = [0, 1, 0.72, 0.66];
/** The worth of a graph from top to bottom, and its loss in a wide window. */
const [DOWN_WORTH, WIDE_LOSS] = [0.97, 0.24];
/** The size of the words next to numbers, as a share of the font size. */
const WORDS = 0.8;
const STAYS = 1.1;
/** Only graphs of more layers are split into bands. */
const MOST_IN_ONE_BAND = 6;

const VARIANTS: readonly Variant[] = [true, false].flatMap((isAcross) =>
  KINDS.flatMap((operation) =>
    [...new Set<CardKind>([operation, "pair", "low", "line"])].flatMap((leaf) =>
      LINES.flatMap((lines) =>
        (isAcross ? [1, 2, 3] : [1]).map((bands) => ({ isAcross, operation, leaf, lines, bands })),
      ),
    ),
  ),
);

function isSame(one: Variant, other: Variant): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Return the font size with which a plan fills a window, in pixels. */
function lettersOf({ variant, along, across }: Rooms, { width, height }: Window): number {
  const [w, h] = variant.isAcross ? [along, across] : [across, along];
  return Math.min(width / (w + MARGIN), height / (h + MARGIN));
}

/** Return the worth of a font size in a variant; any readable one beats every unreadable one. */
function worthOf(letters: number, variant: Variant, window: Window): number {
  const size = Math.min(letters, window.most);
  const smallest = variant.operation === "words" ? size * WORDS : size;
  if (smallest < window.least - 1e-9) return smallest / 1_000;
  const isWide = Math.min(1, Math.max(0, (window.width / window.height - 0.95) / 0.35));
  return (
    size *
    Math.sqrt(CARD_WORTH[variant.operation] * CARD_WORTH[variant.leaf]) *
    LINES_WORTH[variant.lines] *
    (variant.isAcross ? 1 : DOWN_WORTH - WIDE_LOSS * isWide) *
    BANDS_WORTH[variant.bands]!
  );
}

interface Candidate {
  readonly rooms: Rooms;
  readonly most: number;
  readonly rank: number;
}

export function bestVariant(
  cells: Cells,
  texts: SizedTexts,
  window: Window,
  { variants = VARIANTS, previous = null, isFull = false }: SearchOptions = {},
): Found {
  const isDeep = cells.rows.length > MOST_IN_ONE_BAND;
  let count = 0;
  const place = (rooms: Rooms, rank: number) => {
    const plan = placed(cells, rooms);
    const letters = lettersOf(plan, window);
    count++;
    const worth = worthOf(letters, rooms.variant, window);
    return { plan, rank, worth, size: Math.min(letters, window.most) };
  };
  let best: ReturnType<typeof place> | null = null;
  const take = ({ rooms, rank }: Omit<Candidate, "most">) => {
    const found = place(rooms, rank);
    const isTie = found.worth === best?.worth; // then the lower rank wins, in any order
    if (best === null || found.worth > best.worth || (isTie && rank < best.rank)) best = found;
  };
  // The worth at the largest letters needs no graph; the bound of the graph is computed on demand.
  const ranked = variants
    .filter(({ bands }) => bands === 1 || isDeep)
    .map((variant, rank) => ({ variant, rank, most: worthOf(window.most, variant, window) }))
    .sort((one, other) => other.most - one.most || one.rank - other.rank);
  const open: Candidate[] = [];
  const bound = ({ variant, rank }: (typeof ranked)[number]) => {
    const rooms = roomsOf(cells, texts, variant);
    return { rooms, rank, most: worthOf(lettersOf(rooms, window), variant, window) };
  };
  for (let next = 0; next < ranked.length || open.length > 0;) {
    let top: Candidate | undefined;
    for (const each of open) if (top === undefined || each.most > top.most) top = each;
    const coming = ranked[next];
    const reached = (best as { worth: number } | null)?.worth ?? -Infinity;
    if (coming !== undefined && (top === undefined || coming.most >= top.most)) {
      if (!isFull && top === undefined && coming.most < reached) break;
      open.push(bound(coming));
      next++;
    } else if (top !== undefined) {
      if (!isFull && top.most < reached) break;
      open.splice(open.indexOf(top), 1);
      take(top);
    }
  }
  let found = best! as ReturnType<typeof place>;
  if (previous !== null && !isSame(previous, found.plan.variant)) {
    const kept = ranked.find(({ variant }) => isSame(variant, previous));
    const same = kept && place(roomsOf(cells, texts, kept.variant), 0);
    if (same && same.worth * STAYS >= found.worth) found = same;
  }
  return { ...found, count };
}

/** Whether a variant is readable; a fast check for a lens. */
export function canBeRead(
  cells: Cells,
  texts: SizedTexts,
  window: Window,
  variant: Variant,
): boolean {
  const rooms = roomsOf(cells, texts, variant);
  if (lettersOf(rooms, window) < window.least) return false;
  return lettersOf(placed(cells, rooms), window) >= window.least;
}
