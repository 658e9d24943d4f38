/** Document + settings -> descent: its parameters moved against the gradient, step by step. */

import { backward } from "../backward.ts";
import { NEVER, passesPerCheck } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { GradientDocument } from "../document.ts";
import {
  GradientError,
  InvalidRequest,
  InvalidValue,
  LimitExceeded,
  NonFinite,
} from "../errors.ts";
import { forward } from "../forward.ts";
import { checkLimits } from "../limits.ts";
import type { Limits } from "../limits.ts";
import * as elementary from "../numerics/elementary.ts";
import { pointerStep } from "../request.ts";
import { documentOf } from "../subject.ts";
import type { Options, Subject, Values } from "../subject.ts";
import { checkChoice, checkFlag, checkNumber, checkNumbers, checkWhole, refuse } from "./checks.ts";
import { rebuild } from "./tape.ts";
import type { Rebuilt } from "./tape.ts";

type Loss = "sum" | "mean";
const LOSSES: readonly Loss[] = ["sum", "mean"];
type Optimizer = "sgd" | "adam" | "adamw";
const OPTIMIZERS: readonly Optimizer[] = ["sgd", "adam", "adamw"];
type Schedule = "constant" | "linear";
const SCHEDULES: readonly Schedule[] = ["constant", "linear"];

const MAX_ROWS = 1_000;
const MAX_STEPS = 10_000;
const HINT = "; use a smaller learning rate";

/** Settings of a descent, each with its default. */
export interface DescentOptions {
  /** For each row, numbers for inputs that replace the document's: one row without any. */
  readonly rows?: readonly Readonly<Record<string, number>>[];
  /** How the rows are combined: "mean". */
  readonly loss?: Loss;
  /** "sgd". */
  readonly optimizer?: Optimizer;
  /** 0.1. */
  readonly learning_rate?: number;
  /** Whether the rate is constant or falls linearly, to 0 after the last step: "constant". */
  readonly schedule?: Schedule;
  /** For sgd: 0. */
  readonly momentum?: number;
  /** For adam and adamw, like the next two: 0.9. */
  readonly beta1?: number;
  /** 0.999. */
  readonly beta2?: number;
  /** 1e-8. */
  readonly epsilon?: number;
  /** For adamw: 0.01. */
  readonly weight_decay?: number;
  /** Whether gradients are set to 0 before each step, or else add up: true. */
  readonly zero_grad?: boolean;
  /** 100. */
  readonly steps?: number;
  /** Every N-th step is listed, and the last one: 1. */
  readonly every?: number;
}

/** Checked members of a descent. */
interface Settings {
  /** For each row, the data of variables, by id. */
  readonly rows: readonly ReadonlyMap<number, number>[];
  readonly loss: Loss;
  readonly optimizer: Optimizer;
  readonly learningRate: number;
  readonly schedule: Schedule;
  readonly momentum: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  readonly zeroGrad: boolean;
  readonly steps: number;
  readonly every: number;
}

/** Check each member in turn; the first invalid one is the error (CONTRACT.md R40). */
function checkSettings(
  document: GradientDocument,
  options: DescentOptions,
  limits: Limits,
  deadline: Deadline = NEVER,
): Settings {
  const parameters = document.nodes.filter(({ kind }) => kind === "parameter");
  if (parameters.length === 0) {
    const message =
      "a descent moves parameters, and no variable of the program is one; " +
      "list under parameters those that it may move";
    throw new InvalidRequest(message, null, { pointer: "/parameters" });
  }
  const settings = {
    rows: checkRows(document, given(options.rows, [{}]), deadline),
    loss: checkChoice("loss", given(options.loss, "mean"), LOSSES),
    optimizer: checkChoice("optimizer", given(options.optimizer, "sgd"), OPTIMIZERS),
    learningRate: checkSize("learning_rate", given(options.learning_rate, 0.1)),
    schedule: checkChoice("schedule", given(options.schedule, "constant"), SCHEDULES),
    momentum: checkPart("momentum", given(options.momentum, 0)),
    beta1: checkPart("beta1", given(options.beta1, 0.9)),
    beta2: checkPart("beta2", given(options.beta2, 0.999)),
    epsilon: checkEpsilon(given(options.epsilon, 1e-8)),
    weightDecay: checkSize("weight_decay", given(options.weight_decay, 0.01)),
    zeroGrad: checkFlag("zero_grad", given(options.zero_grad, true)),
    steps: checkWhole("steps", given(options.steps, 100), 0, MAX_STEPS),
    every: checkWhole("every", given(options.every, 1), 1, MAX_STEPS),
  };
  checkWork(document, settings, limits.descent_nodes);
  checkLength(settings, parameters.length, limits.descent_numbers);
  return settings;
}

/** Fill in the defaults of undefined settings; null is an invalid value. */
function given(value: unknown, otherwise: unknown): unknown {
  return value === undefined ? otherwise : value;
}

function checkRows(
  document: GradientDocument,
  rows: unknown,
  deadline: Deadline,
): ReadonlyMap<number, number>[] {
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > MAX_ROWS) {
    refuse("rows", `an array of 1 to ${MAX_ROWS} objects of numbers`, rows);
  }
  const watched = deadline.over(rows, passesPerCheck(document.nodes.length));
  return Array.from(watched, (row, place) => checkRow(document, `rows/${place}`, row));
}

function checkRow(document: GradientDocument, member: string, row: unknown): Map<number, number> {
  const doubles = checkNumbers(document, member, row);
  for (const node of doubles.keys()) {
    const { kind, label: name } = document.nodes[node]!;
    if (kind === "parameter") {
      const message = `\`${name}\` is a parameter, which the descent moves; take it out of the row`;
      throw new InvalidValue(message, null, {
        name,
        pointer: `/${member}` + pointerStep(name ?? ""),
      });
    }
  }
  return doubles;
}

function checkSize(member: string, value: unknown): number {
  return checkNumber(member, value, (number) => number >= 0, "a number of 0 or more");
}

function checkPart(member: string, value: unknown): number {
  const expected = "a number from 0 to less than 1";
  return checkNumber(member, value, (number) => number >= 0 && number < 1, expected);
}

function checkEpsilon(value: unknown): number {
  return checkNumber("epsilon", value, (number) => number > 0, "a number above 0");
}

function checkWork({ nodes }: GradientDocument, { rows, steps }: Settings, limit: number): void {
  const actual = (steps + 1) * rows.length * nodes.length;
  if (actual > limit) {
    const message =
      `${steps} steps over ${rows.length} rows compute ${actual} nodes; ` +
      `at most ${limit} are computed`;
    throw new LimitExceeded(message, null, { name: "descent_nodes", limit, actual });
  }
}

function checkLength({ steps, every }: Settings, parameters: number, limit: number): void {
  const actual = (Math.floor(steps / every) + 2) * parameters;
  if (actual > limit) {
    const message =
      `the points of this descent have ${actual} parameters in all; at most ` +
      `${limit} are listed, so list fewer points with a larger \`every\``;
    throw new LimitExceeded(message, null, { name: "descent_numbers", limit, actual });
  }
}

/** The loss over all rows, and its gradient by the parameters, in their order. */
interface LossAndGradients {
  readonly loss: number;
  readonly gradients: readonly number[];
}

/** The loss or its gradient does not exist at these parameters. */
class Failed extends Error {
  /** The row of the error, or null if it is in the sum over all rows. */
  readonly row: number | null;
  readonly error: GradientError;

  constructor(row: number | null, error: GradientError) {
    super(error.message);
    this.row = row;
    this.error = error;
  }
}

/** A program, and the rows of inputs at which it is computed. */
class Batch {
  /** In the order of the nodes. */
  readonly parameters: readonly { readonly name: string; readonly node: number }[];
  readonly #rebuilt: Rebuilt;
  readonly #root: number;
  readonly #divisor: number;
  readonly #rows: readonly ReadonlyMap<string, number>[];
  readonly #rowsPerCheck: number;
  readonly #deadline: Deadline;

  /** Complete the rows with the document's values. */
  constructor(
    document: GradientDocument,
    rows: readonly ReadonlyMap<number, number>[],
    loss: Loss,
    deadline: Deadline = NEVER,
  ) {
    const { nodes, values, root } = document;
    this.parameters = nodes
      .filter(({ kind }) => kind === "parameter")
      .map(({ id, label }) => ({ name: label ?? "", node: id }));
    this.#rebuilt = rebuild(document);
    this.#root = root;
    this.#divisor = loss === "mean" ? rows.length : 1;
    this.#deadline = deadline;
    this.#rowsPerCheck = passesPerCheck(nodes.length);
    this.#rows = Array.from(deadline.over(rows, this.#rowsPerCheck), (row) => {
      const own = [...row].map(([node, data]): [string, number] => [
        nodes[node]!.label ?? "",
        data,
      ]);
      return new Map([...Object.entries(values), ...own]);
    });
  }

  /**
   * Return the sum or mean of the rows' results and gradients, added up in order.
   *
   * @throws {Failed} a row has no result, or a sum is not finite
   * @throws {DeadlineExceeded} the deadline has passed
   */
  differentiate(parameters: readonly number[]): LossAndGradients {
    const moved = this.parameters.map(({ name }, place) => [name, parameters[place]!] as const);
    let loss = 0;
    const sums = parameters.map(() => 0);
    const rows = [...this.#rows.entries()];
    for (const [place, row] of this.#deadline.over(rows, this.#rowsPerCheck)) {
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
      const computed = forward(graph, order, steps, values, this.#deadline);
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
        const quantity = `the gradient of \`${name}\`, added up over all rows,`;
        throw new Failed(null, tooLarge("grad", quantity, node));
      }
    }
  }
}

/** Return the error for a number that is too large and belongs to no operation. */
function tooLarge(stage: string, quantity: string, node: number, hint = ""): NonFinite {
  const message = `${quantity} is too large for a double${hint}`;
  return new NonFinite(message, null, { stage, node, operation: null, operands: [], slot: null });
}

/** The rule by which parameters move, with its state for each parameter, by index. */
interface UpdateRule {
  /** Set the learning rate of the step, before the first parameter moves. */
  beginStep(rate: number): void;
  /** Move a parameter, rounding each operation (CONTRACT.md R40); null if it overflows. */
  move(place: number, parameter: number, gradient: number): number | null;
}

/** Gradient descent with momentum. */
class Sgd implements UpdateRule {
  readonly #momentum: number;
  readonly #velocities: number[];
  #rate = 0;

  /** Start with velocity 0. */
  constructor(settings: Settings, count: number) {
    this.#momentum = settings.momentum;
    this.#velocities = new Array(count).fill(0);
  }

  /** Set the learning rate. */
  beginStep(rate: number): void {
    this.#rate = rate;
  }

  /** Move by the velocity: the gradient plus `momentum` times the last velocity. */
  move(place: number, parameter: number, gradient: number): number | null {
    const velocity = this.#momentum * this.#velocities[place]! + gradient;
    this.#velocities[place] = velocity;
    const moved = parameter - this.#rate * velocity;
    return Number.isFinite(velocity) && Number.isFinite(moved) ? moved + 0 : null;
  }
}

/** Adam with decoupled weight decay (Loshchilov and Hutter, 2019), which may be 0: Adam. */
class AdamW implements UpdateRule {
  readonly #settings: Settings;
  readonly #weightDecay: number;
  readonly #means: number[];
  readonly #squares: number[];
  #power1 = 1;
  #power2 = 1;
  #rate = 0;

  /** Start with moments 0. */
  constructor(settings: Settings, count: number, weightDecay: number) {
    this.#settings = settings;
    this.#weightDecay = weightDecay;
    this.#means = new Array(count).fill(0);
    this.#squares = new Array(count).fill(0);
  }

  /** Set the rate, and multiply the running powers of the betas once more. */
  beginStep(rate: number): void {
    this.#rate = rate;
    this.#power1 *= this.#settings.beta1;
    this.#power2 *= this.#settings.beta2;
  }

  /** Decay the weight, then move by the mean over the root of the mean square. */
  move(place: number, parameter: number, gradient: number): number | null {
    const { beta1, beta2, epsilon } = this.#settings;
    const mean = beta1 * this.#means[place]! + (1 - beta1) * gradient;
    const square = beta2 * this.#squares[place]! + (1 - beta2) * (gradient * gradient);
    this.#means[place] = mean;
    this.#squares[place] = square;
    const unbiased = square / (1 - this.#power2);
    if (!Number.isFinite(mean) || !Number.isFinite(unbiased)) return null;
    const root = elementary.sqrt(unbiased);
    const step = mean / (1 - this.#power1) / (root + epsilon);
    const moved = parameter * (1 - this.#rate * this.#weightDecay) - this.#rate * step;
    return Number.isFinite(moved) ? moved + 0 : null;
  }
}

/** Make the optimizer of the settings for `count` parameters. */
function updateRule(settings: Settings, count: number): UpdateRule {
  const { optimizer, weightDecay } = settings;
  if (optimizer === "sgd") return new Sgd(settings, count);
  return new AdamW(settings, count, optimizer === "adamw" ? weightDecay : 0);
}

/** The state after `step` steps. `gradient_norm` is null if it overflows. */
export interface Point {
  step: number;
  loss: number;
  gradient_norm: number | null;
  parameters: Record<string, number>;
}

/** Why step `step` is missing. `row` is null if the error is in no single row. */
export interface Fault {
  step: number;
  row: number | null;
  error: Record<string, unknown>;
}

/** A whole descent; `fault` is null if all steps were made. */
export interface Descent {
  document: GradientDocument;
  trajectory: Point[];
  fault: Fault | null;
}

/**
 * A descent that computes each point on demand, so it can be paused.
 *
 * After the last point, `fault` says what ended it, or is null. If the deadline passes within a
 * step, DeadlineExceeded is thrown: the points before it stay valid, and there are no more.
 */
export class Descending implements IterableIterator<Point, undefined> {
  fault: Fault | null = null;
  readonly document: GradientDocument;
  readonly #settings: Settings;
  readonly #batch: Batch;
  readonly #optimizer: UpdateRule;
  readonly #deadline: Deadline;
  readonly #points: Generator<Point, undefined>;

  /**
   * Check the options.
   *
   * @param subject a text, a Value, or a document, which says which variables are parameters
   * @param values by name, for a text; the parameters start there
   * @param options its limits include `descent_nodes` to compute (those of all rows at each step)
   *   and `descent_numbers` to list
   * @throws {GradientError} an option is invalid, or there is too much to compute or to list
   * @throws {DeadlineExceeded} the deadline has passed
   */
  constructor(subject: Subject, values: Values = {}, options: Options & DescentOptions = {}) {
    const { limits, deadline = NEVER } = options;
    const document = documentOf(subject, values, options);
    this.document = document;
    this.#deadline = deadline;
    this.#settings = checkSettings(document, options, checkLimits(limits), deadline);
    this.#batch = new Batch(document, this.#settings.rows, this.#settings.loss, deadline);
    const { parameters } = this.#batch;
    this.#optimizer = updateRule(this.#settings, parameters.length);
    this.#points = this.#descend(parameters.map(({ name }) => document.values[name]!));
  }

  [Symbol.iterator](): this {
    return this;
  }

  /** Make steps up to the next listed point, and return it. */
  next(): IteratorResult<Point, undefined> {
    return this.#points.next();
  }

  *#descend(begin: readonly number[]): Generator<Point, undefined> {
    const { rows, steps, every, zeroGrad } = this.#settings;
    const stepsPerCheck = passesPerCheck(rows.length * this.document.nodes.length);
    let parameters = begin;
    let loss = 0;
    let gradients: readonly number[] = begin.map(() => 0);
    for (let step = 0; step <= steps; step++) {
      if (step % stepsPerCheck === 0 && steps >= stepsPerCheck) this.#deadline.check();
      try {
        if (step > 0) parameters = this.#move(step, parameters, gradients);
        const found = this.#batch.differentiate(parameters);
        loss = found.loss;
        gradients = zeroGrad ? found.gradients : this.#add(gradients, found.gradients);
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

  /** Add to the gradients of earlier steps; throws Failed if a sum is too large. */
  #add(gradients: readonly number[], slopes: readonly number[]): number[] {
    return this.#batch.parameters.map(({ name, node }, place) => {
      const sum = gradients[place]! + slopes[place]!;
      if (Number.isFinite(sum)) return sum;
      const quantity = `the gradient of \`${name}\`, added up over all steps,`;
      throw new Failed(null, tooLarge("grad", quantity, node));
    });
  }

  /** Move all parameters; throws Failed if one becomes too large. */
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
 * The document says which variables are parameters, and where they start. An error in a step is not
 * raised: it is the `fault` that ends the descent.
 *
 * @throws {GradientError} an option is invalid, or there is too much to compute or to list
 * @throws {DeadlineExceeded} the deadline has passed
 */
export function descend(
  subject: Subject,
  values: Values = {},
  options: Options & DescentOptions = {},
): Descent {
  const descending = new Descending(subject, values, options);
  const trajectory = [...descending];
  return { document: descending.document, trajectory, fault: descending.fault };
}

function norm(gradients: readonly number[]): number | null {
  let squares = 0;
  for (const gradient of gradients) squares += gradient * gradient;
  return Number.isFinite(squares) ? elementary.sqrt(squares) : null;
}
