/** Graph + template -> the outline: a document without what needs values (`outline.schema.json`). */

import { CONTRACT } from "./document.ts";
import type { Span } from "./errors.ts";
import type { Graph } from "./graph.ts";
import type { Request, View } from "./request.ts";
import type { Edge, Kind, Template } from "./template.ts";

/** A node of the graph; of the numbers it has that of a constant, which stands in the text. */
export interface OutlineNode {
  id: number;
  kind: Kind;
  operation: string | null;
  label: string | null;
  data: number | null;
  derived: boolean;
  span: Span | null;
}

/** An edge of the graph. */
export type OutlineEdge = Pick<Edge, "id" | "from" | "to" | "slot" | "differentiable">;

/** What a program says by itself: the ids are those of its document. */
export interface Outline {
  contract: string;
  expression: string;
  view: View;
  variables: string[];
  root: number;
  nodes: OutlineNode[];
  edges: OutlineEdge[];
}

/** Take the rows of a template; the variables are in the order of their first use. */
export function buildOutline(request: Request, graph: Graph, template: Template): Outline {
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

function outlineNodes(request: Request, graph: Graph, template: Template): OutlineNode[] {
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
