/** Document -> its graph, to be computed at other values. */

import type { Document } from "../document.ts";
import type { Span } from "../errors.ts";
import { Graph } from "../graph.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { makeSteps } from "../order.ts";
import type { Step } from "../order.ts";
import { tapeOf } from "./tape.ts";

/** A graph whose nodes are the document's ids, with its order and steps. */
export interface Rebuilt {
  readonly graph: Graph;
  readonly order: readonly number[];
  readonly steps: readonly Step[];
}

/** Take the document's nodes, in topological order, and their operands. */
export function rebuild(document: Document): Rebuilt {
  const { nodes, topological_order: order } = document;
  const graph = new Graph({ ...DEFAULT_LIMITS, nodes: nodes.length });
  for (const [id, { operation, operands, data }] of tapeOf(document).entries()) {
    const { kind, label, span: place } = nodes[id]!;
    const span: Span | null = place;
    if (operation !== null) {
      graph.labels[graph.addOperation(operation, operands, span)] = label;
    } else if (kind === "constant" || label === null) {
      graph.labels[graph.addConstant(data, span)] = label;
    } else {
      graph.addVariable(label, span);
    }
  }
  return { graph, order, steps: makeSteps(graph, order) };
}
