/** Edge -> the local gradient that an engine uses in its backward pass. */

import { Moved, staleCustom } from "../custom.ts";
import type { Document } from "../document.ts";
import { DomainError } from "../errors.ts";
import { OutsideDomain } from "../rows.ts";
import type { Edge } from "../template.ts";
import { tapeOf } from "./tape.ts";
import { apply, term } from "./term.ts";

export type LocalGrad = (edge: Edge) => number;

/** Give the local gradient that was computed in the forward pass, as this engine does. */
export function stored(edge: Edge): number {
  return edge.local_grad ?? 0;
}

/**
 * Compute local gradients when they are needed, as closures over the operands do.
 *
 * They read what an operand's data is then, and the operation's own data as it was computed.
 */
export function rereader(document: Document, mutate: ReadonlyMap<number, number>): LocalGrad {
  const { nodes } = document;
  const tape = tapeOf(document);

  return function reread({ to: node, slot }: Edge): number {
    const { operands, data } = tape[node]!;
    const { symbol, name, formulas } = tape[node]!.operation!; // an edge leads to one
    const terms = operands.map((operand) => term(mutate.get(operand) ?? tape[operand]!.data));
    try {
      const formula = formulas(apply, term(data), ...terms)[slot]!;
      return typeof formula === "number" ? formula : formula.data;
    } catch (reason) {
      const numbers = terms.map((each) => each.data + 0);
      if (reason instanceof Moved) throw staleCustom(name, node, numbers);
      if (!(reason instanceof OutsideDomain)) throw reason;
      const where = { node, operation: symbol, operands: numbers };
      const message = `${reason.message}, in the local gradients of node ${node} (\`${symbol}\`)`;
      throw new DomainError(message, nodes[node]!.span, where);
    }
  };
}
