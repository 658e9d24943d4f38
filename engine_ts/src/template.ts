/**
 * Graph + order -> template: the document's rows without their numbers.
 *
 * A template is never changed: each document fills copies of its rows.
 */

import { CUSTOM, NO_GRADIENT } from "./operations.ts";
import type { OperationName } from "./operations.ts";
import type { Span } from "./errors.ts";
import type { Graph } from "./graph.ts";

export type NodeKind = "input" | "parameter" | "constant" | "operation";

/** A node of the graph. */
export interface Node {
  id: number;
  kind: NodeKind;
  operation: OperationName | null;
  label: string | null;
  data: number;
  grad: number | null;
  derived: boolean;
  span: Span | null;
  /** The name of a custom operation. */
  name?: string;
}

/**
 * A row of the ledger: incoming_grad * local_grad = contribution. A number is null if it is
 * infinite or NaN, which happens only where no variable feeds the operand (CONTRACT.md R5); the
 * last three are null for an exponent, too.
 */
export interface Edge {
  id: number;
  from: number;
  to: number;
  slot: number;
  differentiable: boolean;
  incoming_grad: number | null;
  local_grad: number | null;
  contribution: number | null;
  running_grad: number | null;
}

/** A node's row, and the node whose data and grad fill it. */
interface NodeRow {
  readonly node: number;
  readonly row: Readonly<Node>;
}

/** An edge's row, and its operation's node. */
interface EdgeRow {
  readonly node: number;
  readonly row: Readonly<Edge>;
}

/** Rows to be filled, by id, and those of the variables. */
export interface Template {
  readonly nodes: readonly NodeRow[];
  readonly edges: readonly EdgeRow[];
  readonly variables: readonly NodeRow[];
}

/** Number the nodes by their position in the order, the edges by (to, slot). */
export function makeTemplate(graph: Graph, order: readonly number[]): Template {
  const nodes = order.map((node, id) => ({ node, row: nodeRow(graph, node, id) }));
  const variables = nodes.filter(({ row }) => row.kind === "input");
  return { nodes, edges: edgeRows(graph, order), variables };
}

function nodeRow(graph: Graph, node: number, id: number): Node {
  const operation = graph.operations[node];
  const leaf = graph.isVariable(node) ? "input" : "constant";
  const row: Node = {
    id,
    kind: operation ? "operation" : leaf,
    operation: operation?.symbol ?? null,
    label: graph.labels[node] ?? null,
    data: 0,
    grad: null,
    derived: operation?.derived ?? false,
    span: graph.spans[node] ?? null,
  };
  if (operation?.symbol === CUSTOM) row.name = operation.name;
  return row;
}

function edgeRows(graph: Graph, order: readonly number[]): EdgeRow[] {
  const ids = new Int32Array(graph.operands.length);
  for (let id = 0; id < order.length; id++) ids[order[id]!] = id;
  const rows: EdgeRow[] = [];
  for (let to = 0; to < order.length; to++) {
    const node = order[to]!;
    const operands = graph.operands[node]!;
    const symbol = graph.operations[node]?.symbol;
    for (let slot = 0; slot < operands.length; slot++) {
      const row: Edge = {
        id: rows.length,
        from: ids[operands[slot]!]!,
        to,
        slot,
        differentiable: symbol !== NO_GRADIENT.symbol || slot !== NO_GRADIENT.slot,
        incoming_grad: 0,
        local_grad: null,
        contribution: null,
        running_grad: null,
      };
      rows.push({ node, row });
    }
  }
  return rows;
}
