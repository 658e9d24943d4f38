/** What became of an order of visits: what was lost and by whom, and whether the order is right. */

import type { Edge } from "../../../engine_ts/src/template.ts";
import { apart, stepsOf } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { shown } from "../state/program.ts";
import { Rich } from "../words/rich.tsx";
import { laterWords } from "../later_words.ts";
import { nameOf } from "../words/names.ts";
import { short } from "../words/numbers.ts";

/** A contribution that a variable should have got, and what it got of it. */
interface Due {
  readonly by: string;
  readonly right: number;
  readonly got: number;
}

export function Verdict({ outcome }: { outcome: Outcome }) {
  const text = laterWords.value.broken;
  const { gradients } = shown.value.document;
  const off = apart(outcome).filter(([, by]) => by !== 0);
  const lost = outcome.walk.lost;
  const isFine = off.length === 0;
  return (
    <div class={`verdict ${isFine ? "fine" : "off"}`} role="status" ref={intoSight}>
      <h3>{isFine ? text.nothingLost : titleOf(outcome, off[0]![0])}</h3>
      <p>
        {lost.map(({ edge, contribution }) => {
          const { from, to } = shown.value.document.edges[edge]!;
          const [operand, operation] = [nameOf(shown.value, from), nameOf(shown.value, to)];
          const told = text.visitedBefore(operand, operation, short(contribution));
          return <Rich key={edge} text={`${told} `} />;
        })}
        {(isFine ? apart(outcome) : off).map(([name]) => {
          const [has, right] = [outcome.walk.gradients[name]!, gradients[name]!];
          const told = isFine
            ? text.gets(name, short(right))
            : text.ends(name, short(has), short(right));
          return <Rich key={name} text={`${told} `} />;
        })}
      </p>
      <Topological outcome={outcome} isFine={isFine} />
      {off.map(([name]) => (
        <Bar key={name} name={name} right={gradients[name]!} dues={duesOf(outcome, name)} />
      ))}
    </div>
  );
}

/** Scroll the panel, and not the page: the graph stays where it is. */
function intoSight(verdict: HTMLElement | null): void {
  const body = verdict?.closest(".body");
  if (body) body.scrollTop = body.scrollHeight;
}

/** Name what the first variable that is short of something has lost, the largest first. */
function titleOf(outcome: Outcome, name: string): string {
  const text = laterWords.value.broken;
  const lost = duesOf(outcome, name)
    .map(({ by, right, got }) => [by, right - got] as const)
    .filter(([, amount]) => amount !== 0)
    .sort(([, one], [, other]) => Math.abs(other) - Math.abs(one));
  if (lost.length === 0) return text.wrongEnd;
  return text.losses(lost.map(([by, amount]) => text.lostFrom(short(amount), by)).join(", "));
}

function Topological({ outcome, isFine }: { outcome: Outcome; isFine: boolean }) {
  const text = laterWords.value.broken;
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

function duesOf(outcome: Outcome, name: string): Due[] {
  const { nodes, edges } = shown.value.document;
  const got = new Map(stepsOf(outcome).map((step) => [step.id, step.contribution ?? 0]));
  const isDue = ({ from }: Edge) => nodes[from]!.label === name && nodes[from]!.operation === null;
  return edges.filter(isDue).map((edge) => ({
    by: nameOf(shown.value, edge.to),
    right: edge.contribution ?? 0,
    got: got.get(edge.id) ?? 0,
  }));
}

const [WIDTH, HEIGHT] = [336, 28];

/** What a variable should get, a piece for each arrow; what was lost is hatched. */
function Bar({ name, right, dues }: { name: string; right: number; dues: readonly Due[] }) {
  const text = laterWords.value.broken;
  const all = dues.reduce((sum, each) => sum + Math.abs(each.right), 0) || 1;
  let x = 0;
  return (
    <figure class="due">
      <figcaption>{text.should(name, short(right))}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {dues.map(({ by, right: part, got }) => {
          const width = (Math.abs(part) / all) * WIDTH;
          const start = x;
          x += width;
          const kind = got === part ? "came" : "gone";
          return (
            <g class={kind} key={by}>
              <rect x={start + 1} y="1" width={Math.max(0, width - 2)} height={HEIGHT - 2} rx="4" />
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
