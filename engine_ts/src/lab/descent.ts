/** Document + settings -> descent: its parameters moved against the gradient, step by step. */

import type { Document } from "../document.ts";
import { checkLimits, DEFAULT_LIMITS } from "../limits.ts";
import type { Limits } from "../limits.ts";
import * as elementary from "../numerics/elementary.ts";
import { documentOf } from "../value.ts";
import type { Subject, SubjectOptions } from "../value.ts";
import { Batch, Failed, tooLarge } from "./batch.ts";
import { optimizerOf } from "./optimizers.ts";
import type { Optimizer } from "./optimizers.ts";
import { checkSettings } from "./settings.ts";
import type { DescentOptions, Settings } from "./settings.ts";

export type { DescentOptions } from "./settings.ts";

const HINT = "; use a smaller learning rate";

/** Where the descent is after so many steps. The norm is null where it is no double. */
export interface Point {
  step: number;
  loss: number;
  gradient_norm: number | null;
  parameters: Record<string, number>;
}

/** Why there is no such step. `row` is null where the error is in no single row. */
export interface Fault {
  step: number;
  row: number | null;
  error: Record<string, unknown>;
}

/** A descent in full; `fault` is null where all steps were made. */
export interface Descent {
  document: Document;
  trajectory: Point[];
  fault: Fault | null;
}

/**
 * A descent that makes a step when it is asked for the next point, so it can be paused.
 *
 * After the last point, `fault` says what ended it, or null.
 */
export class Descending implements IterableIterator<Point, undefined> {
  fault: Fault | null = null;
  readonly document: Document;
  readonly #settings: Settings;
  readonly #batch: Batch;
  readonly #optimizer: Optimizer;
  readonly #points: Generator<Point, undefined>;

  /**
   * Check the options.
   *
   * @param subject a text, a Value, or a document, which says which variables are parameters
   * @param limits of these, those of nodes to compute (the rows' are computed anew at each step)
   *   and of numbers to list
   * @throws {GradientError} an option is wrong, or there is too much to compute or to list
   */
  constructor(
    subject: Subject,
    options: DescentOptions & SubjectOptions = {},
    limits: Partial<Limits> = DEFAULT_LIMITS,
  ) {
    const document = documentOf(subject, options, limits);
    this.document = document;
    this.#settings = checkSettings(document, options, checkLimits(limits));
    this.#batch = new Batch(document, this.#settings.rows, this.#settings.loss);
    const { parameters } = this.#batch;
    this.#optimizer = optimizerOf(this.#settings, parameters.length);
    this.#points = this.#descend(parameters.map(({ name }) => document.values[name]!));
  }

  [Symbol.iterator](): this {
    return this;
  }

  /** Give the next point that is listed. */
  next(): IteratorResult<Point, undefined> {
    return this.#points.next();
  }

  *#descend(begin: readonly number[]): Generator<Point, undefined> {
    const { steps, every, zeroGrad } = this.#settings;
    let parameters = begin;
    let loss = 0;
    let gradients: readonly number[] = begin.map(() => 0);
    for (let step = 0; step <= steps; step++) {
      try {
        if (step > 0) parameters = this.#move(step, parameters, gradients);
        const slope = this.#batch.slope(parameters);
        loss = slope.loss;
        gradients = zeroGrad ? slope.gradients : this.#add(gradients, slope.gradients);
      } catch (failed) {
        if (!(failed instanceof Failed)) throw failed;
        this.fault = { step, row: failed.row, error: failed.error.toJSON() };
        return;
      }
      if (step % every === 0 || step === steps)
        yield this.#point(step, loss, gradients, parameters);
    }
  }

  #point(
    step: number,
    loss: number,
    gradients: readonly number[],
    parameters: readonly number[],
  ): Point {
    const named = this.#batch.parameters.map(({ name }, place) => [name, parameters[place]!]);
    return {
      step,
      loss: loss + 0,
      gradient_norm: norm(gradients),
      parameters: Object.fromEntries(named) as Record<string, number>,
    };
  }

  /** Add to what the steps before have left; throws Failed where a sum is too large. */
  #add(gradients: readonly number[], slopes: readonly number[]): number[] {
    return this.#batch.parameters.map(({ name, node }, place) => {
      const sum = gradients[place]! + slopes[place]!;
      if (Number.isFinite(sum)) return sum;
      const what = `the gradient of \`${name}\`, added up over all steps,`;
      throw new Failed(null, tooLarge("grad", what, node));
    });
  }

  /** Move all parameters; throws Failed where one is too large then. */
  #move(step: number, parameters: readonly number[], gradients: readonly number[]): number[] {
    const { learningRate, schedule, steps } = this.#settings;
    const left = schedule === "linear" ? 1 - (step - 1) / steps : 1;
    this.#optimizer.beginStep(learningRate * left);
    return this.#batch.parameters.map(({ name, node }, place) => {
      const moved = this.#optimizer.move(place, parameters[place]!, gradients[place]!);
      if (moved !== null) return moved;
      throw new Failed(null, tooLarge("data", `\`${name}\`, once moved,`, node, HINT));
    });
  }
}

/**
 * Move the parameters of a document against the gradient of its loss (CONTRACT.md R40).
 *
 * The document says which variables are parameters, and where they begin. An error on the way is no
 * exception: it is the `fault` that ends the descent.
 *
 * @throws {GradientError} an option is wrong, or there is too much to compute or to list
 */
export function descend(
  subject: Subject,
  options: DescentOptions & SubjectOptions = {},
  limits: Partial<Limits> = DEFAULT_LIMITS,
): Descent {
  const descending = new Descending(subject, options, limits);
  const trajectory = [...descending];
  return { document: descending.document, trajectory, fault: descending.fault };
}

function norm(gradients: readonly number[]): number | null {
  let squares = 0;
  for (const gradient of gradients) squares += gradient * gradient;
  return Number.isFinite(squares) ? elementary.sqrt(squares) : null;
}
