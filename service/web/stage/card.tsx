/** A value as a card: its name, data and gradient, and its chips; less where it is seen small. */

import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { lazyAccuracy, loaded } from "../lazy.tsx";
import { useLive } from "../live.ts";
import { marks } from "../state/marks.ts";
import { current } from "../state/play.ts";
import { toggleGroup } from "../state/groups.ts";
import type { Card as Group, Chip } from "../state/groups.ts";
import { fault, shown } from "../state/program.ts";
import { reaches } from "../state/reach.ts";
import { accurate, chosen, tab } from "../state/view.ts";
import { words } from "../words.ts";
import { short } from "../words/numbers.ts";
import type { Box } from "./camera.ts";
import { band, dataOf, gradOf, noteOf, sentenceOf } from "./caption.ts";
import type { Figure } from "./caption.ts";
import { fitted, widthOf } from "./fit.ts";
import { flats, leastLetters, lookOf } from "./frame.ts";
import { Hurt } from "./hurt.tsx";
import { BITS, POD } from "./size.ts";

const Bits = lazyAccuracy(({ Bits }) => Bits);

/** Letters of a name, of a formula, of a number, of one over the other, and of one in a row. */
const [NAME, TAG, NUMBER, OVER, CHIP] = [14, 11.5, 16, 13.5, 11.5];
/** A name may take this share of the band, and letters of a small card this of its height. */
const [MOST_NAME, GROWN] = [0.62, 0.24];
const PAD = 9;
/** A row in a small card, in heights of its letters. */
const LINE = 1.2;
/** The least size of letters is kept in steps, so that a turn does not write all cards anew. */
const STEPS = 24;

interface CardProps {
  readonly card: Group;
  readonly box: Box;
  readonly isRoot: boolean;
  /** Whether something is on its way here, and whether it is sending. */
  readonly isNext: boolean;
  readonly isSending: boolean;
  readonly visit: number | null;
  readonly note: string;
}

/** What it has room for. */
interface Room {
  readonly box: Box;
  /** The smallest letters, in units. */
  readonly least: number;
}

export function Card(props: CardProps) {
  const { card, box } = props;
  const id = useLive(card.id);
  const flat = useComputed(() => flats.value.get(id.value));
  const look = useComputed(() => (flat.value ? lookOf(flat.value) : 0));
  const least = useComputed(() =>
    flat.value ? leastLetters.value / (Math.floor(flat.value.least * STEPS) / STEPS || 1) : 11,
  );
  const style = useComputed(
    () =>
      `${flat.value ? `transform:${flat.value.matrix}` : ""};--least:${least.value.toFixed(2)}px;--w:${props.box.w}px;--h:${props.box.h}px;z-index:${Math.round(500 - props.box.z / 10)}`,
  );
  const { kind } = shown.value.document.nodes[card.id]!;
  const isGroup = card.members.length > 1 || card.frame === card.id;
  const state =
    `${props.isRoot ? " root" : ""}${props.isNext ? " soon" : ""}${props.isSending ? " sends" : ""}` +
    `${props.note ? " hurt" : ""}${card.frame === null ? "" : " framed"}${isGroup ? " foldable" : ""}`;
  const press = () => visit(card.id, isGroup);
  const room = { box, least: least.value };
  const sentence = sentenceOf(shown.value, card);
  return (
    <div
      class={`card ${kind === "parameter" ? "input param" : kind}${state} look${look.value}`}
      style={style}
      data-node={card.id}
      data-sorted={marks.value?.[card.id]?.at}
      tabindex={0}
      role="group"
      aria-label={sentence}
      title={look.value > 0 || isGroup ? sentence : undefined}
      onClick={press}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        press();
      }}
    >
      {look.value === 0 && box.w >= 110 ? (
        <Full {...props} {...room} />
      ) : look.value < 2 ? (
        <Small card={card} {...room} />
      ) : (
        look.value === 2 && <Name card={card} {...room} />
      )}
      {look.value < 2 && accurate.value && <Bits node={shown.value.document.nodes[card.id]!} />}
      {look.value < 2 && <Hurt visit={props.visit} note={props.note} />}
    </div>
  );
}

/** Open or close a group; in the room of wrong orders, visit what was pressed next. */
function visit(id: number, isGroup: boolean): void {
  if (tab.value === "break") loaded.value?.visitNext(id);
  else if (isGroup) toggleGroup(id);
}

function Full({
  card,
  box,
  least,
  children,
}: { card: Group; children?: ComponentChildren } & Room) {
  const program = shown.value;
  const text = words.value.stage;
  const { name, tags } = band(program, card);
  const [name_, tag_] = [Math.max(NAME, least), Math.max(TAG, least)];
  const isClosed = card.members.length > 1;
  const sign = isClosed ? "+" : card.frame === card.id ? "−" : "";
  const free = box.w - 2 * PAD - (sign === "" ? 0 : name_);
  const written = fitted(name, name_, tags[0] === "" ? free : free * MOST_NAME);
  const beside = free - widthOf(written, name_) - 8;
  const fits = (each: string) => widthOf(each, tag_) <= beside;
  const tag = fitted(tags.find(fits) ?? tags[0]!, tag_, beside);
  const { derived } = program.document.nodes[card.id]!;
  const isTold = derived && widthOf(tag + text.derived, tag_) + 8 <= beside;
  return (
    <>
      <div class="band" style={`font-size:${tag_}px`}>
        <b class="name" style={`font-size:${name_}px`} title={written === name ? undefined : name}>
          {written}
        </b>
        <span class="tag">{tag}</span>
        {isTold && <span class="kind">{text.derived}</span>}
        {sign !== "" && (
          <button
            class="toggle"
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
      <div class="inside">
        {card.chips.length > 0 && <Chips card={card} box={box} least={least} />}
        <Numbers card={card} box={box} least={least} />
        {children}
      </div>
      <Badge id={card.id} size={Math.max(TAG, least)} />
    </>
  );
}

/** Data and gradient side by side; beside chips, one over the other. */
function Numbers({ card, box, least }: { card: Group } & Room) {
  const isPod = card.chips.length > 0 || card.members.length > 1;
  const width = isPod ? POD - 8 : box.w / 2 - 5;
  const size = Math.max(isPod ? OVER : NUMBER, least);
  const small = Math.max(CHIP, least);
  const data = dataOf(shown.value, card.id, width, size, least);
  const grad = gradOf(shown.value, card.id, width, size, least);
  return (
    <div class={isPod ? "pod" : "both"}>
      <Value of={data} kind="data" hasCap={!isPod} small={small} />
      <Value of={grad} kind="grad" hasCap={!isPod} small={small} />
    </div>
  );
}

function Value(props: { of: Figure; kind: "data" | "grad"; hasCap: boolean; small: number }) {
  const { of, kind, hasCap, small } = props;
  return (
    <div>
      {hasCap && (
        <span class="cap" style={`font-size:${small}px`}>
          {kind}
        </span>
      )}
      <span class={`val ${kind} ${of.tone}`} style={`font-size:${of.size}px`}>
        {of.text}
      </span>
    </div>
  );
}

function Chips({ card, box, least }: { card: Group } & Room) {
  return (
    <ul class="chips">
      {card.chips.map((chip) => (
        <Row key={chip.node} chip={chip} width={box.w - POD} least={least} />
      ))}
    </ul>
  );
}

/** Where the columns of a row are, in shares of it. */
const [NAMED, DATA, GRAD] = [0.28, 0.34, 0.38];

function Row({ chip: { node, edge }, width, least }: { chip: Chip; width: number; least: number }) {
  const { kind, label, data } = shown.value.document.nodes[node]!;
  const text = words.value.stage;
  const size = Math.max(CHIP, least);
  const columns = width - 12;
  if (kind === "constant") {
    return (
      <li
        class="chip-row fixed"
        style={`font-size:${size}px`}
        data-node={node}
        data-sorted={marks.value?.[node]?.at}
      >
        <b class="name">{fitted(short(data), size, columns / 2)}</b>
        <span class="tag">{marks.value?.[node]?.place ?? text.constant}</span>
      </li>
    );
  }
  const isNow = current.value?.edges?.includes(edge) ?? false;
  const figure = dataOf(shown.value, node, columns * DATA - 3, size, size);
  const grad = gradOf(shown.value, node, columns * GRAD - 3, size, size);
  return (
    <li
      class={`chip-row${kind === "parameter" ? " known" : ""}${isNow ? " lit" : ""}`}
      style={`font-size:${size}px`}
      data-node={node}
      title={label ?? ""}
      onClick={(event) => {
        event.stopPropagation();
        chosen.value = edge.id;
      }}
    >
      <b class="name">{fitted(label ?? "", size, columns * NAMED - 2)}</b>
      <span class={`val data ${figure.tone}`}>{figure.text}</span>
      <span class={`val grad ${grad.tone}`}>{grad.text}</span>
    </li>
  );
}

/** Name, data and gradient, each in the largest letters that fit; the numbers give way first. */
function Small({ card, box, least }: { card: Group } & Room) {
  const size = Math.max(least, Math.min(box.h * GROWN, box.w * 0.15));
  const lines = Math.floor((box.h - 6 - (accurate.value ? BITS : 0)) / (size * LINE));
  const width = box.w - 8;
  const { name } = band(shown.value, card);
  const data = dataOf(shown.value, card.id, width, size, least);
  const grad = gradOf(shown.value, card.id, width, size, least);
  const figures = lines >= 3 ? [data, grad] : lines < 2 ? [] : [grad.tone === "wait" ? data : grad];
  const small = Math.max(least, Math.min(CHIP, size));
  return (
    <div class="small-card">
      <b class="name" style={`font-size:${size}px`}>
        {fitted(name, size, width)}
      </b>
      {figures.map((figure) => (
        <span
          class={`val ${figure === data ? "data" : "grad"} ${figure.tone}`}
          style={`font-size:${figure.size}px`}
        >
          {figure.text}
        </span>
      ))}
      {lines > 3 && (
        <span class="note" style={`font-size:${small}px`}>
          {noteOf(shown.value, card, width, small)}
        </span>
      )}
    </div>
  );
}

function Name({ card, box, least }: { card: Group } & Room) {
  return (
    <b class="name" style={`font-size:${least}px`}>
      {fitted(band(shown.value, card).name, least, box.w - 4)}
    </b>
  );
}

/** How many of its contributions a gradient has, while some are on their way. */
function Badge({ id, size }: { id: number; size: number }) {
  const { arrived, expected } = reaches.value[id]!;
  if (arrived === 0 || arrived === expected || fault.value !== null) return null;
  return (
    <span class="part" style={`font-size:${size}px`}>
      {words.value.stage.partial(arrived, expected)}
    </span>
  );
}
