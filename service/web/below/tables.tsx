/** Nodes and edges with all their digits, in step with the picture, as tables. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Edge, Node } from "../../../engine_ts/src/template.ts";
import { TableHead } from "../controls.tsx";
import { deferredWords } from "../deferred_words.ts";
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
import { words } from "../words.ts";
import { exact, nameOf, WAITING } from "../words/text.tsx";

export function Tables() {
  return (
    <>
      <EdgeTable />
      <NodeTable />
    </>
  );
}

function EdgeTable() {
  const text = deferredWords.value.tables;
  const edges = currentEdges.value;
  const place = tickOfEdge.value;
  const inOrder = [...edges].sort(
    (one, other) => (place.get(one.id) ?? Infinity) - (place.get(other.id) ?? Infinity),
  );
  return (
    <div class="wide-table" tabindex={0} role="region" aria-label={text.arrow}>
      <table>
        <caption>
          {shown.value.expression}: {words.value.of(step.value, ticks.value.length)}
        </caption>
        <TableHead of={[text.arrow, text.incoming, text.local, text.contribution, text.state]} />
        <PagedRows
          count={inOrder.length}
          now={inOrder.findIndex((edge) => edge === current.value?.edge)}
          columns={5}
          row={(at) => <EdgeRow key={inOrder[at]!.id} edge={inOrder[at]!} />}
        />
      </table>
    </div>
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
  const { tables, tasks, values } = deferredWords.value;
  if (at === undefined && pass.value === "backward") return tables.constant;
  if (isNow && progress.value < 1) return tasks.now;
  return at !== undefined && at <= arrived.value ? tables.arrived : values.notReached;
}

function NodeTable() {
  const { tables } = deferredWords.value;
  const { nodes, root } = shown.value.document;
  return (
    <div class="wide-table" tabindex={0} role="region" aria-label={tables.node}>
      <table>
        <TableHead of={[tables.node, tables.kind, "data", "grad"]} />
        <PagedRows
          count={nodes.length}
          now={current.value?.node ?? -1}
          columns={4}
          row={(at) => <NodeRow key={at} node={nodes[at]!} isRoot={at === root} />}
        />
      </table>
    </div>
  );
}

function NodeRow({ node, isRoot }: { node: Node; isRoot: boolean }) {
  const { stage } = words.value;
  const { id, kind, operation, data, derived } = node;
  return (
    <tr>
      <th scope="row">{nameOf(shown.value, id)}</th>
      <td>
        {operation ?? stage[kind as "input"]}
        {derived && ` (${stage.derived})`}
        {isRoot && `, ${stage.result}`}
      </td>
      <td class="mono">{isDataKnown.value[id] ? exact(data) : WAITING}</td>
      <td class="mono">{gradText(id)}</td>
    </tr>
  );
}

function gradText(id: number): string {
  const { grad, arrived, expected } = partialGrads.value[id]!;
  if (grad === null) return WAITING;
  const part = arrived < expected ? ` · ${words.value.of(arrived, expected)}` : "";
  return exact(grad) + part;
}

/** Rows of a page. */
const PAGE = 100;

interface PagesProps {
  readonly count: number;
  /** The row of this moment, or -1. */
  readonly now: number;
  readonly columns: number;
  readonly row: (at: number) => ComponentChildren;
}

/** The rows of a table: of a long one those around this moment, until others are turned to. */
function PagedRows({ count, now, columns, row }: PagesProps) {
  const text = deferredWords.value.tables;
  const turned = useSignal({ since: now, page: Math.floor(Math.max(0, now) / PAGE) });
  const { since, page } = turned.value;
  const first = PAGE * (since === now ? page : Math.floor(Math.max(0, now) / PAGE));
  const last = Math.min(count, first + PAGE);
  const turn = (by: number) => (turned.value = { since: now, page: first / PAGE + by });
  return (
    <>
      <tbody>{Array.from({ length: last - first }, (_, place) => row(first + place))}</tbody>
      {count > PAGE && (
        <tfoot>
          <tr>
            <td colspan={columns}>
              <div class="wraps">
                <button disabled={first === 0} onClick={() => turn(-1)}>
                  {text.earlier}
                </button>
                <span>{text.rows(first + 1, last, count)}</span>
                <button disabled={last === count} onClick={() => turn(1)}>
                  {text.later}
                </button>
              </div>
            </td>
          </tr>
        </tfoot>
      )}
    </>
  );
}
