/** Text -> program: prepared once, then computed for as many values as there are. */

import type { Document } from "../document.ts";
import { differentiate, prepare as prepareText, refuseMissingValues } from "../introspect.ts";
import type { Options, Prepared } from "../introspect.ts";
import { checkLimits } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { checkExpression, checkRequest, checkValues, checkView } from "../request.ts";
import type { View } from "../request.ts";
import { checkAxes, sizeOf } from "./axes.ts";
import { blocks } from "./blocks.ts";
import type { Problem, Range } from "./blocks.ts";
import { gradientsAt, namesOfVariables } from "./points.ts";
import { buildSweep } from "./sweep.ts";
import type { Ranges, Sweep } from "./sweep.ts";

type Values = Readonly<Record<string, number>>;

/** Results and gradients at many points; NaN where there is a problem. */
export interface Columns {
  readonly results: Float64Array;
  readonly gradients: Readonly<Record<string, Float64Array>>;
  /** Each point that has no result, by its index. */
  readonly problems: readonly Problem[];
}

/** A text whose graph is made and sorted; it never changes. */
export class Program {
  readonly expression: string;
  readonly view: View;
  readonly limits: Limits;
  readonly prepared: Prepared;

  /** Keep what `prepare` made. */
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
   * Return every step in one document, as `introspect` of the text does.
   *
   * @throws {GradientError} a value is missing or wrong, or there is no result
   */
  introspect(values: Values, options: Pick<Options, "parameters"> = {}): Document {
    const { parameters = [] } = options;
    const request = checkRequest(this.expression, values, parameters, this.view, this.limits);
    return differentiate(this.prepared, request);
  }

  /**
   * Return the gradient of each variable alone, for a third of a document's time.
   *
   * @throws {GradientError} a value is missing or wrong, or there is no result
   */
  gradients(values: Values): Record<string, number> {
    const doubles = checkValues(values, this.limits);
    refuseMissingValues(this.prepared.graph, doubles);
    const [, gradients] = gradientsAt(this.prepared, doubles);
    const names = namesOfVariables(this.prepared);
    return Object.fromEntries(names.map((name, place) => [name, gradients[place]!]));
  }

  /**
   * Return results and gradients at many points, in columns, as `sweep` of the text does.
   *
   * @throws {GradientError} a value is missing or wrong, or there are too many points
   */
  sweep(values: Ranges): Sweep {
    const axes = checkAxes(values, this.limits);
    const computed = blocks(this.prepared, axes, this.limits);
    return buildSweep(this.expression, this.view, this.prepared, axes, computed);
  }

  /**
   * Return the numbers of `sweep` as arrays of doubles, which takes a fraction of the time.
   *
   * A column may be a Float64Array. Of `points`, the first and the last but one, these alone are
   * computed: so several threads can share a sweep.
   *
   * @throws {GradientError} a value is missing or wrong, or there are too many points
   */
  columns(values: Ranges, points?: Range): Columns {
    const axes = checkAxes(values, this.limits);
    const [start, end] = points ?? [0, Number(sizeOf(axes))];
    const computed = blocks(this.prepared, axes, this.limits, [start, end]);
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
 * Read a text once, for many values.
 *
 *     const program = prepare("(a + b) * c");
 *     program.gradients({ a: 2, b: -3, c: 10 });
 *     program.sweep({ a: [1, 2, 3], b: -3, c: { from: 0, to: 1, count: 11 } });
 *
 * @throws {GradientError} the text or the view is wrong
 * @throws {RangeError} a limit is no whole number from 0 up
 */
export function prepare(
  expression: string,
  options: Pick<Options, "view" | "limits"> = {},
): Program {
  const limits = checkLimits(options.limits);
  const { view = "folded" } = options;
  const text = checkExpression(expression, limits);
  return new Program(text, view, limits, prepareText(text, checkView(view), limits));
}
