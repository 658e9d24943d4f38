/** Loss -> the row that reports it, with the reason in a sentence. */

import { canonicalText } from "../canonical.ts";
import type { Document } from "../document.ts";
import { nameOf } from "./conditions.ts";
import type { Loss, Reason, Step } from "./walk.ts";

/** A contribution that its operand did not keep or pass on, at a step of the ledger. */
export interface Lost {
  step: number;
  edge: number;
  contribution: number;
  reason: Reason;
  sentence: string;
}

/** Say what was lost, where and why. */
export function describe(document: Document, ledger: readonly Step[], loss: Loss): Lost {
  const { edge, contribution } = ledger[loss.step]!;
  return {
    step: loss.step,
    edge,
    contribution,
    reason: loss.reason,
    sentence: sentenceOf(document, ledger, loss),
  };
}

function sentenceOf(
  document: Document,
  ledger: readonly Step[],
  { step, reason, by }: Loss,
): string {
  const amount = canonicalText(ledger[step]!.contribution);
  const [operand, operation] = ends(document, ledger[step]!);
  if (reason === "late") {
    return `${operand} was visited before ${operation} had sent it ${amount}`;
  }
  if (reason === "unvisited") {
    return `${operation} sent ${amount} to ${operand}, which was never visited`;
  }
  const later = ledger[by!]!;
  return (
    `the ${amount} that ${operation} had sent to ${operand} was overwritten ` +
    `by ${canonicalText(later.contribution)} from ${ends(document, later)[1]}`
  );
}

function ends({ nodes, edges }: Document, step: Step): [operand: string, operation: string] {
  const { from, to } = edges[step.edge]!;
  return [nameOf(nodes[from]!), nameOf(nodes[to]!)];
}
