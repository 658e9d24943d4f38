/** The sort beside its code: who is called and waits, who was visited, and the list that it makes. */

import { codeWords } from "../code_words.ts";
import { current, goTo } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { sorting } from "../state/sort.ts";
import { beats, rightFirst } from "../state/sorted.ts";
import { cut, nameOf } from "../words/names.ts";
import { List } from "./order.tsx";

/** Calls that are shown, the last ones first. */
const MOST = 8;

export function Sort() {
  const text = codeWords.value;
  const { visited, topo } = sorting.value;
  const now = current.value?.does === "reverse" ? -1 : (current.value?.node ?? -1);
  const list = (name: string, note: string, nodes: readonly number[], isFirstLast = false) => (
    <List
      name={name}
      note={note}
      nodes={nodes}
      at={isFirstLast ? 0 : nodes.length}
      stateOf={(place) => (nodes[place] === now ? "now" : "done")}
    />
  );
  return (
    <section>
      <Stack />
      {list("visited", text.visited, visited)}
      {list("topo", text.topo, topo)}
      {list("reversed(topo)", text.reversed, topo.toReversed(), true)}
    </section>
  );
}

/** Who is called first: each order of the operands gives one that is right. */
function Choice() {
  const text = codeWords.value;
  const choice = (isRight: boolean, label: string) => (
    <label>
      <input
        type="radio"
        name="operands"
        checked={rightFirst.value === isRight}
        onChange={() => {
          goTo(0);
          rightFirst.value = isRight;
        }}
      />
      {label}
    </label>
  );
  return (
    <div class="pair" role="radiogroup" aria-label={text.operands}>
      {choice(false, text.leftFirst)}
      {choice(true, text.rightFirst)}
    </div>
  );
}

function Stack() {
  const text = codeWords.value;
  const { stack } = sorting.value;
  const beat = current.value;
  const calls = stack
    .map(({ node, child, children }) => ({ node, note: noteOf(child, children) }))
    .reverse();
  // What has been visited is called, too, and returns before anything can be seen of it.
  if (beat?.does === "skip") calls.unshift({ node: beat.node, note: text.returns });
  return (
    <>
      <div class="acts calls">
        <h3>{text.stack}</h3>
        <Choice />
      </div>
      <ol class="stack">
        {calls.slice(0, MOST).map(({ node, note }, place) => (
          <li key={calls.length - place} class={place === 0 ? "now" : ""}>
            <span class="mono" title={nameOf(shown.value, node)}>
              build({cut(nameOf(shown.value, node), 14)})
            </span>{" "}
            <span>{note}</span>
          </li>
        ))}
        {calls.length > MOST && <li class="more">{text.more(calls.length - MOST)}</li>}
        {calls.length === 0 && (
          <li class="more">
            {beats.value.length > 0 && beat !== null ? text.stackEmpty : text.notBegun}
          </li>
        )}
      </ol>
    </>
  );
}

function noteOf(child: number, children: number): string {
  const text = codeWords.value;
  if (children === 0) return text.noChild;
  return child === 0 ? text.begins : text.child(child, children);
}
