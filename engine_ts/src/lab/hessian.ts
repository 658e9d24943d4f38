/** Document -> its second derivatives, by name and name, and what changes along a vector. */

import type { Document } from "../document.ts";
import { InvalidRequest, LimitExceeded } from "../errors.ts";
import { checkLimits, DEFAULT_LIMITS } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { described } from "../request.ts";
import { documentOf } from "../value.ts";
import type { Subject, SubjectOptions } from "../value.ts";
import { checkNumbers, refuse, variables as idsOf } from "./conditions.ts";
import { SecondOrder } from "./second_order.ts";
import type { Tangents } from "./second_order.ts";

/** Second derivatives; the last two are null where no vector was given. */
export interface Hessian {
  document: Document;
  hessian: Record<string, Record<string, number>>;
  product: Record<string, number> | null;
  directional_derivative: number | null;
}

export interface HessianOptions extends Pick<SubjectOptions, "values"> {
  /** The names whose second derivatives are wanted; all of them, if it is left out. */
  readonly variables?: readonly string[] | null;
  /**
   * Numbers for variables, 0 where it has none. The Hessian's product with it is given for every
   * variable, and the result's derivative along it; it takes one direction.
   */
  readonly vector?: Readonly<Record<string, number>> | null;
}

/**
 * Differentiate the gradients of a document once more (CONTRACT.md R41).
 *
 * @param subject a document, a text or a Value
 * @throws {GradientError} an option is wrong, there are too many directions for so large a graph, or
 *   a tangent is not finite
 */
export function hessian(
  subject: Subject,
  options: HessianOptions = {},
  limits: Partial<Limits> = DEFAULT_LIMITS,
): Hessian {
  const document = documentOf(subject, { values: options.values ?? {} }, limits);
  const ids = idsOf(document);
  const chosen = checkVariables(ids, options.variables ?? null);
  const vector = options.vector ?? null;
  const direction = vector === null ? null : checkNumbers(document, "vector", vector);
  const directions = chosen.length + (direction === null ? 0 : 1);
  checkSize(document, directions, checkLimits(limits).tangents);
  const order = new SecondOrder(document);
  const along = direction === null ? null : order.along(direction);
  const columns = chosen.map((name) => order.along(new Map([[ids.get(name)!, 1]])).grads);
  const rows = chosen.map((one): [string, Record<string, number>] => [
    one,
    Object.fromEntries(
      chosen.map((other, place) => [other, numberOf(columns[place]![ids.get(one)!]!)]),
    ),
  ]);
  return {
    document,
    hessian: Object.fromEntries(rows),
    product: along && named(ids, along.grads),
    directional_derivative: along && numberOf(along.result),
  };
}

function named(ids: ReadonlyMap<string, number>, tangents: Tangents): Record<string, number> {
  return Object.fromEntries([...ids].map(([name, node]) => [name, numberOf(tangents[node]!)]));
}

function numberOf(tangent: number | null): number {
  return (tangent ?? 0) + 0;
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

function checkSize({ edges }: Document, directions: number, limit: number): void {
  const actual = directions * edges.length;
  if (actual > limit) {
    const message =
      `${directions} directions in this graph take ${actual} tangents; at most ` +
      `${limit} are computed, so name fewer variables, or give a vector`;
    throw new LimitExceeded(message, null, { name: "tangents", limit, actual });
  }
}
