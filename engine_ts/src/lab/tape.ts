/** Document -> tape: its operations in order. */

import type { Document } from "../document.ts";
import { operationOf } from "../operations.ts";
import type { Operation } from "../rows.ts";

/** A node: an operation on earlier nodes, or a leaf with its data. */
export interface TapeEntry {
  readonly operation: Operation | null;
  readonly operands: number[];
  readonly data: number;
}

export type Tape = readonly TapeEntry[];

/** Take the operations of a document, in topological order. */
export function tapeOf({ nodes, edges }: Document): Tape {
  const tape: TapeEntry[] = nodes.map(({ operation, data }) => ({
    operation: operation === null ? null : operationOf(operation),
    operands: [],
    data,
  }));
  for (const { from, to } of edges) tape[to]!.operands.push(from);
  return tape;
}
