/** Values in a row: the order in which the backward pass visits them, and the lists of the sort. */

import { codeWords } from "../code_words.ts";
import { atEnd, current, seeded, way } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { cut, nameOf } from "../words/names.ts";

/** More than this are cut around what happens now. */
const MOST = 24;

type State = "done" | "now" | "waiting";

export function Order() {
  const text = codeWords.value;
  const { backward_order: order, root } = shown.value.document;
  const isBegun = way.value === "backward" && seeded.value;
  const at = order.indexOf(current.value?.edge?.to ?? root);
  const stateOf = (place: number): State => {
    if (!isBegun || place > at) return isBegun && atEnd.value ? "done" : "waiting";
    return place < at || atEnd.value ? "done" : "now";
  };
  return (
    <section>
      <List name="reversed(topo)" note={text.goesDown} nodes={order} at={at} stateOf={stateOf} />
    </section>
  );
}

interface ListProps {
  readonly name: string;
  readonly note: string;
  readonly nodes: readonly number[];
  /** The place around which a long list is cut. */
  readonly at: number;
  readonly stateOf: (place: number) => State;
}

/** A list with its name; each value says also in words where it stands. */
export function List({ name, note, nodes, at, stateOf }: ListProps) {
  const text = codeWords.value;
  const first = Math.max(0, Math.min(at - MOST / 2, nodes.length - MOST));
  const seen = nodes.slice(first, first + MOST);
  const after = nodes.length - first - seen.length;
  return (
    <>
      <h3>
        <span class="mono" id={name}>
          {name}
        </span>{" "}
        <span class="soft small">{note}</span>
      </h3>
      <ol class={`values mono ${name}`} aria-labelledby={name}>
        {first > 0 && <li class="more">{text.more(first)}</li>}
        {seen.map((node, place) => {
          const state = stateOf(first + place);
          const whole = nameOf(shown.value, node);
          return (
            <li key={node} class={state} title={whole} aria-label={`${whole}, ${text[state]}`}>
              {cut(whole, 12)}
            </li>
          );
        })}
        {after > 0 && <li class="more">{text.more(after)}</li>}
        {nodes.length === 0 && <li class="more">{text.empty}</li>}
      </ol>
    </>
  );
}
