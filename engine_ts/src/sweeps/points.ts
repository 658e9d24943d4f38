/** Prepared text + axes -> the values at each point, and the result and the gradients there. */

import { backward } from "../backward.ts";
import { forward } from "../forward.ts";
import type { Prepared } from "../introspect.ts";
import { listsOf, sizeOf } from "./axes.ts";
import type { Axes } from "./axes.ts";

/** (name, numbers, stride): at `index` it has number `index / stride`, from 0 again. */
type Column = readonly [name: string, numbers: ArrayLike<number>, stride: number];

/** All points of some axes, each by its index from 0. */
export class Points {
  readonly count: number;
  /** What is the same at every point, by name. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly columns: readonly Column[];

  /** Make the points of the grids. */
  constructor(axes: Axes) {
    this.numbers = axes.numbers;
    this.count = Number(sizeOf(axes));
    let stride = this.count;
    this.columns = listsOf(axes).flatMap((axis) => {
      stride /= [...axis.values()][0]!.length;
      return [...axis].map(([name, numbers]) => [name, numbers, stride] as const);
    });
  }

  /** Give the values at a point. */
  at(index: number): ReadonlyMap<string, number> {
    const values = new Map(this.numbers);
    for (const [name, numbers, stride] of this.columns) {
      values.set(name, numbers[((index - (index % stride)) / stride) % numbers.length]!);
    }
    return values;
  }
}

/** Give the names of the variables, in the order of their ids. */
export function namesOfVariables({ template }: Prepared): string[] {
  return template.variables.map(({ row }) => row.label!);
}

/**
 * Compute the result, and the gradients in the order of the template's variables.
 *
 * @throws {GradientError} there is no result
 */
export function gradientsAt(
  { graph, order, steps, template }: Prepared,
  values: ReadonlyMap<string, number>,
): [result: number, gradients: number[]] {
  const walked = forward(graph, order, steps, values);
  const [grads] = backward(graph, order, steps, walked);
  const gradients = template.variables.map(({ node }) => grads[node]! + 0);
  return [walked[0][order.at(-1)!]! + 0, gradients];
}
