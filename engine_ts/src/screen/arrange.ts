/**
 * Document + window -> what a screen shows: all of it, or of a large graph the part around each step.
 *
 * Read the modules in this order: `digits` (how numbers are written), `texts` (what cards and labels
 * say), `cells` (what stands in which layer), `rooms`, `search` (the best of some 200 variants),
 * `places`, `lens` and this one. None of them knows a browser: what measures a text is handed in.
 */

import type { GradientDocument } from "../document.ts";
import type { Edge } from "../template.ts";
import { cellsOf } from "./cells.ts";
import type { Cells } from "./cells.ts";
import { partsOf } from "./lens.ts";
import type { Focus, Part } from "./lens.ts";
import { placesIn } from "./places.ts";
import type { Plan } from "./places.ts";
import type { Variant } from "./rooms.ts";
import { textsOf } from "./texts.ts";
import type { Measure, TextOptions, Texts } from "./texts.ts";

export interface ArrangeOptions extends TextOptions {
  /** The room in pixels. */
  readonly width: number;
  readonly height: number;
  /** The width of a text in `em`, in the font of cards and labels. */
  readonly measure: Measure;
  /** The variant that is shown: it stays while no other is a tenth better. */
  readonly previous?: Variant | null;
  /** What the steps of a pass are around; without it, those of the backward pass. */
  readonly foci?: readonly Focus[];
  /** Letters in pixels: the least that can be read, and the largest. */
  readonly least?: number;
  readonly most?: number;
}

/** The window of a lens, and that of the whole as dots; one of them is above or beside the other. */
interface LensFrame {
  readonly width: number;
  readonly height: number;
  readonly dots: { readonly width: number; readonly height: number };
}

export interface Arrangement {
  readonly cells: Cells;
  readonly texts: Texts;
  /** The whole, or null where its letters could not be read. */
  readonly plan: Plan | null;
  /** Where there is no plan: the part around each step. */
  readonly lens: (LensFrame & { readonly partAt: (step: number) => Part }) | null;
}

/** More nodes fit into no window. */
const MOST_WHOLE = 80;
/** Letters of a small graph grow to this share of the height. */
const [LARGEST, GROWN] = [16, 1 / 12];
/** Room for numbers that change is left where it costs no more than this of the letters. */
const RESERVE_COST = 0.05;

/** Lay out a document for a window. The same arguments give the same places. */
export function arrange(document: GradientDocument, options: ArrangeOptions): Arrangement {
  const { width, height, measure, previous = null, least = 12 } = options;
  const { most = Math.max(LARGEST, height * GROWN) } = options;
  const cells = cellsOf(document);
  const laidOut = (more: TextOptions) => {
    const texts = textsOf(document, measure, { ...options, ...more });
    return { texts, plan: placesIn(cells, texts, { width, height, least, most }, { previous }) };
  };
  const isSmall = document.nodes.length <= MOST_WHOLE;
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

/** The edges in the order in which the backward pass goes over them; of no edge, the result. */
function stepsBackward({ edges, backward_order, root }: GradientDocument): readonly Focus[] {
  const order = new Map(backward_order.map((id, at) => [id, at]));
  const told = edges.filter(({ contribution }) => contribution !== null);
  const before = (one: Edge, other: Edge) =>
    order.get(one.to)! - order.get(other.to)! || one.slot - other.slot;
  return told.length > 0 ? told.sort(before) : [{ from: root, to: root }];
}

/** A low window has no dots; a low wide one has them beside the part, any other above it. */
function lensFrame(width: number, height: number): LensFrame {
  if (height < 200) return { width, height, dots: { width: 0, height: 0 } };
  if (width > height * 1.2 && height < 330) {
    const beside = Math.round(width * 0.3);
    return { width: width - beside, height, dots: { width: beside, height } };
  }
  const above = Math.round(Math.min(height * 0.3, 150));
  return { width, height: height - above, dots: { width, height: above } };
}
