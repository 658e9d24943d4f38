/** Document + rows of inputs -> loss and its gradient, at any parameters. */

import { backward } from "../backward.ts";
import type { Document } from "../document.ts";
import { GradientError, NonFinite } from "../errors.ts";
import { forward } from "../forward.ts";
import { rebuild } from "./rebuild.ts";
import type { Rebuilt } from "./rebuild.ts";
import type { Loss } from "./settings.ts";

/** The loss over all rows, and its gradient by the parameters, in their order. */
export interface Slope {
  readonly loss: number;
  readonly gradients: readonly number[];
}

/** There is no loss or no gradient at these parameters. */
export class Failed extends Error {
  /** The row that has the error; null where it is in the sum of all. */
  readonly row: number | null;
  readonly error: GradientError;

  constructor(row: number | null, error: GradientError) {
    super(error.message);
    this.row = row;
    this.error = error;
  }
}

/** A program, and the rows of inputs at which it is computed. */
export class Batch {
  /** In the order of the nodes. */
  readonly parameters: readonly { readonly name: string; readonly node: number }[];
  readonly #rebuilt: Rebuilt;
  readonly #root: number;
  readonly #divisor: number;
  readonly #rows: readonly ReadonlyMap<string, number>[];

  /** Take the document's values for what a row leaves open. */
  constructor(document: Document, rows: readonly ReadonlyMap<number, number>[], loss: Loss) {
    const { nodes, values, root } = document;
    this.parameters = nodes
      .filter(({ kind }) => kind === "parameter")
      .map(({ id, label }) => ({ name: label ?? "", node: id }));
    this.#rebuilt = rebuild(document);
    this.#root = root;
    this.#divisor = loss === "mean" ? rows.length : 1;
    this.#rows = rows.map((row) => {
      const own = [...row].map(([node, data]): [string, number] => [
        nodes[node]!.label ?? "",
        data,
      ]);
      return new Map([...Object.entries(values), ...own]);
    });
  }

  /**
   * Add up the rows' results and gradients, in order; divide them for a mean.
   *
   * @throws {Failed} a row has none, or a sum is not finite
   */
  slope(parameters: readonly number[]): Slope {
    const moved = this.parameters.map(({ name }, place) => [name, parameters[place]!] as const);
    let loss = 0;
    const sums = parameters.map(() => 0);
    for (const [place, row] of this.#rows.entries()) {
      const { result, grads } = this.#compute(place, new Map([...row, ...moved]));
      loss += result;
      for (const [index, { node }] of this.parameters.entries()) sums[index]! += grads[node]!;
    }
    this.#refuseInfiniteSums(loss, sums);
    return { loss: loss / this.#divisor, gradients: sums.map((sum) => sum / this.#divisor) };
  }

  #compute(
    place: number,
    values: ReadonlyMap<string, number>,
  ): { result: number; grads: ArrayLike<number> } {
    const { graph, order, steps } = this.#rebuilt;
    try {
      const computed = forward(graph, order, steps, values);
      const [grads] = backward(graph, order, steps, computed);
      return { result: computed[0][this.#root]!, grads };
    } catch (error) {
      throw error instanceof GradientError ? new Failed(place, error) : error;
    }
  }

  #refuseInfiniteSums(loss: number, sums: readonly number[]): void {
    if (!Number.isFinite(loss)) {
      throw new Failed(null, tooLarge("data", "the loss, added up over all rows,", this.#root));
    }
    for (const [place, { name, node }] of this.parameters.entries()) {
      if (!Number.isFinite(sums[place])) {
        const what = `the gradient of \`${name}\`, added up over all rows,`;
        throw new Failed(null, tooLarge("grad", what, node));
      }
    }
  }
}

/** Say that a number is too large which belongs to no operation. */
export function tooLarge(stage: string, what: string, node: number, hint = ""): NonFinite {
  const message = `${what} is too large for a double${hint}`;
  return new NonFinite(message, null, { stage, node, operation: null, operands: [], slot: null });
}
