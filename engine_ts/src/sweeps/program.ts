/** Text -> program: prepared once, then computed for many values; its sweeps. */

import { NEVER } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import { CONTRACT } from "../document.ts";
import type { GradientDocument } from "../document.ts";
import { differentiate, prepareText, refuseMissingValues } from "../introspect.ts";
import type { Options, Prepared } from "../introspect.ts";
import { checkLimits } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { checkExpression, checkRequest, checkValues, checkView } from "../request.ts";
import type { View } from "../request.ts";
import { checkAxes, listsOf, namesOf, NUMBERS_PER_CHECK, sizeOf } from "./axes.ts";
import type { Axes } from "./axes.ts";
import { blocks, gradientsAt, namesOfVariables } from "./blocks.ts";
import type { Block, Problem, Range } from "./blocks.ts";

/** `count` evenly spaced points, both ends included. */
export interface GridRequest {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** For every variable a number, used at every point, a column, or a grid. */
export type Ranges = Readonly<
  Record<string, number | readonly number[] | Float64Array | GridRequest>
>;

/** The index of a point without a result, from 0, and why. */
interface SweepProblem {
  index: number;
  error: Record<string, unknown>;
}

/** A whole sweep: columns have one entry per point, null at a problem. */
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
 * Differentiate a program at many points, bit-identical to one request per point.
 *
 * Columns have one length. Grids are crossed with each other and with the columns: the columns
 * change slowest, then the grids in the order of their names, the last one fastest.
 *
 * @throws {GradientError} the request is invalid. Errors of single points are in `problems`.
 * @throws {DeadlineExceeded} the deadline has passed
 * @throws {RangeError} a limit is not a whole number of 0 or more
 */
export function sweep(
  expression: string,
  values: Ranges,
  options: Pick<Options, "view" | "limits" | "deadline"> = {},
): Sweep {
  const limits = checkLimits(options.limits);
  const { view = "folded", deadline = NEVER } = options;
  const [text, axes] = [checkExpression(expression, limits), checkAxes(values, limits, deadline)];
  const prepared = prepareText(text, checkView(view), limits, deadline);
  const computed = blocks(prepared, axes, limits, undefined, deadline);
  return buildSweep(text, view, prepared, axes, computed, deadline);
}

/** Join the blocks into a sweep. */
function buildSweep(
  expression: string,
  view: View,
  prepared: Prepared,
  axes: Axes,
  computed: Iterable<Block>,
  deadline: Deadline = NEVER,
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
    axes: listsOf(axes, deadline).map((axis) =>
      Object.fromEntries([...axis].map(([name, numbers]) => [name, plain(numbers, deadline)])),
    ),
    count: results.length,
    results,
    gradients: Object.fromEntries(variables.map((name, place) => [name, gradients[place]!])),
    problems,
  };
}

/** Write -0 as 0. */
function plain(numbers: ArrayLike<number>, deadline: Deadline): number[] {
  return Array.from(numbers, (number, place) => {
    if (place % NUMBERS_PER_CHECK === 0 && numbers.length > NUMBERS_PER_CHECK) deadline.check();
    return number + 0;
  });
}

type Values = Readonly<Record<string, number>>;

/** Results and gradients at many points, NaN at a problem. */
export interface Columns {
  readonly results: Float64Array;
  readonly gradients: Readonly<Record<string, Float64Array>>;
  /** Each point that has no result, by its index. */
  readonly problems: readonly Problem[];
}

/** A parsed text with its sorted graph; it is immutable. */
export class Program {
  readonly expression: string;
  readonly view: View;
  readonly limits: Limits;
  readonly prepared: Prepared;

  /** Keep a prepared text. */
  constructor(expression: string, view: View, limits: Limits, prepared: Prepared) {
    this.expression = expression;
    this.view = view;
    this.limits = limits;
    this.prepared = prepared;
  }

  /** The names that need a value, in the order of their first use. */
  get variables(): string[] {
    return [...this.prepared.graph.variables.keys()];
  }

  /**
   * Return the document, as `introspect` does for the text.
   *
   * @throws {GradientError} a value is missing or invalid, or there is no result
   * @throws {DeadlineExceeded} the deadline has passed
   */
  introspect(
    values: Values,
    options: Pick<Options, "parameters" | "deadline"> = {},
  ): GradientDocument {
    const { parameters = [], deadline = NEVER } = options;
    const request = checkRequest(this.expression, values, parameters, this.view, this.limits);
    return differentiate(this.prepared, request, deadline);
  }

  /**
   * Return only the gradient of each variable, in a third of a document's time.
   *
   * @throws {GradientError} a value is missing or invalid, or there is no result
   * @throws {DeadlineExceeded} the deadline has passed
   */
  gradients(
    values: Values,
    { deadline = NEVER }: Pick<Options, "deadline"> = {},
  ): Record<string, number> {
    const doubles = checkValues(values, this.limits);
    refuseMissingValues(this.prepared.graph, doubles);
    const [, gradients] = gradientsAt(this.prepared, doubles, deadline);
    const names = namesOfVariables(this.prepared);
    return Object.fromEntries(names.map((name, place) => [name, gradients[place]!]));
  }

  /**
   * Return results and gradients at many points, in columns, as `sweep` does for the text.
   *
   * @throws {GradientError} a value is missing or invalid, or there are too many points
   * @throws {DeadlineExceeded} the deadline has passed
   */
  sweep(values: Ranges, { deadline = NEVER }: Pick<Options, "deadline"> = {}): Sweep {
    const axes = checkAxes(values, this.limits, deadline);
    const computed = blocks(this.prepared, axes, this.limits, undefined, deadline);
    return buildSweep(this.expression, this.view, this.prepared, axes, computed, deadline);
  }

  /**
   * Return the numbers of `sweep` as arrays of doubles, in a fraction of the time.
   *
   * A column may be a Float64Array. With `points`, only indices from the first up to, but not
   * including, the last are computed, so several threads can share a sweep.
   *
   * @throws {GradientError} a value is missing or invalid, or there are too many points
   * @throws {DeadlineExceeded} the deadline has passed
   */
  columns(
    values: Ranges,
    points?: Range,
    { deadline = NEVER }: Pick<Options, "deadline"> = {},
  ): Columns {
    const axes = checkAxes(values, this.limits, deadline);
    const [start, end] = points ?? [0, sizeOf(axes)];
    const computed = blocks(this.prepared, axes, this.limits, [start, end], deadline);
    const variables = namesOfVariables(this.prepared);
    const columns = ["", ...variables].map(() => new Float64Array(end - start));
    const problems: Problem[] = [];
    for (const block of computed) {
      for (const [place, numbers] of block.columns.entries()) {
        columns[place]!.set(numbers, block.first - start);
      }
      for (const problem of block.problems) problems.push(problem);
    }
    const [results, ...gradients] = columns as [Float64Array, ...Float64Array[]];
    const named = variables.map((name, place) => [name, gradients[place]!] as const);
    return { results, gradients: Object.fromEntries(named), problems };
  }
}

/**
 * Parse a text once, for many values.
 *
 *     const program = prepare("(a + b) * c");
 *     program.gradients({ a: 2, b: -3, c: 10 });
 *     program.sweep({ a: [1, 2, 3], b: -3, c: { from: 0, to: 1, count: 11 } });
 *
 * @throws {GradientError} the text or the view is invalid
 * @throws {DeadlineExceeded} the deadline has passed
 * @throws {RangeError} a limit is not a whole number of 0 or more
 */
export function prepare(
  expression: string,
  options: Pick<Options, "view" | "limits" | "deadline"> = {},
): Program {
  const limits = checkLimits(options.limits);
  const { view = "folded", deadline = NEVER } = options;
  const text = checkExpression(expression, limits);
  return new Program(text, view, limits, prepareText(text, checkView(view), limits, deadline));
}
