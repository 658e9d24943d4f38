/**
 * Graph + order + walk -> template: the document's rows without their numbers.
 *
 * A template is never changed: each document fills copies of its rows.
 */

import type { Span } from "./errors.ts";
import type { Graph } from "./graph.ts";
import { NO_GRADIENT } from "./operations.ts";
import type { Walk } from "./order.ts";

export type Kind = "input" | "parameter" | "constant" | "operation";

/** A node of the graph. */
export interface Node {
  id: number;
  kind: Kind;
  operation: string | null;
  label: string | null;
  data: number;
  grad: number | null;
  derived: boolean;
  span: Span | null;
}

/** A row of the ledger: incoming_grad * local_grad = contribution. */
export interface Edge {
  id: number;
  from: number;
  to: number;
  slot: number;
  differentiable: boolean;
  incoming_grad: number;
  local_grad: number | null;
  contribution: number | null;
  running_grad: number | null;
}

/** A node's row, and the node, whose data and grad belong into it. */
export interface NodeRow {
  readonly node: number;
  readonly row: Readonly<Node>;
}

/** An edge's row, its operation's node, and its place in the ledger. */
export interface EdgeRow {
  readonly place: number;
  readonly node: number;
  readonly row: Readonly<Edge>;
}

/** Rows to be filled, by id, and those of the variables. */
export interface Template {
  readonly nodes: readonly NodeRow[];
  readonly edges: readonly EdgeRow[];
  readonly variables: readonly NodeRow[];
}

/** Number the nodes by their place in the order, the edges by (to, slot). */
export function makeTemplate(graph: Graph, order: readonly number[], edges: Walk): Template {
  const nodes = order.map((node, id) => ({ node, row: nodeRow(graph, node, id) }));
  const variables = nodes.filter(({ row }) => row.kind === "input");
  return { nodes, edges: edgeRows(graph, order, edges), variables };
}

function nodeRow(graph: Graph, node: number, id: number): Node {
  const operation = graph.operations[node] ?? null;
  const leaf = graph.isVariable(node) ? "input" : "constant";
  return {
    id,
    kind: operation === null ? leaf : "operation",
    operation: symbolOf(graph, node),
    label: graph.labels[node] ?? null,
    data: 0,
    grad: null,
    derived: operation?.derived ?? false,
    span: graph.spans[node] ?? null,
  };
}

/** Put the ledger's rows into the order of their ids; the walk meets the last node first. */
function edgeRows(graph: Graph, order: readonly number[], edges: Walk): EdgeRow[] {
  const ids = new Map(order.map((node, id) => [node, id]));
  const met = edges.map(([node, slot, operand], place) => {
    const row: Edge = {
      id: 0,
      from: ids.get(operand)!,
      to: ids.get(node)!,
      slot,
      differentiable: symbolOf(graph, node) !== NO_GRADIENT.symbol || slot !== NO_GRADIENT.slot,
      incoming_grad: 0,
      local_grad: null,
      contribution: null,
      running_grad: null,
    };
    return { place, node, row };
  });
  met.sort((one, other) => one.row.to - other.row.to || one.row.slot - other.row.slot);
  for (const [id, { row }] of met.entries()) row.id = id;
  return met;
}

function symbolOf(graph: Graph, node: number): string | null {
  return graph.operations[node]?.symbol ?? null;
}
