/** A value as a card: its name, its data, its gradient and the gradient's sum. */

import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { PlacedCard } from "../../../engine_ts/src/screen/places.ts";
import { numberWidth } from "../../../engine_ts/src/screen/texts.ts";
import { loaded } from "../interaction.ts";
import { accuracy, breaking } from "../loading.tsx";
import { stagePlan } from "./arrangement.ts";
import { guesses, isPredicting } from "../state/guesses.ts";
import {
  activeNodes,
  atEnd,
  cardNotes,
  currentNodes,
  isDataKnown,
  otherWalk,
  partialGrads,
  progress,
  sortMarks,
} from "../state/play.ts";
import { fault, shown } from "../state/program.ts";
import { pass, showsAccuracy, tab } from "../state/view.ts";
import { words } from "../words.ts";
import { nameOf, sourceOf, WAITING, write } from "../words/text.tsx";

const Bits = accuracy.part(({ Bits }) => Bits);

const isMoving = computed(() => fault.value === null && progress.value < 1);

export function CardView({ id, x, y, w, h }: PlacedCard) {
  const { plan, texts } = stagePlan.value;
  const { document } = shown.value;
  const node = document.nodes[id]!;
  const { name, fullName, sign, scale } = texts.cards[id]!;
  const form = node.kind === "operation" ? plan.variant.operation : plan.variant.leaf;
  const isNext = isMoving.value && currentNodes.value.has(id);
  const isSending = isMoving.value && !isNext && activeNodes.value.has(id);
  const mark = sortMarks.value?.[id];
  const note = (atEnd.value && cardNotes.value?.[id]?.word) || "";
  const visit = cardNotes.value?.[id]?.visit ?? mark?.place ?? null;
  const isRoot = id === document.root;
  const state =
    `${isRoot ? " root" : ""}${isNext ? " receiving" : ""}${isSending ? " sending" : ""}` +
    `${note ? " incorrect" : ""}`;
  const sentence = describeCard(id);
  const isVisited = tab.value === "break";
  const visitNext = () => isVisited && breaking.loaded.value?.visitNext(id);
  return (
    <div
      class={`card ${node.kind === "parameter" ? "input param" : node.kind}${state} form-${form}`}
      style={
        `left:${x}px;top:${y}px;width:${w}px;height:${h}px;--number:${numberWidth(texts, id)}em` +
        (scale < 1 ? `;font-size:${scale}em` : "")
      }
      data-node={id}
      data-active={activeNodes.value.has(id) ? "" : undefined}
      data-sorted={mark?.at}
      tabindex={0}
      role="group"
      aria-label={sentence}
      onClick={visitNext}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        visitNext();
      }}
    >
      <div class="card-head">
        {visit !== null && <span class="visit">{visit}</span>}
        <b class="name" title={fullName === name ? undefined : fullName}>
          {name}
        </b>
        {sign !== "" && <i class="tag">{sign}</i>}
        {form === "words" && isRoot && <span class="tag result">{words.value.stage.result}</span>}
        {(form === "low" || form === "line") && <Data id={id} form={form} />}
        {form === "line" && <Grad id={id} form={form} />}
      </div>
      {form !== "line" && (
        <div class="card-body">
          {form !== "low" && <Data id={id} form={form} />}
          <Grad id={id} form={form} />
        </div>
      )}
      {texts.arriving[id]!.length > 1 && <Sum id={id} form={form} />}
      {showsAccuracy.value && <Bits node={node} />}
      {note !== "" && <span class="error-badge">{note}</span>}
    </div>
  );
}

type Form = (typeof stagePlan.value.plan.variant)["leaf"];

function Data({ id, form }: { readonly id: number; readonly form: Form }) {
  const isKnown = isDataKnown.value[id]!;
  const text = isKnown ? stagePlan.value.texts.cards[id]!.data : WAITING;
  return (
    <Figure part="data" form={form} tone={isKnown ? "" : "wait"} {...loaded.value?.sliderOf(id)}>
      {text}
    </Figure>
  );
}

function Grad({ id, form }: { readonly id: number; readonly form: Form }) {
  const { label, grad: final } = shown.value.document.nodes[id]!;
  const { grad } = partialGrads.value[id]!;
  const isRight = isPredicting.value && label !== null && guesses.value.right.has(label);
  const number = isRight ? (final ?? 0) : grad;
  const waiting = isPredicting.value ? "?" : WAITING;
  const text = number === null ? waiting : write(number) + (isRight ? " ✓" : "");
  const sign = number === null ? "wait" : number < 0 ? "minus" : number === 0 ? "zero" : "";
  return (
    <Figure part="grad" form={form} tone={isRight ? "right" : sign}>
      {text}
    </Figure>
  );
}

interface FigureProps {
  readonly part: "data" | "grad";
  readonly form: Form;
  readonly tone: string;
  readonly children: ComponentChildren;
}

/** A number with its word or mark; a leaf's data can be dragged. */
function Figure({ part, form, tone, children, ...slider }: FigureProps) {
  return (
    <span class={`figure ${part} ${tone}`}>
      {form === "words" ? <span class="number-label">{part}</span> : <i class="dot-mark" />}
      <span class={`val ${part} ${tone}`} data-number={part} {...slider}>
        {children}
      </span>
    </span>
  );
}

/** A gradient's contributions so far, if it has several: `3 + 3`, and at the end their sum. */
function Sum({ id, form }: { readonly id: number; readonly form: Form }) {
  const { arrived, expected, grad } = partialGrads.value[id]!;
  const { texts } = stagePlan.value;
  const isShown = pass.value === "backward" && otherWalk.value === null && arrived > 0;
  const isWhole = arrived === expected && form === "words" && texts.widths.wholeSum[id]! > 0;
  const terms = isShown ? texts.sumText(id, arrived) : "";
  const sum = terms !== "" && isWhole ? `${terms} = ${texts.cards[id]!.grad}` : terms;
  return <div class={`partial${(grad ?? 0) < 0 ? " minus" : ""}`}>{sum}</div>;
}

/** Describe the whole card in a sentence, for screen readers. */
function describeCard(id: number): string {
  const text = words.value.stage;
  const program = shown.value;
  const { nodes, edges } = program.document;
  const { span, kind, data, derived } = nodes[id]!;
  const name = nameOf(program, id);
  const part =
    kind === "operation" ? sourceOf(program.expression, span)?.replace(/^\w+ *= */, "") : null;
  const { grad } = partialGrads.value[id]!;
  const namesAt = (end: "from" | "to", other: "from" | "to") => {
    const ids = new Set(edges.filter((edge) => edge[other] === id).map((edge) => edge[end]));
    return [...ids].map((each) => nameOf(program, each)).join(", ");
  };
  const [from, to] = [namesAt("from", "to"), namesAt("to", "from")];
  return [
    `${part && part !== name ? `${name} = ${part}` : name}: ` +
      `data ${isDataKnown.value[id] ? write(data) : WAITING}`,
    `grad ${write(grad)}`,
    from && text.from(from),
    to && text.to(to),
    derived ? text.derived : "",
  ]
    .filter((each) => each !== "")
    .join("; ");
}
