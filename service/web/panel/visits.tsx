/** The visits of a backward pass, to be put in order and run, and what was lost by that order. */

import { signal } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { deferredWords } from "../deferred_words.ts";
import {
  exampleOf,
  hasRun,
  moveVisit,
  ORDER,
  order,
  rightOrder,
  runOrder,
  setOrder,
} from "../state/break.ts";
import { arrived, atEnd, ticks } from "../state/play.ts";
import { expression, loadProgram, shown } from "../state/program.ts";
import { faultMessage } from "../words/sentences.ts";
import { nameOf, Rich, short } from "../words/text.tsx";
import { gradientErrors, outcome, walked, walkSteps } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";

/** More visits than this nobody puts in order. */
const MOST_VISITS = 40;

/** The place of the visit that is dragged. */
const dragged = signal<number | null>(null);

export function Visits() {
  const text = deferredWords.value.broken;
  const example = exampleOf(ORDER);
  const found = outcome.value;
  return (
    <>
      <h2>{text.title}</h2>
      {order.value.length > MOST_VISITS ? (
        <p>{text.tooMany(order.value.length, MOST_VISITS)}</p>
      ) : (
        <>
          {!hasRun.value && <p class="muted small">{text.how}</p>}
          <ol class="visits">
            {order.value.map((node, at) => (
              <Visit key={node} node={node} at={at} />
            ))}
          </ol>
          <div class="actions">
            <button class="primary" onClick={runOrder} disabled={ticks.value.length === 0}>
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
          <Rich text={faultMessage(deferredWords.value.fault, found, expression.value)} />
        </p>
      )}
      {hasRun.value && atEnd.value && walked.value !== null && <Verdict outcome={walked.value} />}
      {expression.value !== example.expression && !hasRun.value && (
        <div class="actions">
          <button onClick={() => loadProgram(example)}>{text.take(example.expression)}</button>
        </div>
      )}
    </>
  );
}

function Visit({ node, at }: { node: number; at: number }) {
  const text = deferredWords.value.broken;
  const name = nameOf(shown.value, node);
  const isEarly = hasRun.value && sentBy(node).length > 0 && isVisitedEarly(node);
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
        if (dragged.value !== null) moveVisit(dragged.value, at);
      }}
    >
      <span class="place">{at + 1}</span>
      <b class="mono">{name}</b>
      <span class="effect">
        {hasRun.value && <Rich text={visitEffect(node)} />}
        {isEarly && <strong class="bad"> {text.tooEarly}</strong>}
      </span>
      <button
        disabled={at === 0}
        aria-label={text.earlierOf(name)}
        onClick={() => moveVisit(at, at - 1)}
      >
        {text.earlier}
      </button>
      <button
        disabled={at === order.value.length - 1}
        aria-label={text.laterOf(name)}
        onClick={() => moveVisit(at, at + 1)}
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
  const text = deferredWords.value.broken;
  return walkSteps(found)
    .slice(0, arrived.value)
    .filter(({ to }) => to === node)
    .map((step) => text.sentTo(short(step.contribution ?? 0), nameOf(shown.value, step.from)));
}

function visitEffect(node: number): string {
  const text = deferredWords.value.broken;
  const sent = sentBy(node);
  if (sent.length > 0) return text.sent(sent.join(", "));
  return ticks.value.some(({ edge }) => edge?.to === node) ? "" : text.sendsNothing;
}

/** Whether something reached it only after its visit. */
function isVisitedEarly(node: number): boolean {
  const { edges } = shown.value.document;
  const lost = walked.value?.walk.lost ?? [];
  return lost.some(({ edge }) => edges[edge]!.from === node);
}

/** A contribution that a variable should have got, and what it got of it. */
interface ExpectedPart {
  readonly by: string;
  readonly right: number;
  readonly got: number;
}

function Verdict({ outcome }: { outcome: Outcome }) {
  const text = deferredWords.value.broken;
  const { gradients } = shown.value.document;
  const off = gradientErrors(outcome).filter(([, by]) => by !== 0);
  const lost = outcome.walk.lost;
  const isFine = off.length === 0;
  return (
    <div class={`verdict ${isFine ? "fine" : "off"}`} role="status" ref={scrollIntoPanel}>
      <h3>{isFine ? text.nothingLost : titleOf(outcome, off[0]![0])}</h3>
      <p>
        {lost.map(({ edge, contribution }) => {
          const { from, to } = shown.value.document.edges[edge]!;
          const [operand, operation] = [nameOf(shown.value, from), nameOf(shown.value, to)];
          const told = text.visitedBefore(operand, operation, short(contribution));
          return <Rich key={edge} text={`${told} `} />;
        })}
        {(isFine ? gradientErrors(outcome) : off).map(([name]) => {
          const [has, right] = [outcome.walk.gradients[name]!, gradients[name]!];
          const told = isFine
            ? text.gets(name, short(right))
            : text.ends(name, short(has), short(right));
          return <Rich key={name} text={`${told} `} />;
        })}
      </p>
      <OrderVerdict outcome={outcome} isFine={isFine} />
      {off.map(([name]) => (
        <ContributionBar
          key={name}
          name={name}
          right={gradients[name]!}
          dues={expectedParts(outcome, name)}
        />
      ))}
    </div>
  );
}

/** Scroll the panel, and not the page: the graph stays where it is. */
function scrollIntoPanel(verdict: HTMLElement | null): void {
  const body = verdict?.closest(".body");
  if (body) body.scrollTop = body.scrollHeight;
}

/** Name what the first variable that is short of something has lost, the largest first. */
function titleOf(outcome: Outcome, name: string): string {
  const text = deferredWords.value.broken;
  const lost = expectedParts(outcome, name)
    .map(({ by, right, got }) => [by, right - got] as const)
    .filter(([, amount]) => amount !== 0)
    .sort(([, one], [, other]) => Math.abs(other) - Math.abs(one));
  if (lost.length === 0) return text.wrongEnd;
  return text.losses(lost.map(([by, amount]) => text.lostFrom(short(amount), by)).join(", "));
}

function OrderVerdict({ outcome, isFine }: { outcome: Outcome; isFine: boolean }) {
  const text = deferredWords.value.broken;
  const { broken_edge: broken, reverse_topological: isRight } = outcome.experiment;
  const edge = broken === null ? null : shown.value.document.edges[broken]!;
  return (
    <p>
      {text.reverse} <b>{isRight ? text.yes : text.no}</b>{" "}
      {edge !== null && (
        <Rich
          text={text.standsBefore(nameOf(shown.value, edge.from), nameOf(shown.value, edge.to))}
        />
      )}
      {edge !== null && isFine && ` ${text.harmless}`}
    </p>
  );
}

function expectedParts(outcome: Outcome, name: string): ExpectedPart[] {
  const { nodes, edges } = shown.value.document;
  const got = new Map(walkSteps(outcome).map((step) => [step.id, step.contribution ?? 0]));
  const isDue = ({ from }: Edge) => nodes[from]!.label === name && nodes[from]!.operation === null;
  return edges.filter(isDue).map((edge) => ({
    by: nameOf(shown.value, edge.to),
    right: edge.contribution ?? 0,
    got: got.get(edge.id) ?? 0,
  }));
}

const [BAR_WIDTH, BAR_HEIGHT] = [336, 28];

/** What a variable should get, a piece for each arrow; what was lost is hatched. */
function ContributionBar({
  name,
  right,
  dues,
}: {
  name: string;
  right: number;
  dues: readonly ExpectedPart[];
}) {
  const text = deferredWords.value.broken;
  const all = dues.reduce((sum, each) => sum + Math.abs(each.right), 0) || 1;
  let x = 0;
  return (
    <figure class="expected">
      <figcaption>{text.should(name, short(right))}</figcaption>
      <svg viewBox={`0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`} aria-hidden="true">
        {dues.map(({ by, right: part, got }) => {
          const width = (Math.abs(part) / all) * BAR_WIDTH;
          const start = x;
          x += width;
          const kind = got === part ? "arrived" : "missing";
          return (
            <g class={kind} key={by}>
              <rect
                x={start + 1}
                y="1"
                width={Math.max(0, width - 2)}
                height={BAR_HEIGHT - 2}
                rx="4"
              />
            </g>
          );
        })}
      </svg>
      <ul>
        {dues.map(({ by, right: part, got }) => (
          <li key={by} class={got === part ? "" : "bad"}>
            {got === part ? text.arrivedBy(short(part), by) : text.missingBy(short(part - got), by)}
          </li>
        ))}
      </ul>
    </figure>
  );
}
