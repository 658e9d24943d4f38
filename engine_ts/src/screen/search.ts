/**
 * The best variant for a window: the largest letters, weighed by what its cards and labels say.
 *
 * Along the layers a variant's length is exact without placing anything, and across it is at least its
 * fullest row: so each has a most that it can be worth. Variants are taken in that order, and the
 * search ends where none that is left could be better: it finds what a full search finds.
 */

import type { Cells } from "./cells.ts";
import { placed, roomsOf } from "./rooms.ts";
import type { Placed, Rooms, SizedTexts, Variant } from "./rooms.ts";
import { KINDS, LINES } from "./texts.ts";
import type { CardKind, LabelLines } from "./texts.ts";

export interface Window {
  readonly width: number;
  readonly height: number;
  /** The least letters that can be read, and the largest, in pixels. */
  readonly least: number;
  readonly most: number;
}

export interface SearchOptions {
  readonly variants?: readonly Variant[];
  /** A variant that stays while no other is a tenth better. */
  readonly previous?: Variant | null;
  /** Whether all variants are placed, to see that the bounds change nothing. */
  readonly isFull?: boolean;
}

export interface Found {
  readonly plan: Placed;
  /** The letters in pixels, at most the largest. */
  readonly size: number;
  readonly worth: number;
  /** How many variants were placed. */
  readonly count: number;
}

/** Around all. */
export const MARGIN = 0.8;
/** What each is worth to the eye beside its letters. */
const CARD_WORTH: Readonly<Record<CardKind, number>> = {
  ...{ words: 1, column: 0.84, pair: 0.84, low: 0.78, line: 0.72 },
};
const LINES_WORTH: Readonly<Record<LabelLines, number>> = { 1: 1, 2: 0.84, 3: 0.74 };
const BANDS_WORTH = [0, 1, 0.72, 0.66];
/** In a wide window a graph from top to bottom is worth this less than one across. */
const [DOWN_WORTH, WIDE_LOSS] = [0.97, 0.22];
/** Words for numbers are smaller than these. */
const WORDS = 0.8;
const STAYS = 1.1;
/** Bands need a graph of more layers. */
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

/** The letters with which a plan fills a window, in pixels. */
function lettersOf({ variant, along, across }: Rooms, { width, height }: Window): number {
  const [w, h] = variant.isAcross ? [along, across] : [across, along];
  return Math.min(width / (w + MARGIN), height / (h + MARGIN));
}

/** What letters are worth in a variant; those that can be read, its words too, are worth more than all others. */
function worthOf(letters: number, variant: Variant, window: Window): number {
  const size = Math.min(letters, window.most);
  const smallest = variant.operation === "words" ? size * WORDS : size;
  if (smallest < window.least - 1e-9) return size / 1_000;
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
    const isTie = found.worth === best?.worth; // the earlier one, whatever the order
    if (best === null || found.worth > best.worth || (isTie && rank < best.rank)) best = found;
  };
  // What a variant could be worth at the largest letters needs no graph; then comes its own bound.
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

/** Whether a variant can be read: for a lens, which asks often. */
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
