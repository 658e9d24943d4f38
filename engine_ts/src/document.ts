/**
 * All of it -> the introspection document (`document.schema.json`).
 *
 * Adding 0 writes -0 as 0 and leaves every other double as it is.
 */

import { walk } from "./backward.ts";
import type { Backward } from "./backward.ts";
import type { Span } from "./errors.ts";
import type { Forward } from "./forward.ts";
import type { Graph } from "./graph.ts";
import type { Request, View } from "./request.ts";

/** The version of CONTRACT.md that this engine implements. */
export const CONTRACT = "1.0.0";

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

/** The whole story of one differentiation. */
export interface Document {
  contract: string;
  expression: string | null;
  values: Record<string, number>;
  unused_values: string[];
  view: View;
  root: number;
  result: number;
  gradients: Record<string, number>;
  nodes: Node[];
  edges: Edge[];
  topological_order: number[];
  backward_order: number[];
}

/** Put the columns together; a node's id is its place in the order. */
export function buildDocument(
  request: Request,
  graph: Graph,
  order: readonly number[],
  computed: Forward,
  walked: Backward,
): Document {
  const [allData] = computed;
  const [grads] = walked;
  const parameters = new Set(request.parameters);
  const edges = buildEdges(graph, order, computed, walked);
  const exponents = new Set(edges.filter((edge) => !edge.differentiable).map((edge) => edge.from));
  const nodes: Node[] = [];
  const values = new Map<string, number>();
  const gradients = new Map<string, number>();
  for (const [id, node] of order.entries()) {
    const operation = graph.operations[node] ?? null;
    const label = graph.labels[node] ?? null;
    const data = allData[node]! + 0;
    const grad = grads[node]! + 0;
    const kind = kindOf(graph, node, parameters);
    if (label !== null && (kind === "input" || kind === "parameter")) {
      values.set(label, data);
      gradients.set(label, grad);
    }
    nodes.push({
      id,
      kind,
      operation: operation?.symbol ?? null,
      label,
      data,
      grad: exponents.has(id) ? null : grad,
      derived: operation?.derived ?? false,
      span: graph.spans[node] ?? null,
    });
  }
  const ids = [...order.keys()];
  const root = nodes.at(-1)!;
  return {
    contract: CONTRACT,
    expression: request.expression,
    values: Object.fromEntries(values),
    unused_values: [...request.values.keys()].filter((name) => !values.has(name)).sort(),
    view: request.view,
    root: root.id,
    result: root.data,
    gradients: Object.fromEntries(gradients),
    nodes,
    edges,
    topological_order: ids,
    backward_order: ids.toReversed(),
  };
}

function kindOf(graph: Graph, node: number, parameters: ReadonlySet<string>): Kind {
  if (graph.isVariable(node)) {
    return parameters.has(graph.labels[node]!) ? "parameter" : "input";
  }
  return graph.operations[node] === null ? "constant" : "operation";
}

/** Number the ledger's rows by (to, slot); the walk met the last operation first. */
function buildEdges(
  graph: Graph,
  order: readonly number[],
  [, localGrads]: Forward,
  [grads, contributions, runningGrads]: Backward,
): Edge[] {
  const ids = new Map(order.map((node, id) => [node, id]));
  const edges: Edge[] = [];
  for (const [node, slot, operand] of walk(graph, order)) {
    const contribution = zero(contributions[edges.length]);
    edges.push({
      id: 0,
      from: ids.get(operand)!,
      to: ids.get(node)!,
      slot,
      differentiable: contribution !== null,
      incoming_grad: grads[node]! + 0,
      local_grad: zero(localGrads[node]![slot]),
      contribution,
      running_grad: zero(runningGrads[edges.length]),
    });
  }
  edges.sort((one, other) => one.to - other.to || one.slot - other.slot);
  for (const [id, edge] of edges.entries()) edge.id = id;
  return edges;
}

function zero(number: number | null | undefined): number | null {
  return number == null ? null : number + 0;
}
