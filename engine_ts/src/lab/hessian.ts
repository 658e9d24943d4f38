/** Document -> its second derivatives, by name and name, and their product with a vector. */

import type { Document } from "../document.ts";
import { InvalidRequest, LimitExceeded } from "../errors.ts";
import { described } from "../request.ts";
import { checkNumbers, refuse, variables as idsOf } from "./conditions.ts";
import { SecondOrder } from "./second_order.ts";
import type { Tangents } from "./second_order.ts";

/** Edges walked, in all directions together. */
const MOST_TANGENTS = 200_000;

/** Second derivatives; `product` is null where no vector was given. */
export interface Hessian {
  document: Document;
  hessian: Record<string, Record<string, number>>;
  product: Record<string, number> | null;
}

export interface HessianOptions {
  /** The names whose second derivatives are wanted; all of them, if it is left out. */
  readonly variables?: readonly string[] | null;
  /**
   * Numbers for variables, 0 where it has none. The Hessian's product with it is given for every
   * variable, and takes one direction.
   */
  readonly vector?: Readonly<Record<string, number>> | null;
}

/**
 * Differentiate the gradients of a document once more (CONTRACT.md R41).
 *
 * @throws {GradientError} an option is wrong, there are too many directions for so large a graph, or
 *   a tangent is not finite
 */
export function hessian(document: Document, options: HessianOptions = {}): Hessian {
  const ids = idsOf(document);
  const chosen = checkVariables(ids, options.variables ?? null);
  const vector = options.vector ?? null;
  const direction = vector === null ? null : checkNumbers(document, "vector", vector);
  checkSize(document, chosen.length + (direction === null ? 0 : 1));
  const order = new SecondOrder(document);
  const product = direction === null ? null : named(ids, order.along(direction));
  const columns = chosen.map((name) => order.along(new Map([[ids.get(name)!, 1]])));
  const rows = chosen.map((one): [string, Record<string, number>] => [
    one,
    Object.fromEntries(
      chosen.map((other, place) => [other, numberOf(columns[place]!, ids.get(one)!)]),
    ),
  ]);
  return { document, hessian: Object.fromEntries(rows), product };
}

function named(ids: ReadonlyMap<string, number>, tangents: Tangents): Record<string, number> {
  return Object.fromEntries([...ids].map(([name, node]) => [name, numberOf(tangents, node)]));
}

function numberOf(tangents: Tangents, node: number): number {
  return (tangents[node] ?? 0) + 0;
}

function checkVariables(ids: ReadonlyMap<string, number>, variables: unknown): string[] {
  if (variables === null) return [...ids.keys()];
  if (!Array.isArray(variables)) refuse("variables", "an array of names", variables);
  const chosen = new Set<string>();
  for (const [place, name] of variables.entries()) {
    const pointer = `/variables/${place}`;
    if (typeof name !== "string" || !ids.has(name)) {
      const message = `variables[${place}] must be the name of a variable, not ${described(name)}`;
      throw new InvalidRequest(message, null, { pointer });
    }
    if (chosen.has(name)) {
      const message = `\`${name}\` is listed twice under variables; list it once`;
      throw new InvalidRequest(message, null, { pointer });
    }
    chosen.add(name);
  }
  return [...chosen];
}

function checkSize({ edges }: Document, directions: number): void {
  const actual = directions * edges.length;
  if (actual > MOST_TANGENTS) {
    const message =
      `${directions} directions in this graph take ${actual} tangents; at most ` +
      `${MOST_TANGENTS} are computed, so name fewer variables, or give a vector`;
    throw new LimitExceeded(message, null, { name: "tangents", limit: MOST_TANGENTS, actual });
  }
}
