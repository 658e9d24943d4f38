/** The visits of a backward pass, to be put in order and run. */

import { signal } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { exampleOf, move, ORDER, order, ran, rightOrder, run, setOrder } from "../state/break.ts";
import { outcome, stepsOf, walked } from "./outcome.ts";
import { arrived, atEnd, ticks } from "../state/play.ts";
import { expression, shown, take } from "../state/program.ts";
import { Rich } from "../words/rich.tsx";
import { messageOf } from "../words/fault.ts";
import { laterWords } from "../later_words.ts";
import { nameOf } from "../words/names.ts";
import { short } from "../words/numbers.ts";
import { Verdict } from "./verdict.tsx";

/** More visits than this nobody puts in order. */
const MOST = 40;

/** The place of the visit that is dragged. */
const dragged = signal<number | null>(null);

export function Visits() {
  const text = laterWords.value.broken;
  const example = exampleOf(ORDER);
  const found = outcome.value;
  return (
    <>
      <h2>{text.title}</h2>
      {order.value.length > MOST ? (
        <p>{text.tooMany(order.value.length, MOST)}</p>
      ) : (
        <>
          {!ran.value && <p class="soft small">{text.how}</p>}
          <ol class="visits">
            {order.value.map((node, at) => (
              <Visit key={node} node={node} at={at} />
            ))}
          </ol>
          <div class="acts">
            <button class="go" onClick={run} disabled={ticks.value.length === 0}>
              {text.run}
            </button>
            <button class="plain" onClick={() => setOrder(rightOrder())}>
              {text.showRight}
            </button>
          </div>
        </>
      )}
      {found instanceof GradientError && (
        <p class="verdict off">
          <Rich text={messageOf(laterWords.value.fault, found, expression.value)} />
        </p>
      )}
      {ran.value && atEnd.value && walked.value !== null && <Verdict outcome={walked.value} />}
      {expression.value !== example.expression && !ran.value && (
        <div class="acts">
          <button onClick={() => take(example)}>{text.take(example.expression)}</button>
        </div>
      )}
    </>
  );
}

function Visit({ node, at }: { node: number; at: number }) {
  const text = laterWords.value.broken;
  const name = nameOf(shown.value, node);
  const isEarly = ran.value && sentBy(node).length > 0 && isLate(node);
  return (
    <li
      class={`${isEarly ? "off" : ""}${dragged.value === at ? " dragged" : ""}`}
      draggable
      aria-label={text.visit(at + 1, name)}
      onDragStart={(event) => {
        event.dataTransfer?.setData("text/plain", name); // without data Firefox drags nothing
        dragged.value = at;
      }}
      onDragEnd={() => (dragged.value = null)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (dragged.value !== null) move(dragged.value, at);
      }}
    >
      <span class="place">{at + 1}</span>
      <b class="mono">{name}</b>
      <span class="does">
        {ran.value && <Rich text={doing(node)} />}
        {isEarly && <strong class="bad"> {text.tooEarly}</strong>}
      </span>
      <button
        disabled={at === 0}
        aria-label={text.earlierOf(name)}
        onClick={() => move(at, at - 1)}
      >
        {text.earlier}
      </button>
      <button
        disabled={at === order.value.length - 1}
        aria-label={text.laterOf(name)}
        onClick={() => move(at, at + 1)}
      >
        {text.later}
      </button>
    </li>
  );
}

/** What a visit has sent so far, and to whom. */
function sentBy(node: number): string[] {
  const found = walked.value;
  if (found === null) return [];
  const text = laterWords.value.broken;
  return stepsOf(found)
    .slice(0, arrived.value)
    .filter(({ to }) => to === node)
    .map((step) => text.sentTo(short(step.contribution ?? 0), nameOf(shown.value, step.from)));
}

function doing(node: number): string {
  const text = laterWords.value.broken;
  const sent = sentBy(node);
  if (sent.length > 0) return text.sent(sent.join(", "));
  return ticks.value.some(({ edge }) => edge?.to === node) ? "" : text.sendsNothing;
}

/** Whether something reached it only after its visit. */
function isLate(node: number): boolean {
  const { edges } = shown.value.document;
  const lost = walked.value?.walk.lost ?? [];
  return lost.some(({ edge }) => edges[edge]!.from === node);
}
