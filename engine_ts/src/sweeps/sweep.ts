/** Text + axes + points -> the sweep: results and gradients in columns, and what went wrong. */

import { CONTRACT } from "../document.ts";
import { prepare } from "../introspect.ts";
import type { Options, Prepared } from "../introspect.ts";
import { checkLimits } from "../limits.ts";
import { checkExpression, checkView } from "../request.ts";
import type { View } from "../request.ts";
import { checkAxes, listsOf, namesOf } from "./axes.ts";
import type { Axes } from "./axes.ts";
import { blocks } from "./blocks.ts";
import type { Block } from "./blocks.ts";
import { namesOfVariables } from "./points.ts";

/** So many evenly spaced points, both ends included. */
export interface GridRequest {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** For every variable a number, which is the same at every point; a column; or a grid. */
export type Ranges = Readonly<
  Record<string, number | readonly number[] | Float64Array | GridRequest>
>;

/** A point that has no result, by its place from 0, and why. */
export interface SweepProblem {
  index: number;
  error: Record<string, unknown>;
}

/** A sweep in full: columns have an entry a point, which is null where there is a problem. */
export interface Sweep {
  contract: string;
  expression: string;
  view: View;
  unused_values: string[];
  axes: Record<string, number[]>[];
  count: number;
  results: (number | null)[];
  gradients: Record<string, (number | null)[]>;
  problems: SweepProblem[];
}

/**
 * Differentiate a program at many points, to the bits that one request a point would give.
 *
 * Columns have one length. Grids are crossed with each other and with the columns: the columns
 * change slowest, then the grids in the order of their names, the last one fastest.
 *
 * @throws {GradientError} the request is wrong. What is wrong at single points is in `problems`.
 * @throws {RangeError} a limit is no whole number from 0 up
 */
export function sweep(
  expression: string,
  values: Ranges,
  options: Pick<Options, "view" | "limits"> = {},
): Sweep {
  const limits = checkLimits(options.limits);
  const { view = "folded" } = options;
  const [text, axes] = [checkExpression(expression, limits), checkAxes(values, limits)];
  const prepared = prepare(text, checkView(view), limits);
  return buildSweep(text, view, prepared, axes, blocks(prepared, axes, limits));
}

/** Put the blocks together. */
export function buildSweep(
  expression: string,
  view: View,
  prepared: Prepared,
  axes: Axes,
  computed: Iterable<Block>,
): Sweep {
  const variables = namesOfVariables(prepared);
  const { graph } = prepared;
  const columns: (number | null)[][] = ["", ...variables].map(() => []);
  const problems: SweepProblem[] = [];
  for (const block of computed) {
    for (const [place, column] of columns.entries()) {
      for (const number of block.columns[place]!) column.push(number);
    }
    for (const [index, error] of block.problems) {
      problems.push({ index, error: error.toJSON() });
      for (const column of columns) column[index] = null;
    }
  }
  const [results = [], ...gradients] = columns;
  return {
    contract: CONTRACT,
    expression,
    view,
    unused_values: [...namesOf(axes)].filter((name) => !graph.variables.has(name)).sort(),
    axes: listsOf(axes).map((axis) =>
      Object.fromEntries([...axis].map(([name, numbers]) => [name, Array.from(numbers, plain)])),
    ),
    count: results.length,
    results,
    gradients: Object.fromEntries(variables.map((name, place) => [name, gradients[place]!])),
    problems,
  };
}

/** 0 for -0. */
function plain(number: number): number {
  return number + 0;
}
