/** Do the backward pass wrong: an order put together by hand, or a known pitfall beside what is right. */

import { signal } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { prepare } from "../../../engine_ts/src/introspect.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { RadioGroup, TableHead } from "../controls.tsx";
import { deferredWords } from "../deferred_words.ts";
import {
  changedValues,
  chooseMistake,
  definedValues,
  exampleOf,
  experimentOptions,
  fixedOf,
  hasRun,
  mistake,
  MISTAKES,
  moveVisit,
  order,
  ORDER,
  pitfallOf,
  rightOrder,
  runOrder,
  setOrder,
  showSide,
  side,
} from "../state/break.ts";
import type { Side } from "../state/break.ts";
import { attempt } from "../state/helpers.ts";
import { arrived, atEnd, current, play, ticks } from "../state/play.ts";
import { expression, loadProgram, shown } from "../state/program.ts";
import { words } from "../words.ts";
import { faultMessage } from "../words/sentences.ts";
import { nameOf, Rich, short } from "../words/text.tsx";
import { gradientErrors, outcome, walked, walkSteps } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";

export function BreakIt() {
  const text = deferredWords.value.broken;
  return (
    <>
      <div class="mistakes wraps" role="group" aria-label={text.mistakes}>
        {MISTAKES.map((name) => (
          <button
            key={name}
            class="chip"
            aria-pressed={name === mistake.value}
            onClick={() => chooseMistake(name)}
          >
            {text.chips[name]}
          </button>
        ))}
      </div>
      {mistake.value === ORDER ? <Visits /> : <Pitfall key={mistake.value} />}
    </>
  );
}

function Pitfall() {
  const text = deferredWords.value.broken;
  const name = mistake.value;
  const { title, about, cure } = text.known[name] ?? pitfallOf(name);
  const example = exampleOf(name);
  const read = attempt(() => prepare(example.expression));
  const refused = read instanceof GradientError ? read : null;
  const isOther = ![example.expression, fixedOf(name)?.expression].includes(expression.value);
  const [change] = Object.entries(changedValues.value);
  return (
    <>
      <h2>{title}</h2>
      <p class="small">{about}</p>
      {experimentOptions.value?.mutate !== undefined && change !== undefined && (
        <p class="small">
          <Rich text={text.changes(change[0], short(change[1]))} />
        </p>
      )}
      {refused !== null && (
        <p class="verdict off">
          {text.refused}{" "}
          <Rich text={faultMessage(deferredWords.value.fault, refused, example.expression)} />
        </p>
      )}
      <GradientComparison />
      <div class="wraps">
        <button class="primary" onClick={play}>
          {side.value === "wrong" ? text.playWrong : words.value.play.backward}
        </button>
        {refused === null && <Sides />}
      </div>
      <StepComparison />
      <p class="small">
        <b>{text.cure}:</b> <Rich text={cure} />
      </p>
      {isOther && (
        <div class="wraps">
          <button onClick={() => showSide(refused === null ? "wrong" : "right", true)}>
            {text.take(example.expression)}
          </button>
        </div>
      )}
    </>
  );
}

function Sides() {
  const text = deferredWords.value.broken;
  return (
    <RadioGroup<Side>
      label={text.onStage}
      name="side"
      options={[
        ["wrong", `✕ ${text.wrong}`],
        ["right", `✓ ${text.right}`],
      ]}
      chosen={side.value}
      choose={showSide}
    />
  );
}

/** By variable: what the mistake gives, and what is right. */
function GradientComparison() {
  const text = deferredWords.value.broken;
  const rows = gradientRows();
  return (
    <table class="comparison">
      <TableHead of={[text.variable, text.wrong, text.right]} />
      <tbody>
        {rows.map(([name, wrong, right]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class={`mono ${wrong === right ? "" : "bad"}`}>
              {wrong === undefined ? "" : short(wrong)}
              {wrong === right ? "" : " ✕"}
            </td>
            <td class="mono good">{short(right)} ✓</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** From the walk where there is one; of a mistake in the program what the service publishes. */
function gradientRows(): (readonly [string, number | undefined, number])[] {
  const found = walked.value;
  if (found !== null) {
    const { gradients } = shown.value.document;
    return Object.entries(gradients).map(([name, right]) => [
      name,
      found.walk.gradients[name]!,
      right,
    ]);
  }
  const { wrong, right } = pitfallOf(mistake.value);
  const given = definedValues(wrong);
  return Object.entries(definedValues(right)).map(([name, number]) => [name, given[name], number]);
}

/** The steps of both, one beside the other, in step with the stage. */
function StepComparison() {
  const text = deferredWords.value.broken;
  const found = walked.value;
  if (found === null) return null;
  const { edges } = shown.value.document;
  const steps = walkSteps(found);
  const here = side.value === "wrong" ? steps.indexOf(current.value?.edge as never) : -1;
  const at = here >= 0 ? here : ticks.value.findIndex((tick) => tick === current.value);
  return (
    <table class="comparison">
      <TableHead of={[words.value.play.step, text.wrong, text.right]} />
      <tbody>
        {steps.map((step, place) => {
          const right = edges[step.id]!;
          const isOnce = steps.findIndex(({ id }) => id === step.id) === place;
          return (
            <tr key={place} class={place === at ? "now" : ""}>
              <th scope="row">
                {nameOf(shown.value, step.to)} → {nameOf(shown.value, step.from)}
              </th>
              <td class={`mono ${step.defect === null ? "" : "bad"}`}>
                {short(step.contribution ?? 0)}
                {step.defect !== null && ` ${step.defect.word}`}
              </td>
              <td class="mono">{isOnce ? short(right.contribution ?? 0) : ""}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** More visits than this nobody puts in order. */
const MOST_VISITS = 40;

/** The place of the visit that is dragged. */
const dragged = signal<number | null>(null);

function Visits() {
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
          <div class="wraps">
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
        <div class="wraps">
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
        aria-label={`${text.earlier}: ${name}`}
        onClick={() => moveVisit(at, at - 1)}
      >
        {text.earlier}
      </button>
      <button
        disabled={at === order.value.length - 1}
        aria-label={`${text.later}: ${name}`}
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
  return text.losses(lost.map(([by, amount]) => text.from(short(amount), by)).join(", "));
}

function OrderVerdict({ outcome, isFine }: { outcome: Outcome; isFine: boolean }) {
  const text = deferredWords.value.broken;
  const { broken_edge: broken, reverse_topological: isRight } = outcome.experiment;
  const edge = broken === null ? null : shown.value.document.edges[broken]!;
  return (
    <p>
      <b>{isRight ? "✓" : "✕"}</b> {text.reverse}
      {edge !== null && (
        <Rich
          text={`: ${text.standsBefore(nameOf(shown.value, edge.from), nameOf(shown.value, edge.to))}`}
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
  return (
    <figure class="expected">
      <figcaption>{text.should(name, short(right))}</figcaption>
      <p aria-hidden="true">
        {dues.map(({ by, right: part, got }) => (
          <i
            key={by}
            class={got === part ? "arrived" : "missing"}
            style={`flex:${Math.abs(part)}`}
          />
        ))}
      </p>
      <ul class="legend">
        {dues.map(({ by, right: part, got }) => (
          <li key={by} class={got === part ? "" : "bad"}>
            {text.from(short(got === part ? part : part - got), by)} {got === part ? "✓" : "✕"}
          </li>
        ))}
      </ul>
    </figure>
  );
}
