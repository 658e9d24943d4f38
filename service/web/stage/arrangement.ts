/** The layout of the stage, by the engine's `screen`; it is kept while a number is dragged. */

import { computed, signal } from "@preact/signals";
import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import { arrange } from "../../../engine_ts/src/screen/arrange.ts";
import type { Arrangement } from "../../../engine_ts/src/screen/arrange.ts";
import type { heldTexts } from "../../../engine_ts/src/screen/held.ts";
import type { Plan } from "../../../engine_ts/src/screen/places.ts";
import { cachedMeasure } from "../../../engine_ts/src/screen/texts.ts";
import type { Texts } from "../../../engine_ts/src/screen/texts.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { cardNotes, chosenNode, focus, otherWalk, step, ticks } from "../state/play.ts";
import { shown, structure } from "../state/program.ts";
import { moving, pass, showsAccuracy, stageSize, tab } from "../state/view.ts";
import { words } from "../words.ts";
import { writeLike } from "../words/text.tsx";

/** As in `stage.css`. */
const FONT = '"Helvetica Neue", Arial, "Liberation Sans", sans-serif';
/** Font size in pixels at which texts are measured. */
const MEASURED = 100;

const context = document.createElement("canvas").getContext("2d")!;
export const measure = cachedMeasure((text, isBold) => {
  context.font = `${isBold ? 700 : 400} ${MEASURED}px ${FONT}`;
  return context.measureText(text).width / MEASURED;
});

/** Width of a place in an order, around a note, and of two bars of bits, in `em`. */
const [PLACE_ROOM, NOTE_ROOM, BITS_ROOM] = [1.9, 2, 7];

/** Whether a pointer or key is down: while a slider or a number is dragged, nothing moves. */
export const isPressed = signal(false);
addEventListener("pointerdown", () => (isPressed.value = true), true);
for (const type of ["pointerup", "pointercancel"] as const)
  addEventListener(type, () => (isPressed.value = false), true);
/** Elements whose number can be changed by keys, as by a drag. */
const SLIDERS = ":is(input[type=range], [role=slider])";
const startKey = ({ target }: KeyboardEvent) => {
  if (target instanceof Element && target.matches(SLIDERS)) isPressed.value = true;
};
addEventListener("keydown", startKey, true);
addEventListener("keyup", () => (isPressed.value = false), true);

/** Writes changed numbers into an existing layout; loaded before anything can be dragged. */
export const holding = signal<typeof heldTexts | null>(null);

const isHeld = computed(() => isPressed.value || moving.value.includes("training"));

/** Extra width next to names and numbers, and the result's word. */
const extras = computed(() => {
  const isOrdered = tab.value === "break" || pass.value === "sort";
  const defects = otherWalk.value?.edges.map(({ defect }) => defect?.word ?? "") ?? [];
  const widest = Math.max(0, ...defects.map((word) => measure(word, true)));
  const notes = cardNotes.value?.map(({ word }) => measure(word, true)) ?? [];
  return {
    extraRows: Number(showsAccuracy.value) + Number(tab.value === "break"),
    leastWidth: Math.max(showsAccuracy.value ? BITS_ROOM : 0, Math.max(0, ...notes) + NOTE_ROOM),
    extraTitle: isOrdered ? PLACE_ROOM : 0,
    extraGrad: tab.value === "predict" ? measure(" ✓", true) : 0,
    extraLabel: widest,
    resultWord: words.value.stage.result,
  };
});

/** The centres of the parts of a large graph: the steps of this pass. */
const foci = computed(() => {
  const { edges, root } = shown.value.document;
  const found = ticks.value.map(({ node, edge }) => {
    if (edge !== null) return edge;
    return { from: edges.findLast(({ to }) => to === node)?.from ?? node, to: node };
  });
  return found.length > 0 ? found : [{ from: root, to: root }];
});

/** A layout with its inputs. */
interface Base extends Arrangement {
  readonly document: GradientDocument;
  readonly others: readonly Edge[];
  readonly inputs: readonly unknown[];
  /** Return the part of a large graph around a node. */
  readonly partsAround: (node: number) => Plan;
}

function baseOf(
  document: GradientDocument,
  others: readonly Edge[],
  inputs: readonly unknown[],
): Base {
  const size = stageSize.value;
  const options = { ...size, ...extras.value, measure, others };
  const isSameGraph = base?.inputs[0] === inputs[0];
  const previous = isSameGraph ? (base?.plan?.variant ?? null) : null;
  const found = arrange(document, { ...options, previous, foci: foci.value });
  const partsAround = (node: number) => {
    const around = arrange(document, { ...options, foci: [{ from: node, to: node }] });
    return around.lens!.partAt(0).plan;
  };
  return { ...found, document, others, inputs, partsAround };
}

let base: Base | null = null;

/** The plan on the stage, of the graph or a part of it, and its texts. */
interface StagePlan {
  readonly plan: Plan;
  readonly texts: Texts;
  readonly base: Base;
}

function planIn(found: Base): Plan {
  if (found.lens === null) return found.plan!;
  const { from, to } = focus.value;
  if (chosenNode.value !== null) return found.partsAround(from);
  const at = Math.max(0, step.value - 1);
  const { nodes, plan } = found.lens.partAt(Math.min(at, foci.value.length - 1));
  return nodes.has(from) && nodes.has(to) ? plan : found.lens.partAt(0).plan;
}

export const stagePlan = computed((): StagePlan => {
  const { document } = shown.value;
  const others = otherWalk.value?.edges ?? [];
  const { width, height } = stageSize.value;
  const extra = JSON.stringify(extras.value);
  const inputs = [structure.value, width, height, extra, pass.value, others.length];
  const isSame = base !== null && inputs.every((each, at) => each === base!.inputs[at]);
  if (isSame && base !== null) {
    const plan = planIn(base);
    if (document === base.document && others === base.others)
      return { plan, texts: base.texts, base };
    const texts = holding.value?.(base.texts, document, plan, others);
    if (texts !== undefined && (isHeld.value || texts.cut + texts.scaled === 0))
      return { plan, texts, base };
  }
  base = baseOf(document, others, inputs);
  return { plan: planIn(base), texts: base.texts, base };
});

/** Whether the graph is shown in parts, with an overview as dots. */
export const isInParts = computed(() => stagePlan.value.base.lens !== null);

writeLike(computed(() => stagePlan.value.texts.write));

/** Whether the graph runs from left to right. */
export const isAcross = computed(() => stagePlan.value.plan.variant.isAcross);
