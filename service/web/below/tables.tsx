/** Nodes and edges with all their digits, in step with the picture, for who reads rather than looks. */

import type { Edge, Node } from "../../../engine_ts/src/template.ts";
import { Heads } from "../panel/heads.tsx";
import { Pages } from "./pages.tsx";
import { arrived, current, placeOf, progress, revealed, step, ticks, way } from "../state/play.ts";
import { computedData, edgesNow, reaches } from "../state/reach.ts";
import { shown } from "../state/program.ts";
import { nameOf } from "../words/names.ts";
import { words } from "../words.ts";
import { exact, WAITING } from "../words/numbers.ts";
import { laterWords } from "../later_words.ts";

export function Tables() {
  return (
    <>
      <EdgeTable />
      <NodeTable />
    </>
  );
}

function EdgeTable() {
  const text = laterWords.value.tables;
  const edges = edgesNow.value;
  const place = placeOf.value;
  const inOrder = [...edges].sort(
    (one, other) => (place.get(one.id) ?? Infinity) - (place.get(other.id) ?? Infinity),
  );
  return (
    <div class="wide-table" tabindex={0} role="region" aria-label={text.arrow}>
      <table>
        <caption>{text.caption(shown.value.expression, step.value, ticks.value.length)}</caption>
        <Heads of={[text.arrow, text.incoming, text.local, text.contribution, text.state]} />
        <Pages
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
  const text = laterWords.value.tables;
  const at = placeOf.value.get(edge.id);
  const isNow = current.value?.edge === edge;
  const knows = revealed.value || (way.value !== "sort" && at !== undefined && at <= step.value);
  const state = edgeState(at, isNow);
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
      <td>{text[state]}</td>
    </tr>
  );
}

function edgeState(
  at: number | undefined,
  isNow: boolean,
): "constant" | "now" | "arrived" | "waiting" {
  if (at === undefined && way.value === "backward") return "constant";
  if (isNow && progress.value < 1) return "now";
  return at !== undefined && at <= arrived.value ? "arrived" : "waiting";
}

function NodeTable() {
  const { tables } = laterWords.value;
  const { nodes, root } = shown.value.document;
  return (
    <div class="wide-table" tabindex={0} role="region" aria-label={tables.node}>
      <table>
        <Heads of={[tables.node, tables.kind, "data", "grad"]} />
        <Pages
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
      <td class="mono">{computedData.value[id] ? exact(data) : WAITING}</td>
      <td class="mono">{gradText(id)}</td>
    </tr>
  );
}

function gradText(id: number): string {
  const { grad, arrived, expected } = reaches.value[id]!;
  if (grad === null) return WAITING;
  const part = arrived < expected ? ` · ${words.value.stage.partial(arrived, expected)}` : "";
  return exact(grad) + part;
}
