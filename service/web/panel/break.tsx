/** Break the backward pass: by the user's order of visits, or by a known pitfall. */

import { computed, effect, signal } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { prepareText } from "../../../engine_ts/src/introspect.ts";
import { digitsOf } from "../../../engine_ts/src/screen/digits.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { focusPanel, interactionWords } from "../shared.tsx";
import { Chip, RadioGroup, Table } from "../controls.tsx";
import { attempt } from "../state/helpers.ts";
import {
  changedValues,
  chooseMistake,
  exampleOf,
  experimentOptions,
  fixedOf,
  gradientErrors,
  hasRun,
  mistake,
  MISTAKES,
  moveVisit,
  order,
  ORDER,
  outcome,
  pitfallOf,
  rightOrder,
  runOrder,
  setOrder,
  showSide,
  side,
  walked,
} from "../state/mistakes.ts";
import type { Side, Walked } from "../state/mistakes.ts";
import {
  arrived,
  atEnd,
  cardNotes,
  carriesGradient,
  play,
  stagedWalk,
  step,
  ticks,
} from "../state/play.ts";
import type { CardNote, Defect, WalkEdge } from "../state/play.ts";
import { expression, loadProgram, shown } from "../state/program.ts";
import type { Values } from "../state/program.ts";
import { tab } from "../state/view.ts";
import { inChosenLanguage, words } from "../words.ts";
import { faultMessage } from "../words/sentences.ts";
import { nameOf, Rich, write } from "../words/text.tsx";

export { visitNext } from "../state/mistakes.ts";

const text = inChosenLanguage(() => interactionWords.value.broken);

export function BreakIt() {
  return (
    <>
      <div class="mistakes wraps" role="group" aria-label={text.mistakes}>
        {MISTAKES.map((name) => (
          <Chip key={name} isOn={name === mistake.value} press={() => chooseMistake(name)}>
            {text.chips[name]}
          </Chip>
        ))}
      </div>
      {mistake.value === ORDER ? <Visits /> : <Pitfall key={mistake.value} />}
    </>
  );
}

/** Load an example; its button is then gone, so the focus goes on from the panel. */
function Take({ expression, load }: { expression: string; load: () => void }) {
  const press = () => {
    load();
    focusPanel();
  };
  return (
    <div class="wraps">
      <button onClick={press}>{text.take(expression)}</button>
    </div>
  );
}

function Pitfall() {
  const name = mistake.value;
  const known = text.known[name]?.split(" | ");
  const published = pitfallOf(name);
  const [title, about, cure] = known ?? [published.title, published.about, published.cure];
  const example = exampleOf(name);
  const read = attempt(() => prepareText(example.expression));
  const refused = read instanceof GradientError ? read : null;
  const isOther = ![example.expression, fixedOf(name)?.expression].includes(expression.value);
  const [change] = Object.entries(changedValues.value);
  const sides = sidesOf(name);
  return (
    <>
      <h2>{title}</h2>
      <p class="small">{about}</p>
      {experimentOptions.value?.mutate !== undefined && change !== undefined && (
        <p class="small">
          <Rich text={text.changes(change[0], write(change[1]))} />
        </p>
      )}
      {refused !== null && (
        <p class="verdict off">
          {text.refused}{" "}
          <Rich text={faultMessage(interactionWords.value.fault, refused, example.expression)} />
        </p>
      )}
      <GradientComparison />
      <div class="wraps">
        <button class="primary" onClick={play}>
          {side.value === "wrong" && sides === null ? text.playWrong : words.value.play.backward}
        </button>
        {refused === null && (
          <RadioGroup<Side>
            label={text.onStage}
            name="side"
            options={[
              ["wrong", sides?.[0] ?? `✕ ${text.wrong}`],
              ["right", sides?.[1] ?? `✓ ${text.right}`],
            ]}
            chosen={side.value}
            choose={showSide}
          />
        )}
      </div>
      {walked.value !== null && <StepComparison />}
      <p class="small">
        <b>{text.cure}:</b> <Rich text={cure!} />
      </p>
      {isOther && (
        <Take {...example} load={() => showSide(refused === null ? "wrong" : "right", true)} />
      )}
    </>
  );
}

/** Name the two sides by the value that cures, if the gradients of both are correct; else null. */
function sidesOf(name: typeof mistake.value): readonly string[] | null {
  if (name !== "dead-relu") return null;
  return [exampleOf(name), fixedOf(name)!].map(({ values }) => `b = ${write(values["b"]!)}`);
}

/** Wrong and correct gradients by variable; for a mistake in the program, the published ones. */
function GradientComparison() {
  const published = pitfallOf(mistake.value);
  const found = walked.value;
  // Both are correct for their programs: the cure changes the program.
  const sides = sidesOf(mistake.value);
  const wrong = (found?.walk.gradients ?? published.wrong) as Values;
  const right = (found ? shown.value.document.gradients : published.right) as Values;
  return (
    <Table class="comparison" heads={[text.variable, ...(sides ?? [text.wrong, text.right])]}>
      {Object.entries(right).map(([name, number]) => {
        const isOff = sides === null && wrong[name] !== number;
        return (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class={`mono ${isOff ? "bad" : ""}`}>
              {name in wrong && write(wrong[name]!)}
              {isOff && " ✕"}
            </td>
            <td class={`mono ${sides === null ? "good" : ""}`}>
              {write(number)}
              {sides === null && " ✓"}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

/** The steps of both passes side by side, in step with the stage. */
function StepComparison() {
  const { edges } = shown.value.document;
  const steps = walkSteps.value;
  return (
    <Table class="comparison" heads={[words.value.play.step, text.wrong, text.right]}>
      {steps.map(({ id, from, to, contribution, defect }, place) => {
        const isOnce = steps.findIndex((step) => step.id === id) === place;
        return (
          <tr key={place} class={place === step.value - 1 ? "now" : ""}>
            <th scope="row">
              {nameOf(shown.value, to)} → {nameOf(shown.value, from)}
            </th>
            <td class={`mono ${defect === null ? "" : "bad"}`}>
              {write(contribution ?? 0)}
              {defect?.word}
            </td>
            <td class="mono">{isOnce && write(edges[id]!.contribution ?? 0)}</td>
          </tr>
        );
      })}
    </Table>
  );
}

/** More visits would be too tedious to put in order. */
const MAX_VISITS = 40;

const dragged = signal<number | null>(null);

function Visits() {
  const example = exampleOf(ORDER);
  const found = outcome.value;
  return (
    <>
      <h2>{text.title}</h2>
      {order.value.length > MAX_VISITS ? (
        <p>{text.tooMany(order.value.length, MAX_VISITS)}</p>
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
          <Rich text={faultMessage(interactionWords.value.fault, found, expression.value)} />
        </p>
      )}
      {hasRun.value && atEnd.value && walked.value !== null && <Verdict {...walked.value} />}
      {expression.value !== example.expression && !hasRun.value && (
        <Take {...example} load={() => loadProgram(example)} />
      )}
    </>
  );
}

function Visit({ node, at }: { node: number; at: number }) {
  const { edges } = shown.value.document;
  const name = nameOf(shown.value, node);
  // Its contributions so far, and their receivers.
  const sent = walkSteps.value
    .slice(0, arrived.value)
    .filter(({ to }) => to === node)
    .map((step) => text.sentTo(write(step.contribution ?? 0), nameOf(shown.value, step.from)));
  const sends = ticks.value.some(({ edge }) => edge?.to === node);
  const effect = sent.length > 0 ? text.sent(sent.join(", ")) : sends ? "" : text.sendsNothing;
  // Whether a contribution reached it after its visit.
  const isEarly =
    sent.length > 0 && walked.value!.walk.lost.some(({ edge }) => edges[edge]!.from === node);
  return (
    <li
      class={`${isEarly ? "off" : ""}${dragged.value === at ? " dragged" : ""}`}
      draggable
      onDragStart={(event) => {
        event.dataTransfer?.setData("text/plain", name); // without data Firefox does not drag
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
        {hasRun.value && <Rich text={effect} />}
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

function Verdict({ experiment, walk }: Walked) {
  const { edges, gradients } = shown.value.document;
  const off = gradientErrors.value.filter(([, by]) => by !== 0);
  const isFine = off.length === 0;
  const broken = edges[experiment.broken_edge ?? -1];
  return (
    <div class={`verdict ${isFine ? "fine" : "off"}`} role="status" ref={scrollIntoPanel}>
      <h3>{isFine ? text.nothingLost : titleOf(off[0]![0])}</h3>
      <p>
        {walk.lost.map(({ edge, contribution }) => {
          const [operand, operation] = endsOf(edges[edge]!);
          const sentence = text.visitedBefore(operand, operation, write(contribution));
          return <Rich key={edge} text={`${sentence} `} />;
        })}
        {(isFine ? gradientErrors.value : off).map(([name]) => {
          const [has, right] = [write(walk.gradients[name]!), write(gradients[name]!)];
          const sentence = isFine ? text.gets(name, right) : text.ends(name, has, right);
          return <Rich key={name} text={`${sentence} `} />;
        })}
      </p>
      <p>
        <b>{experiment.reverse_topological ? "✓" : "✕"}</b> {text.reverse}
        {broken && <Rich text={`: ${text.standsBefore(...endsOf(broken))}`} />}
        {broken && isFine && ` ${text.harmless}`}
      </p>
      {off.map(([name]) => (
        <ContributionBar key={name} name={name} />
      ))}
    </div>
  );
}

/** Scroll the panel instead of the page, so that the graph stays where it is. */
function scrollIntoPanel(verdict: HTMLElement | null): void {
  const body = verdict?.closest(".body");
  if (body) body.scrollTop = body.scrollHeight;
}

/** Return the names of an edge's operand and operation. */
function endsOf({ from, to }: Edge): [operand: string, operation: string] {
  return [nameOf(shown.value, from), nameOf(shown.value, to)];
}

/** Return a title that lists a variable's lost contributions, the largest first. */
function titleOf(name: string): string {
  const lost = expectedParts(name)
    .filter(({ missing }) => missing !== 0)
    .sort((one, other) => Math.abs(other.missing) - Math.abs(one.missing))
    .map(({ by, missing }) => text.from(write(missing), by));
  return lost.length === 0 ? text.wrongEnd : text.losses(lost.join(", "));
}

/** Return a variable's expected contributions, and the missing part of each. */
function expectedParts(name: string) {
  const { nodes, edges } = shown.value.document;
  const got = new Map(walkSteps.value.map((step) => [step.id, step.contribution ?? 0]));
  const isExpected = ({ from }: Edge) =>
    nodes[from]!.label === name && nodes[from]!.operation === null;
  return edges.filter(isExpected).map(({ id, to, contribution }) => {
    const right = contribution ?? 0;
    return { by: nameOf(shown.value, to), right, missing: right - (got.get(id) ?? 0) };
  });
}

/** A bar of a variable's expected contributions, one piece per arrow; lost pieces are hatched. */
function ContributionBar({ name }: { name: string }) {
  const parts = expectedParts(name);
  return (
    <figure class="expected">
      <figcaption>{text.should(name, write(shown.value.document.gradients[name]!))}</figcaption>
      <p aria-hidden="true">
        {parts.map(({ by, right, missing }) => (
          <i
            key={by}
            class={missing === 0 ? "arrived" : "missing"}
            style={`flex:${Math.abs(right)}`}
          />
        ))}
      </p>
      <ul class="legend">
        {parts.map(({ by, right, missing }) => (
          <li key={by} class={missing === 0 ? "" : "bad"}>
            {text.from(write(missing === 0 ? right : missing), by)} {missing === 0 ? "✓" : "✕"}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** The visible steps of the walk: all except those into constants. */
const walkSteps = computed(() => (walked.value === null ? [] : stepsOf(walked.value)));

/** Formats numbers as the stage will: its layout needs the words of cards and arrows first. */
const writeBeforeLayout = computed(() => {
  const { document } = shown.value;
  const steps = walked.value?.walk.ledger ?? [];
  const met = steps.map(({ edge, ...numbers }) => ({ ...document.edges[edge]!, ...numbers }));
  return digitsOf(document, met).write;
});

function stepsOf({ experiment, walk: { ledger, lost } }: Walked): readonly WalkEdge[] {
  const { nodes, edges } = experiment.document;
  const written = writeBeforeLayout.value;
  const seen = [...ledger.keys()].filter((at) => carriesGradient(edges[ledger[at]!.edge]!, nodes));
  const ticks = new Map(seen.map((at, place) => [at, place + 1]));

  function defectOf(at: number): Defect | null {
    const { edge, pass, contribution } = ledger[at]!;
    const { from, contribution: right } = edges[edge]!;
    const since = ticks.get(at)!;
    const reason = lost.find(({ step }) => step === at)?.reason;
    if (reason === "overwritten") {
      const by = ledger.findIndex((row, place) => place > at && edges[row.edge]!.from === from);
      return { kind: "lost", word: `, ${text.overwritten}`, since: ticks.get(by) ?? since };
    }
    if (reason !== undefined) return { kind: "late", word: `, ${text.late}`, since };
    if (pass > 1) return { kind: "lost", word: `, ${text.again}`, since };
    const missing = (right ?? 0) - contribution;
    if (missing === 0) return null;
    const isOrder = mistake.value === ORDER;
    const word = isOrder ? `, ${text.lost(written(missing))}` : ` ≠ ${written(right ?? 0)}`;
    return { kind: "lost", word, since };
  }

  return seen.map((at) => {
    const { edge, pass, ...numbers } = ledger[at]!;
    return { ...edges[edge]!, ...numbers, defect: defectOf(at) };
  });
}

/** Return the notes on the cards, by node. */
function cardNotesOf(found: Walked | null): readonly CardNote[] {
  const { nodes, edges } = shown.value.document;
  const off = new Map(found === null ? [] : gradientErrors.value);
  const written = writeBeforeLayout.value;
  const late = new Set(
    found?.walk.lost.filter(({ reason }) => reason === "late").map(({ edge }) => edges[edge]!.from),
  );
  return nodes.map(({ id, label, operation }) => {
    const place = order.value.indexOf(id);
    const by = operation === null && label !== null ? (off.get(label) ?? 0) : 0;
    const wrong = by < 0 ? text.short(written(-by)) : text.over(written(by));
    return {
      visit: mistake.value === ORDER && place >= 0 ? place + 1 : null,
      word: by !== 0 ? wrong : late.has(id) ? text.late : "",
    };
  });
}

/** Describe a special step; return null for the usual sentence. */
function describeStep(steps: readonly WalkEdge[], tick: number): string | null {
  const step = steps[tick];
  if (step === undefined) return null;
  const before = steps.slice(0, tick).findLast(({ from }) => from === step.from);
  const to = nameOf(shown.value, step.from);
  const factors = [step.incoming_grad, step.local_grad, step.contribution];
  const [incoming, local, contribution] = factors.map((number) => write(number ?? 0));
  const from = nameOf(shown.value, step.to);
  const sends = interactionWords.value.rules.sends({ from, to, incoming, local, contribution });
  if (experimentOptions.value?.accumulate === "replace" && before !== undefined)
    return text.tellReplaced(sends, write(before.running_grad ?? 0));
  if (step.defect?.kind === "late") return text.tellLate(sends, to);
  if (step.defect !== null && mistake.value === ORDER)
    return text.tellLost(sends, write(shown.value.document.edges[step.id]!.contribution ?? 0));
  const sum = write(step.running_grad ?? 0);
  if (step.defect?.word === `, ${text.again}`) return text.tellAgain(sends, to, sum);
  if (before === undefined) return null;
  return `${sends}. ${interactionWords.value.rules.together(to, sum)}`;
}

// While the tab is open, the stage shows the mistake.
effect(() => {
  const isOpen = tab.value === "break";
  const done = isOpen && side.value === "wrong" ? walked.value : null;
  cardNotes.value = isOpen && (mistake.value === ORDER || done !== null) ? cardNotesOf(done) : null;
  const edges = walkSteps.value;
  stagedWalk.value = done && {
    document: done.experiment.document,
    edges,
    label: mistake.value === ORDER ? text.run : text.playWrong,
    describe: (tick) => describeStep(edges, tick),
  };
});
