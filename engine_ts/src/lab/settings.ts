/** Unchecked members + document -> settings of a descent: its rows, and how parameters move. */

import type { Document } from "../document.ts";
import { InvalidRequest, InvalidValue, LimitExceeded } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { pointerStep } from "../request.ts";
import { checkChoice, checkNumber, checkNumbers, checkWhole, refuse } from "./conditions.ts";

export type Loss = "sum" | "mean";
const LOSSES: readonly Loss[] = ["sum", "mean"];
export type OptimizerName = "sgd" | "adam" | "adamw";
const OPTIMIZERS: readonly OptimizerName[] = ["sgd", "adam", "adamw"];
export type Schedule = "constant" | "linear";
const SCHEDULES: readonly Schedule[] = ["constant", "linear"];

const MOST_ROWS = 1_000;
const MOST_STEPS = 10_000;

/** How to descend; what is left out has the default that stands at it. */
export interface DescentOptions {
  /** For each row numbers for inputs, in place of the document's; one row without any. */
  readonly rows?: readonly Readonly<Record<string, number>>[];
  /** Of all rows: "mean". */
  readonly loss?: Loss;
  /** "sgd". */
  readonly optimizer?: OptimizerName;
  /** 0.1. */
  readonly learning_rate?: number;
  /** Whether the rate stays or falls in a line, to 0 after the last step: "constant". */
  readonly schedule?: Schedule;
  /** Of sgd: 0. */
  readonly momentum?: number;
  /** Of adam and adamw, as the two below: 0.9. */
  readonly beta1?: number;
  /** 0.999. */
  readonly beta2?: number;
  /** 1e-8. */
  readonly epsilon?: number;
  /** Of adamw: 0.01. */
  readonly weight_decay?: number;
  /** Whether gradients are set to 0 before each step, or else add up: true. */
  readonly zero_grad?: boolean;
  /** 100. */
  readonly steps?: number;
  /** A point is listed each so many steps, and at the last: 1. */
  readonly every?: number;
}

/** Checked members of a descent. */
export interface Settings {
  /** For each row, the data of variables, by id. */
  readonly rows: readonly ReadonlyMap<number, number>[];
  readonly loss: Loss;
  readonly optimizer: OptimizerName;
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

/** Check each member in turn; the first fault is the error (CONTRACT.md R40). */
export function checkSettings(
  document: Document,
  options: DescentOptions,
  limits: Limits,
): Settings {
  const parameters = document.nodes.filter(({ kind }) => kind === "parameter");
  if (parameters.length === 0) {
    const message =
      "a descent moves parameters, and no variable of the program is one; " +
      "list under parameters those that it may move";
    throw new InvalidRequest(message, null, { pointer: "/parameters" });
  }
  const settings = {
    rows: checkRows(document, given(options.rows, [{}])),
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
    steps: checkWhole("steps", given(options.steps, 100), 0, MOST_STEPS),
    every: checkWhole("every", given(options.every, 1), 1, MOST_STEPS),
  };
  checkWork(document, settings, limits.descent_nodes);
  checkLength(settings, parameters.length, limits.descent_numbers);
  return settings;
}

/** Give the default for what was left out; null is a value, and a wrong one. */
function given(value: unknown, otherwise: unknown): unknown {
  return value === undefined ? otherwise : value;
}

function checkRows(document: Document, rows: unknown): ReadonlyMap<number, number>[] {
  if (!Array.isArray(rows) || rows.length === 0 || rows.length > MOST_ROWS) {
    refuse("rows", `an array of 1 to ${MOST_ROWS} objects of numbers`, rows);
  }
  return rows.map((row, place) => checkRow(document, `rows/${place}`, row));
}

function checkRow(document: Document, member: string, row: unknown): Map<number, number> {
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
  return checkNumber(member, value, (number) => number >= 0, "a number from 0 up");
}

function checkPart(member: string, value: unknown): number {
  const what = "a number from 0 to less than 1";
  return checkNumber(member, value, (number) => number >= 0 && number < 1, what);
}

function checkEpsilon(value: unknown): number {
  return checkNumber("epsilon", value, (number) => number > 0, "a number above 0");
}

function checkFlag(member: string, flag: unknown): boolean {
  return typeof flag === "boolean" ? flag : refuse(member, "true or false", flag);
}

function checkWork({ nodes }: Document, { rows, steps }: Settings, limit: number): void {
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
