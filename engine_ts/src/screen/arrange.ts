/**
 * Document + window -> layout for a screen: the whole graph, or the part of a large one around
 * each step.
 *
 * Read the modules in this order: `digits` (how numbers are written), `texts` (cards and labels),
 * `cells` (the contents of layers), `extents`, `search` (the best of some 200 variants), `places`,
 * `lens` and this one. None of them needs a browser: the caller passes in the measure of texts.
 */

import type { GradientDocument } from "../document.ts";
import type { Edge } from "../template.ts";
import { cellsOf } from "./cells.ts";
import type { Cells } from "./cells.ts";
import { partsOf } from "./lens.ts";
import type { Focus, Part } from "./lens.ts";
import { placesIn } from "./places.ts";
import type { Plan } from "./places.ts";
import type { Variant } from "./extents.ts";
import { textsOf } from "./texts.ts";
import type { Measure, TextOptions, Texts } from "./texts.ts";

export interface ArrangeOptions extends TextOptions {
  /** The size of the window in pixels. */
  readonly width: number;
  readonly height: number;
  /** The width of a text in `em`, in the font of cards and labels. */
  readonly measure: Measure;
  /** The current variant; it is kept unless another one is 10 % better. */
  readonly previous?: Variant | null;
  /** The centres of a pass's steps; by default those of the backward pass. */
  readonly foci?: readonly Focus[];
  /** Font sizes in pixels: the smallest that is readable, and the largest. */
  readonly least?: number;
  readonly most?: number;
}

/** The sizes of the part and of the overview as dots, which are stacked or side by side. */
interface LensFrame {
  readonly width: number;
  readonly height: number;
  readonly dots: { readonly width: number; readonly height: number };
}

export interface Arrangement {
  readonly cells: Cells;
  readonly texts: Texts;
  /** The plan of the whole graph; null if its text would be too small to read. */
  readonly plan: Plan | null;
  /** The part around each step, if there is no plan. */
  readonly lens: (LensFrame & { readonly partAt: (step: number) => Part }) | null;
}

/** Graphs with more nodes do not fit into any window. */
const MAX_WHOLE = 80;
/** The largest font size of a small graph: pixels, and a share of the window's height. */
const [LARGEST, GROWN] = [16, 1 / 12];
/** Numbers get spare width for changes if that costs at most this share of the font size. */
const RESERVE_COST = 0.12;

/** Return the layout of a document in a window; the same arguments give the same places. */
export function arrange(document: GradientDocument, options: ArrangeOptions): Arrangement {
  const { measure, previous = null, least = 12 } = options;
  // In a window of size 0, as before its first layout, places would be NaN.
  const [width, height] = [Math.max(1, options.width), Math.max(1, options.height)];
  const { most = Math.max(LARGEST, height * GROWN) } = options;
  const cells = cellsOf(document);
  const laidOut = (more: TextOptions) => {
    const texts = textsOf(document, measure, { ...options, ...more });
    return { texts, plan: placesIn(cells, texts, { width, height, least, most }, { previous }) };
  };
  const isSmall = document.nodes.length <= MAX_WHOLE;
  const roomy = isSmall ? laidOut({}) : null;
  if (roomy?.plan.fits && roomy.plan.size >= most - 1e-6) return { cells, ...roomy, lens: null };
  const tight = isSmall ? laidOut({ reserve: "" }) : null;
  const isCheap = roomy?.plan.fits && roomy.plan.size >= (1 - RESERVE_COST) * tight!.plan.size;
  const found = isCheap ? roomy : tight;
  if (found?.plan.fits) return { cells, ...found, lens: null };
  const texts = tight?.texts ?? textsOf(document, measure, { ...options, reserve: "" });
  const frame = lensFrame(width, height);
  const foci = options.foci?.length ? options.foci : stepsBackward(document);
  const lens = { document, cells, texts, width: frame.width, height: frame.height, most };
  return { cells, texts, plan: null, lens: { ...frame, partAt: partsOf(lens, foci) } };
}

/** Return the edges in the order of the backward pass; if there is none, the result. */
function stepsBackward({ edges, backward_order, root }: GradientDocument): readonly Focus[] {
  const order = new Map(backward_order.map((id, at) => [id, at]));
  const contributing = edges.filter(({ contribution }) => contribution !== null);
  const before = (one: Edge, other: Edge) =>
    order.get(one.to)! - order.get(other.to)! || one.slot - other.slot;
  return contributing.length > 0 ? contributing.sort(before) : [{ from: root, to: root }];
}

/** Return the frame: a very low window has no dots, a low wide one has them to the side. */
function lensFrame(width: number, height: number): LensFrame {
  if (height < 200) return { width, height, dots: { width: 0, height: 0 } };
  if (width > height * 1.2 && height < 330) {
    const aside = Math.round(width * 0.3);
    return { width: width - aside, height, dots: { width: aside, height } };
  }
  const above = Math.round(Math.min(height * 0.3, 150));
  return { width, height: height - above, dots: { width, height: above } };
}
