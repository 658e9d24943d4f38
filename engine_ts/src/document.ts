/**
 * Template + data + gradients -> the introspection document (`document.schema.json`).
 *
 * Without data and gradients, the rows make the outline (`outline.schema.json`). Adding 0 writes -0
 * as 0 and leaves every other double as it is.
 */

import type { Backward } from "./backward.ts";
import type { Span } from "./errors.ts";
import { hasFiniteSum } from "./forward.ts";
import type { Forward } from "./forward.ts";
import type { Graph } from "./graph.ts";
import type { GradientRequest, View } from "./request.ts";
import type { Edge, NodeKind, Node, Template } from "./template.ts";

/** The version of CONTRACT.md that this engine implements. */
export const CONTRACT = "2.1.0";

/** One differentiation in full: graph, order, ledger, gradients. */
export interface GradientDocument {
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

/** Put the numbers into copies of the template's rows. */
export function buildDocument(
  request: GradientRequest,
  template: Template,
  computed: Forward,
  walked: Backward,
): GradientDocument {
  const [grads] = walked;
  const nodes = fillNodes(template, computed, walked);
  const edges = fillEdges(template, nodes, computed, walked);
  if (!hasFiniteSum(grads)) writeNull(nodes, edges);
  const values: Record<string, number> = {};
  const gradients: Record<string, number> = {};
  for (const { node, row } of template.variables) {
    setOwn(values, row.label!, nodes[row.id]!.data);
    setOwn(gradients, row.label!, grads[node]! + 0);
  }
  if (request.parameters.length > 0) markParameters(request.parameters, template, nodes);
  const hasUnused = request.values.size > template.variables.length;
  const ids = nodes.map(({ id }) => id);
  const root = nodes.at(-1)!;
  return {
    contract: CONTRACT,
    expression: request.expression,
    values,
    unused_values: hasUnused ? unusedValues(request.values, values) : [],
    view: request.view,
    root: root.id,
    result: root.data,
    gradients,
    nodes,
    edges,
    topological_order: ids,
    backward_order: ids.toReversed(),
  };
}

/** Set a member, which assignment does not do with one called `__proto__`. */
function setOwn(record: Record<string, number>, name: string, value: number): void {
  if (name !== "__proto__") {
    record[name] = value;
  } else {
    const assigned = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(record, name, assigned);
  }
}

function unusedValues(given: ReadonlyMap<string, number>, used: object): string[] {
  return [...given.keys()].filter((name) => !Object.hasOwn(used, name)).sort();
}

function markParameters(
  parameters: readonly string[],
  template: Template,
  nodes: readonly Node[],
): void {
  const marked = new Set(parameters);
  for (const { row } of template.variables) {
    if (marked.has(row.label!)) nodes[row.id]!.kind = "parameter";
  }
}

function fillNodes(template: Template, [data]: Forward, [grads]: Backward): Node[] {
  return template.nodes.map(({ node, row }) => {
    const filled: Node = {
      id: row.id,
      kind: row.kind,
      operation: row.operation,
      label: row.label,
      data: data[node]! + 0,
      grad: grads[node]! + 0,
      derived: row.derived,
      span: row.span && { start: row.span.start, end: row.span.end },
    };
    if (row.name !== undefined) filled.name = row.name;
    return filled;
  });
}

/** Fill the ledger; an edge that is not differentiable is an exponent's, whose grad is null. */
function fillEdges(
  template: Template,
  nodes: readonly Node[],
  [, lefts, rights]: Forward,
  [grads, runningLefts, runningRights]: Backward,
): Edge[] {
  return template.edges.map(({ node, row }) => {
    const { id, from, to, slot, differentiable } = row;
    const incoming = grads[node]!;
    const local = (slot === 0 ? lefts : rights)[node]!;
    const running = (slot === 0 ? runningLefts : runningRights)[node]!;
    if (!differentiable) nodes[from]!.grad = null;
    return {
      id,
      from,
      to,
      slot,
      differentiable,
      incoming_grad: incoming + 0,
      local_grad: differentiable ? local + 0 : null,
      contribution: differentiable ? incoming * local + 0 : null,
      running_grad: differentiable ? running + 0 : null,
    };
  });
}

/** Replace infinity and NaN by null; they occur only where no variable feeds a node. */
function writeNull(nodes: readonly Node[], edges: readonly Edge[]): void {
  for (const node of nodes) node.grad = doubleOf(node.grad);
  for (const edge of edges) {
    edge.incoming_grad = doubleOf(edge.incoming_grad);
    edge.local_grad = doubleOf(edge.local_grad);
    edge.contribution = doubleOf(edge.contribution);
    edge.running_grad = doubleOf(edge.running_grad);
  }
}

function doubleOf(number: number | null): number | null {
  return Number.isFinite(number) ? number : null;
}

// The outline, which needs no values

/** A node of the graph. Only a constant has data, which the text gives. */
export interface OutlineNode {
  id: number;
  kind: NodeKind;
  operation: Node["operation"];
  label: string | null;
  data: number | null;
  derived: boolean;
  span: Span | null;
}

/** An edge of the graph. */
export type OutlineEdge = Pick<Edge, "id" | "from" | "to" | "slot" | "differentiable">;

/** The graph of a program without numbers; its ids are those of the document. */
export interface Outline {
  contract: string;
  expression: string;
  view: View;
  variables: string[];
  root: number;
  nodes: OutlineNode[];
  edges: OutlineEdge[];
}

/** Build the outline from a template; `variables` are in the order of first use. */
export function buildOutline(request: GradientRequest, graph: Graph, template: Template): Outline {
  const nodes = outlineNodes(request, graph, template);
  const edges = template.edges.map(({ row }) => {
    const { id, from, to, slot, differentiable } = row;
    return { id, from, to, slot, differentiable };
  });
  return {
    contract: CONTRACT,
    expression: request.expression,
    view: request.view,
    variables: [...graph.variables.keys()],
    root: nodes.at(-1)!.id,
    nodes,
    edges,
  };
}

function outlineNodes(request: GradientRequest, graph: Graph, template: Template): OutlineNode[] {
  const parameters = new Set(request.parameters);
  return template.nodes.map(({ node, row }) => {
    const { id, kind, operation, label, derived, span } = row;
    const marked = kind === "input" && parameters.has(label!);
    return {
      id,
      kind: marked ? "parameter" : kind,
      operation,
      label,
      data: kind === "constant" ? graph.literals[node]! + 0 : null,
      derived,
      span: span && { ...span },
    };
  });
}
