/** A value as a card: its name, data and gradient, and its chips; less where it is seen small. */

import { computed, useComputed } from "@preact/signals";
import { loaded } from "../deferred.ts";
import { accuracy } from "../lazy.tsx";
import { toggleGroup } from "../state/cards.ts";
import type { Card, Chip } from "../state/cards.ts";
import {
  atEnd,
  cardNotes,
  currentNodes,
  partialGrads,
  progress,
  sortMarks,
} from "../state/play.ts";
import { fault, shown } from "../state/program.ts";
import { activeCards } from "../state/target.ts";
import { selectedEdge, showsAccuracy, tab } from "../state/view.ts";
import { words } from "../words.ts";
import { short } from "../words/text.tsx";
import type { Box } from "./camera.ts";
import {
  dataText,
  describeCard,
  fitText,
  gradText,
  headingOf,
  isUnderWay,
  lastLineOf,
  textWidth,
} from "./card_text.ts";
import type { NumberText } from "./card_text.ts";
import { BITS_HEIGHT, POD } from "./layout.ts";
import { cardTransforms, detail, leastLetters } from "./viewport.ts";

const Bits = accuracy.part(({ Bits }) => Bits);

/** Letters of a name, of a formula, of a number, of one over the other, and of one in a row. */
const [NAME, TAG, NUMBER, STACKED, CHIP] = [14, 11.5, 16, 13.5, 11.5];
/** A name may take this share of the head, and letters of a small card this of its height. */
const [MOST_NAME, MOST_GROWN] = [0.62, 0.24];
/** And this share of a line that has its data, too. */
const BESIDE = 0.4;
const PAD = 9;
/** A row in a small card, and what tells its data from its gradient, in heights of its letters. */
const [LINE, MARK] = [1.2, 0.7];
/** The least size of letters is kept in steps, so that a turn does not write all cards anew. */
const STEPS = 24;

/** Whether something is on its way. */
const isMoving = computed(() => fault.value === null && progress.value < 1);

interface CardProps {
  readonly card: Card;
  readonly box: Box;
  /** The smallest letters, in units. */
  readonly least: number;
}

export function CardView({ card, box }: Omit<CardProps, "least">) {
  const { id, members, frame } = card;
  const flat = useComputed(() => cardTransforms.value.get(id));
  const unit = useComputed(() => Math.floor((flat.value?.least ?? 1) * STEPS) / STEPS || 1);
  const least = useComputed(() => leastLetters.value / unit.value);
  const style = useComputed(
    () =>
      `transform:${flat.value?.matrix};--least:${least.value.toFixed(2)}px;--w:${box.w}px;--h:${box.h}px;z-index:${Math.round(500 - box.z / 10)}`,
  );
  const { document } = shown.value;
  const { kind } = document.nodes[id]!;
  const isGroup = members.length > 1 || frame === id;
  const isNext = isMoving.value && currentNodes.value.has(id);
  const isSending = isMoving.value && !isNext && activeCards.value.includes(id);
  const mark = sortMarks.value?.[id];
  const note = (atEnd.value && cardNotes.value?.[id]?.word) || "";
  const visit = cardNotes.value?.[id]?.visit ?? mark?.place ?? null;
  const state =
    `${id === document.root ? " root" : ""}${isNext ? " receiving" : ""}${isSending ? " sending" : ""}` +
    `${note ? " incorrect" : ""}${frame === null ? "" : " framed"}${isGroup ? " foldable" : ""}`;
  const press = () => pressCard(id, isGroup);
  const room = { card, box, least: least.value };
  const sentence = describeCard(card);
  return (
    <div
      class={`card ${kind === "parameter" ? "input param" : kind}${state} detail${detail.value}`}
      style={style}
      data-node={id}
      data-sorted={mark?.at}
      tabindex={0}
      role="group"
      aria-label={sentence}
      title={detail.value > 0 || isGroup ? sentence : undefined}
      onClick={press}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        press();
      }}
    >
      {detail.value === 0 && box.w >= 110 ? (
        <FullCard {...room} />
      ) : detail.value < 2 ? (
        <SmallCard {...room} />
      ) : (
        <b class="name" style={`font-size:${room.least}px`}>
          {fitText(headingOf(id).name, room.least, box.w - 4)}
        </b>
      )}
      {detail.value < 2 && showsAccuracy.value && <Bits node={document.nodes[id]!} />}
      {detail.value < 2 && note !== "" && <span class="error-badge">{note}</span>}
      {detail.value < 2 && visit !== null && <span class="visit">{visit}</span>}
    </div>
  );
}

/** Open or close a group; in the room of wrong orders, visit what was pressed next. */
function pressCard(id: number, isGroup: boolean): void {
  if (tab.value === "break") loaded.value?.visitNext(id);
  else if (isGroup) toggleGroup(id);
}

function FullCard({ card, box, least }: CardProps) {
  const program = shown.value;
  const text = words.value.stage;
  const { name, tag } = headingOf(card.id);
  const [name_, tag_] = [Math.max(NAME, least), Math.max(TAG, least)];
  const isClosed = card.members.length > 1;
  const sign = isClosed ? "+" : card.frame === card.id ? "−" : "";
  const free = box.w - 2 * PAD - (sign === "" ? 0 : name_);
  const written = fitText(name, name_, tag === "" ? free : free * MOST_NAME);
  const beside = free - textWidth(written, name_) - 8;
  const { derived } = program.document.nodes[card.id]!;
  const isTold = derived && textWidth(text.derived, tag_) <= beside;
  const most = beside - (isTold ? textWidth(text.derived, tag_) + 8 : 0);
  return (
    <>
      <div class="card-head" style={`font-size:${tag_}px`}>
        <b class="name" style={`font-size:${name_}px`} title={written === name ? undefined : name}>
          {written}
        </b>
        <span class="tag">{fitText(tag, tag_, most)}</span>
        {isTold && <span class="kind">{text.derived}</span>}
        {sign !== "" && (
          <button
            class="plain toggle"
            style={`font-size:${name_}px`}
            aria-expanded={!isClosed}
            aria-label={isClosed ? text.open(name) : text.close(name)}
            onClick={(event) => {
              event.stopPropagation();
              toggleGroup(card.id);
            }}
          >
            {sign}
          </button>
        )}
      </div>
      <div class="card-body">
        {card.chips.length > 0 && (
          <ul class="chips">
            {card.chips.map((chip) => (
              <ChipRow key={chip.node} chip={chip} box={box} least={least} />
            ))}
          </ul>
        )}
        <Numbers card={card} box={box} least={least} />
      </div>
      <Badge id={card.id} size={Math.max(TAG, least)} />
    </>
  );
}

/** Data and gradient side by side; beside chips, one over the other. */
function Numbers({ card, box, least }: CardProps) {
  const isPod = card.chips.length > 0 || card.members.length > 1;
  const size = Math.max(isPod ? STACKED : NUMBER, least);
  const width = isPod ? POD - 4 - MARK * size : box.w / 2 - 5;
  const small = Math.max(CHIP, least);
  const data = dataText(card.id, width, size, least);
  const grad = gradText(card.id, width, size, least);
  return (
    <div class={isPod ? "stacked" : "side-by-side"}>
      {[<Figure of={data} node={card.id} />, <Figure of={grad} />].map((figure, at) => (
        <div>
          {!isPod && (
            <span class="number-label" style={`font-size:${small}px`}>
              {at === 0 ? "data" : "grad"}
            </span>
          )}
          {figure}
        </div>
      ))}
    </div>
  );
}

/** Where the columns of a row are, in shares of it. */
const [NAMED, DATA, GRAD] = [0.28, 0.34, 0.38];

function ChipRow({ chip, box, least }: Omit<CardProps, "card"> & { chip: Chip }) {
  const { node, edge } = chip;
  const { kind, label, data } = shown.value.document.nodes[node]!;
  const size = Math.max(CHIP, least);
  const columns = box.w - POD - 12;
  const isFixed = kind === "constant";
  const state = isFixed ? " fixed" : kind === "parameter" ? " parameter" : "";
  const mark = isFixed ? sortMarks.value?.[node] : undefined;
  const select = (event: Event) => {
    event.stopPropagation();
    selectedEdge.value = edge.id;
  };
  return (
    <li
      class={`chip-row${state}${!isFixed && isUnderWay(edge) ? " active" : ""}`}
      style={`font-size:${size}px`}
      data-node={node}
      data-sorted={mark?.at}
      title={label ?? undefined}
      onClick={isFixed ? undefined : select}
    >
      <b class="name">
        {fitText(label ?? short(data), size, isFixed ? columns / 2 : columns * NAMED - 2)}
      </b>
      {isFixed ? (
        <span class="tag">{mark?.place ?? words.value.stage.constant}</span>
      ) : (
        <>
          <Figure of={dataText(node, columns * DATA - 3, size)} node={node} />
          <Figure of={gradText(node, columns * GRAD - 3, size)} />
        </>
      )}
    </li>
  );
}

/** Name, data and gradient, each in the largest letters that fit; of two lines the first has both. */
function SmallCard({ card, box, least }: CardProps) {
  const size = Math.max(least, Math.min(box.h * MOST_GROWN, box.w * 0.15));
  const lines = Math.floor((box.h - 4 - (showsAccuracy.value ? BITS_HEIGHT : 0)) / (size * LINE));
  const isLow = lines < 3;
  const width = box.w - 8;
  const { name } = headingOf(card.id);
  const written = fitText(name, size, isLow && lines > 1 ? width * BESIDE : width);
  const room = width - MARK * size;
  const free = isLow ? room - textWidth(`${written} `, size) : room;
  const data = dataText(card.id, free, size, least);
  const grad = gradText(card.id, room, size, least);
  const small = Math.max(least, Math.min(CHIP, size));
  return (
    <div class={`small-card${isLow ? " low" : ""}`}>
      <b class="name" style={`font-size:${size}px`}>
        {written}
      </b>
      {lines > 1 && <Figure of={data} node={card.id} />}
      {lines > 1 && <Figure of={grad} />}
      {lines > 3 && (
        <span class="note" style={`font-size:${small}px`}>
          {lastLineOf(card, width, small)}
        </span>
      )}
    </div>
  );
}

interface FigureProps {
  readonly of: NumberText;
  /** Whose data it is; without it, it is a gradient. */
  readonly node?: number;
}

/** A number without the word for what it is, which its mark says; a leaf's data is dragged. */
function Figure({ of, node }: FigureProps) {
  return (
    <span
      class={`val ${node === undefined ? "grad" : "data"} ${of.tone}`}
      style={`font-size:${of.size}px`}
      {...(node !== undefined && loaded.value?.sliderOf(node))}
    >
      {of.text}
    </span>
  );
}

/** How many of its contributions a gradient has, while some are on their way. */
function Badge({ id, size }: { id: number; size: number }) {
  const { arrived, expected } = partialGrads.value[id]!;
  if (arrived === 0 || arrived === expected || fault.value !== null) return null;
  return (
    <span class="partial" style={`font-size:${size}px`}>
      {words.value.of(arrived, expected)}
    </span>
  );
}
