/** Nodes and edges as tables, with all digits, in step with the picture. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Edge, Node } from "../../../engine_ts/src/template.ts";
import { interactionWords } from "../shared.tsx";
import { Table } from "../controls.tsx";
import {
  arrived,
  current,
  currentEdges,
  isDataKnown,
  partialGrads,
  progress,
  revealed,
  step,
  tickOfEdge,
  ticks,
} from "../state/play.ts";
import { shown } from "../state/program.ts";
import { pass } from "../state/view.ts";
import { inChosenLanguage, shownWords, words } from "../words.ts";
import { exact, nameOf, WAITING } from "../words/text.tsx";

const text = inChosenLanguage(() => interactionWords.value.tables);

export function Tables() {
  const { nodes } = shown.value.document;
  const place = tickOfEdge.value;
  const inOrder = [...currentEdges.value].sort(
    (one, other) => (place.get(one.id) ?? Infinity) - (place.get(other.id) ?? Infinity),
  );
  return (
    <>
      <PagedTable
        caption={`${shown.value.expression}: ${words.value.of(step.value, ticks.value.length)}`}
        heads={[text.arrow, text.incoming, text.local, text.contribution, text.state]}
        count={inOrder.length}
        now={inOrder.findIndex((edge) => edge === current.value?.edge)}
        row={(at) => <EdgeRow key={inOrder[at]!.id} edge={inOrder[at]!} />}
      />
      <PagedTable
        heads={[text.node, text.kind, "data", "grad"]}
        count={nodes.length}
        now={current.value?.node ?? -1}
        row={(at) => <NodeRow key={at} node={nodes[at]!} />}
      />
    </>
  );
}

function EdgeRow({ edge }: { edge: Edge }) {
  const at = tickOfEdge.value.get(edge.id);
  const isNow = current.value?.edge === edge;
  const knows = revealed.value || (pass.value !== "sort" && at !== undefined && at <= step.value);
  return (
    <tr class={isNow ? "now" : ""} aria-current={isNow ? "step" : undefined}>
      <th scope="row">
        {nameOf(shown.value, edge.to)} → {nameOf(shown.value, edge.from)}
      </th>
      {[edge.incoming_grad, edge.local_grad, edge.contribution].map((number, place) => (
        <td key={place} class="mono">
          {knows && number !== null ? exact(number) : WAITING}
        </td>
      ))}
      <td>{edgeState(at, isNow)}</td>
    </tr>
  );
}

function edgeState(at: number | undefined, isNow: boolean): string {
  const { tasks } = interactionWords.value;
  if (at === undefined && pass.value === "backward") return text.constant;
  if (isNow && progress.value < 1) return tasks.now;
  return at !== undefined && at <= arrived.value
    ? text.arrived
    : shownWords.value.values.notReached;
}

function NodeRow({ node: { id, kind, operation, data, derived } }: { node: Node }) {
  const { stage } = words.value;
  const { grad, arrived, expected } = partialGrads.value[id]!;
  const part = arrived < expected ? ` · ${words.value.of(arrived, expected)}` : "";
  return (
    <tr>
      <th scope="row">{nameOf(shown.value, id)}</th>
      <td>
        {operation ?? stage[kind as "input"]}
        {derived && ` (${stage.derived})`}
        {id === shown.value.document.root && `, ${stage.result}`}
      </td>
      <td class="mono">{isDataKnown.value[id] ? exact(data) : WAITING}</td>
      <td class="mono">{grad === null ? WAITING : exact(grad) + part}</td>
    </tr>
  );
}

/** Rows per page. */
const PAGE = 100;

interface PagedTableProps {
  readonly caption?: string;
  /** The first one is also the table's name. */
  readonly heads: readonly string[];
  readonly count: number;
  /** The current row, or -1. */
  readonly now: number;
  readonly row: (at: number) => ComponentChildren;
}

/** A table that scrolls; a long one shows the rows around the current one first. */
function PagedTable({ caption, heads, count, now, row }: PagedTableProps) {
  const chosen = useSignal({ since: -1, page: 0 });
  const { since, page } = chosen.value;
  const here = since === now ? page : Math.floor(Math.max(0, now) / PAGE);
  const [first, last] = [PAGE * here, Math.min(count, PAGE * (here + 1))];
  const turn = (by: number) => (chosen.value = { since: now, page: here + by });
  return (
    <div class="wide-table" tabindex={0} role="region" aria-label={heads[0]}>
      <Table
        caption={caption}
        heads={heads}
        foot={
          count > PAGE && (
            <div class="wraps">
              <button disabled={first === 0} onClick={() => turn(-1)}>
                {text.earlier}
              </button>
              <span>{text.rows(first + 1, last, count)}</span>
              <button disabled={last === count} onClick={() => turn(1)}>
                {text.later}
              </button>
            </div>
          )
        }
      >
        {Array.from({ length: last - first }, (_, place) => row(first + place))}
      </Table>
    </div>
  );
}
