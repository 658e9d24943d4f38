/** Loss -> the row that reports it, with the reason in a sentence. */

import { canonicalText } from "../canonical.ts";
import type { Document } from "../document.ts";
import { nameOf } from "./conditions.ts";
import type { Loss, Reason, Row } from "./walk.ts";

/** A contribution that its operand did not keep or pass on, at a step of the ledger. */
export interface Lost {
  step: number;
  edge: number;
  contribution: number;
  /** The node whose visit it waited for; where it was overwritten, its operand. */
  node: number;
  reason: Reason;
  sentence: string;
}

/** Say what was lost, where and why. */
export function describe(document: Document, ledger: readonly Row[], loss: Loss): Lost {
  const { edge, contribution } = ledger[loss.step]!;
  return {
    step: loss.step,
    edge,
    contribution,
    node: loss.node,
    reason: loss.reason,
    sentence: sentenceOf(document, ledger, loss),
  };
}

function sentenceOf(
  document: Document,
  ledger: readonly Row[],
  { step, node, reason, by }: Loss,
): string {
  const row = ledger[step]!;
  const amount = canonicalText(row.contribution);
  const [operand, operation] = ends(document, row);
  const visit = nameOf(document.nodes[node]!);
  const itself = node === document.edges[row.edge]!.from;
  if (reason === "late") {
    return `${visit} was visited before ${itself ? "it" : operand} had ${amount} from ${operation}`;
  }
  if (reason === "unvisited") {
    return `${operation} gave ${amount} to ${operand}, ${itself ? "which" : `and ${visit}`} was never visited`;
  }
  const later = ledger[by!]!;
  return (
    `the ${amount} that ${operand} had from ${operation} was overwritten ` +
    `by ${canonicalText(later.contribution)} from ${ends(document, later)[1]}`
  );
}

function ends({ nodes, edges }: Document, row: Row): [operand: string, operation: string] {
  const { from, to } = edges[row.edge]!;
  return [nameOf(nodes[from]!), nameOf(nodes[to]!)];
}
