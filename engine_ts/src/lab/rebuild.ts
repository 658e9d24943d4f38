/** Document -> its graph, to be computed at other values. */

import type { Document } from "../document.ts";
import type { Span } from "../errors.ts";
import { Graph } from "../graph.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { operationOf } from "../operations.ts";
import { makeSteps } from "../order.ts";
import type { Step } from "../order.ts";

/** A graph whose nodes are the document's ids, with its order and steps. */
export interface Rebuilt {
  readonly graph: Graph;
  readonly order: readonly number[];
  readonly steps: readonly Step[];
}

/** Take the document's nodes, in topological order, and their operands. */
export function rebuild({ nodes, edges, topological_order: order }: Document): Rebuilt {
  const operands: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) operands[to]!.push(from);
  const graph = new Graph({ ...DEFAULT_LIMITS, nodes: nodes.length });
  for (const { id, operation, kind, label, data, span: place } of nodes) {
    const span: Span | null = place;
    if (operation !== null) {
      graph.labels[graph.addOperation(operationOf(operation), operands[id]!, span)] = label;
    } else if (kind === "constant" || label === null) {
      graph.labels[graph.addConstant(data, span)] = label;
    } else {
      graph.addVariable(label, span);
    }
  }
  return { graph, order, steps: makeSteps(graph, order) };
}
