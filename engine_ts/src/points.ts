/** Prepared text + axes -> the result and the gradients, point after point. */

import { LARGEST, listsOf, namesOf, sizeOf } from "./axes.ts";
import type { Axes } from "./axes.ts";
import { backward } from "./backward.ts";
import { GradientError, LimitExceeded } from "./errors.ts";
import { forward } from "./forward.ts";
import { refuseMissingValues } from "./introspect.ts";
import type { Prepared } from "./introspect.ts";
import type { Limits } from "./limits.ts";

/** The result and the gradients, in the order of the template's variables; or why there are none. */
export type Point = readonly [result: number, gradients: readonly number[]] | GradientError;

/**
 * Compute point after point, as they are taken.
 *
 * @throws {GradientError} a variable has no value, or there are too many points
 */
export function points(prepared: Prepared, axes: Axes, limits: Limits): Iterable<Point> {
  refuseMissingValues(prepared.graph, namesOf(axes));
  refuseTooManyPoints(prepared.order.length, axes, limits);
  return computed(prepared, axes);
}

/** Give the names of the variables, in the order of their ids. */
export function namesOfVariables({ template }: Prepared): string[] {
  return template.variables.map(({ row }) => row.label!);
}

/** Compute the result, and the gradients in the order of the template's variables. */
export function gradientsAt(
  { graph, order, edges, template }: Prepared,
  values: ReadonlyMap<string, number>,
): [result: number, gradients: number[]] {
  const walked = forward(graph, order, values);
  const [grads] = backward(graph, order, edges, walked);
  const gradients = template.variables.map(({ node }) => grads[node]! + 0);
  return [walked[0][order.at(-1)!]! + 0, gradients];
}

function* computed(prepared: Prepared, axes: Axes): Generator<Point, void, void> {
  for (const values of settings(axes)) {
    try {
      yield gradientsAt(prepared, values);
    } catch (error) {
      if (!(error instanceof GradientError)) throw error;
      yield error;
    }
  }
}

/** Give all values, point by point. One map serves all points. */
function* settings(axes: Axes): Generator<ReadonlyMap<string, number>, void, void> {
  const values = new Map(axes.numbers);
  const lists = listsOf(axes);
  const sizes = lists.map((axis) => [...axis.values()][0]!.length);
  const places = sizes.map(() => 0);
  const set = (axis: number) => {
    for (const [name, list] of lists[axis]!) values.set(name, list[places[axis]!]!);
  };
  lists.forEach((_, axis) => set(axis));
  for (let axis = 0; axis >= 0;) {
    yield values;
    // The last axis goes one on; where it is at its end, it begins again and the one before goes on.
    for (axis = sizes.length - 1; axis >= 0; axis -= 1) {
      places[axis] = (places[axis]! + 1) % sizes[axis]!;
      set(axis);
      if (places[axis] !== 0) break;
    }
  }
}

function refuseTooManyPoints(nodes: number, axes: Axes, limits: Limits): void {
  const [count, limit] = [sizeOf(axes), limits.sweep_nodes];
  const all = BigInt(nodes) * count;
  const actual = all > LARGEST ? LARGEST : Number(all);
  if (actual <= limit) return;
  const points = count === 1n ? "1 point" : `${count} points`;
  const message = `the sweep computes ${nodes} nodes at ${points}; at most ${limit} in all are accepted`;
  throw new LimitExceeded(message, null, { name: "sweep_nodes", limit, actual });
}
