/**
 * Cells + texts + window -> the best variant: the largest font, weighted by how much cards and
 * labels show.
 *
 * Before placement, a variant's length along the layers is exact, and its length across is at least
 * that of its fullest row: this bounds its score. Variants are placed in the order of their bounds,
 * and the search ends when no remaining one can be better; the result is that of a full search.
 */

import type { Cells } from "./cells.ts";
import { extentsOf, placed } from "./extents.ts";
import type { Extents, Placed, SizedTexts, Variant } from "./extents.ts";
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
  /** A variant that is kept unless another one is 10 % better. */
  readonly previous?: Variant | null;
  /** Whether to place all variants, to check that the bounds do not change the result. */
  readonly isFull?: boolean;
}

interface Found {
  readonly plan: Placed;
  /** The font size in pixels, at most the largest. */
  readonly size: number;
  readonly score: number;
  /** The number of variants that were placed. */
  readonly count: number;
}

/** The margin around the whole picture, in `em`, both sides together. */
export const MARGIN = 0.8;
/** How readable each kind is, relative to its font size. */
const CARD_SCORE: Readonly<Record<CardKind, number>> = {
  ...{ words: 1, column: 0.82, pair: 0.84, low: 0.78, line: 0.72 },
};
const LINES_SCORE: Readonly<Record<LabelLines, number>> = { 1: 1, 2: 0.84, 3: 0.74 };
const BANDS_SCORE = [0, 1, 0.72, 0.66];
/** The score of a graph that runs from top to bottom, and its loss in a wide window. */
const [DOWN_SCORE, WIDE_LOSS] = [0.97, 0.24];
/** The size of the words next to numbers, as a share of the font size. */
const WORDS = 0.8;
const STAYS = 1.1;
/** Only graphs of more layers are split into bands. */
const MAX_IN_ONE_BAND = 6;

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

/** Return the font size at which a plan fills a window, in pixels. */
function fontSizeOf({ variant, along, across }: Extents, { width, height }: Window): number {
  const [w, h] = variant.isAcross ? [along, across] : [across, along];
  return Math.min(width / (w + MARGIN), height / (h + MARGIN));
}

/** Return the score of a font size in a variant; any readable one beats every unreadable one. */
function scoreOf(fontSize: number, variant: Variant, window: Window): number {
  const size = Math.min(fontSize, window.most);
  const smallest = variant.operation === "words" ? size * WORDS : size;
  if (smallest < window.least - 1e-9) return smallest / 1_000;
  const isWide = Math.min(1, Math.max(0, (window.width / window.height - 0.95) / 0.35));
  return (
    size *
    Math.sqrt(CARD_SCORE[variant.operation] * CARD_SCORE[variant.leaf]) *
    LINES_SCORE[variant.lines] *
    (variant.isAcross ? 1 : DOWN_SCORE - WIDE_LOSS * isWide) *
    BANDS_SCORE[variant.bands]!
  );
}

interface Candidate {
  readonly extents: Extents;
  readonly most: number;
  readonly rank: number;
}

export function bestVariant(
  cells: Cells,
  texts: SizedTexts,
  window: Window,
  { variants = VARIANTS, previous = null, isFull = false }: SearchOptions = {},
): Found {
  const isDeep = cells.rows.length > MAX_IN_ONE_BAND;
  let count = 0;
  const place = (extents: Extents, rank: number) => {
    const plan = placed(cells, extents);
    const fontSize = fontSizeOf(plan, window);
    count++;
    const score = scoreOf(fontSize, extents.variant, window);
    return { plan, rank, score, size: Math.min(fontSize, window.most) };
  };
  let best: ReturnType<typeof place> | null = null;
  const take = ({ extents, rank }: Omit<Candidate, "most">) => {
    const found = place(extents, rank);
    const isTie = found.score === best?.score; // the order of the search does not matter
    if (best === null || found.score > best.score || (isTie && rank < best.rank)) best = found;
  };
  // The score at the largest font size needs no graph; a graph's bound is computed on demand.
  const ranked = variants
    .filter(({ bands }) => bands === 1 || isDeep)
    .map((variant, rank) => ({ variant, rank, most: scoreOf(window.most, variant, window) }))
    .sort((one, other) => other.most - one.most || one.rank - other.rank);
  const open: Candidate[] = [];
  const bound = ({ variant, rank }: (typeof ranked)[number]) => {
    const extents = extentsOf(cells, texts, variant);
    return { extents, rank, most: scoreOf(fontSizeOf(extents, window), variant, window) };
  };
  for (let next = 0; next < ranked.length || open.length > 0;) {
    let top: Candidate | undefined;
    for (const each of open) if (top === undefined || each.most > top.most) top = each;
    const coming = ranked[next];
    const reached = (best as { score: number } | null)?.score ?? -Infinity;
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
    const same = kept && place(extentsOf(cells, texts, kept.variant), 0);
    if (same && same.score * STAYS >= found.score) found = same;
  }
  return { ...found, count };
}

/** Whether a variant is readable; a fast check for a lens. */
export function isReadable(
  cells: Cells,
  texts: SizedTexts,
  window: Window,
  variant: Variant,
): boolean {
  const extents = extentsOf(cells, texts, variant);
  if (fontSizeOf(extents, window) < window.least) return false;
  return fontSizeOf(placed(cells, extents), window) >= window.least;
}
