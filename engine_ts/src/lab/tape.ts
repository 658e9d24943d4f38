/** Document -> tape: its operations in order. */

import { CUSTOM, customRow } from "../custom.ts";
import type { Document } from "../document.ts";
import { operationOf } from "../operations.ts";
import type { Operation } from "../rows.ts";
import type { Edge, Node } from "../template.ts";

/** A node: an operation on earlier nodes, or a leaf with its data. */
export interface TapeEntry {
  readonly operation: Operation | null;
  readonly operands: number[];
  readonly data: number;
}

export type Tape = readonly TapeEntry[];

/** Take the operations of a document, in topological order. */
export function tapeOf({ nodes, edges }: Document): Tape {
  const slots: Edge[][] = nodes.map(() => []);
  for (const edge of edges) slots[edge.to]!.push(edge);
  return nodes.map((node, id) => ({
    operation: rowOf(node, slots[id]!, nodes),
    operands: slots[id]!.map(({ from }) => from),
    data: node.data,
  }));
}

/** Give an operation's row of the table; that of a custom one is what the document says. */
function rowOf(node: Node, edges: readonly Edge[], nodes: readonly Node[]): Operation | null {
  const { operation, name, data } = node;
  if (operation !== CUSTOM) return operation === null ? null : operationOf(operation);
  const operands = edges.map(({ from }) => nodes[from]!.data);
  return customRow(
    name!,
    operands,
    data,
    edges.map((edge) => edge.local_grad),
  );
}
