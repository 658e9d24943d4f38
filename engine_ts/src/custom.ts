/**
 * Operations of one's own: data and local gradients as a caller gives them -> a row of the table.
 *
 * Such a row is known at one place. It gives its numbers where the operands are what they were when
 * it was made, and there is no formula to compute it at others.
 */

import { StaleCustom } from "./errors.ts";
import type { Cells, Computed, Operation, Term } from "./rows.ts";

/** What a document calls these operations; each has a `name` besides. */
export const CUSTOM = "custom";

/** The operands of a custom operation are not those that it was made at. */
export class Moved extends Error {}

/** Make the row of an operation that gives this data and these local gradients there. */
export function customRow(
  name: string,
  operands: readonly number[],
  data: number,
  localGrads: readonly (number | null)[],
): Operation {
  const [left, right = 0] = localGrads;

  function rule(...at: number[]): Computed {
    if (at.some((number, slot) => number !== operands[slot])) throw new Moved();
    return [data, ...localGrads];
  }

  function write(cells: Cells, node: number, x: number, y: number): void {
    rule(...[cells.at(x), cells.at(y)].slice(0, operands.length));
    cells.put(node, data, left!, right!);
  }

  function formulas(_apply: unknown, _out: Term, ...terms: Term[]): readonly (number | null)[] {
    // A second derivative is that of a formula.
    if (terms.some((term) => "tangent" in term && term.tangent !== null)) throw new Moved();
    return rule(...terms.map((term) => term.data)).slice(1) as (number | null)[];
  }

  const form = "call";
  const arity = operands.length;
  const row = {
    symbol: CUSTOM,
    name,
    form,
    arity,
    write,
    rule,
    formulas,
    expansion: null,
  } as const;
  return { ...row, derived: false };
}

/** Say that a custom operation would have to be computed anew. */
export function staleCustom(name: string, node: number, operands: readonly number[]): StaleCustom {
  const message =
    `\`${name}\` at node ${node} is an operation of your own: its data and local gradients are ` +
    "known where it was made, and nothing tells how to compute it anew";
  return new StaleCustom(message, null, { node, name, operands: operands.map((x) => x + 0) });
}
