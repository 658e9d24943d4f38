/**
 * Document -> its gradients by forward mode and by central differences, next to the exact ones.
 *
 * They teach and do not judge: forward mode multiplies the same local gradients from the other end,
 * and a central difference is the definition of a derivative. Its error over the step is a V:
 * truncation at the right, rounding at the left.
 */

import { NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { GradientDocument } from "../document.ts";
import { LimitExceeded } from "../errors.ts";
import { variables } from "../lab/checks.ts";
import { tapeOf } from "../lab/tape.ts";
import type { Tape } from "../lab/tape.ts";
import { OutsideDomain } from "../operations.ts";
import type { Operation } from "../operations.ts";
import { ofDouble, sub } from "./ball.ts";
import { settle } from "./truth.ts";
import type { Numbers, Passes, Settled, Truth } from "./truth.ts";

/** Steps h are 2**-k |x|, or 2**-k if x is 0. */
const STEPS = Array.from({ length: 13 }, (_, index) => 4 * (index + 1));
const EVALUATIONS = 2 * STEPS.length;

/** A gradient by other means, null if it overflows, and its error. */
interface Estimate {
  value: number | null;
  error: number | null;
}

/** (f(x + h) - f(x - h)) / 2h, with h as it was rounded. */
interface CentralDifference extends Estimate {
  step: number;
}

/** The gradient of a variable by both methods. */
interface Estimates {
  forward: Estimate;
  central: CentralDifference[];
}

interface Price {
  passes: number;
  multiplications: number;
}

/** Passes over the graph, and multiplications by local gradients, for all gradients. */
interface Cost {
  reverse: Price;
  forward: Price;
  central: Price;
}

/** The estimates for all variables, and the cost of each method. */
export interface OtherMethods {
  variables: Record<string, Estimates>;
  cost: Cost;
}

/**
 * Compute the gradients of all variables by the other methods, computing at most `most` nodes.
 *
 * @throws {LimitExceeded} too many variables for so large a graph
 * @throws {DeadlineExceeded} the deadline of `truth` has passed
 */
export function otherMethods(
  truth: Truth,
  numbers: Numbers,
  document: GradientDocument,
  most: number,
): OtherMethods {
  const ids = variables(document);
  checkSize(ids.size * document.nodes.length * EVALUATIONS, most);
  truth.deadline.check();
  const tape = tapeOf(document);
  const found = [...ids].map(([name, leaf]): [string, Estimates] => {
    const real = numbers.grads[leaf]!.true.double;
    const forward = comparedOf(truth, leaf, real, forwardMode(document, leaf));
    const central: CentralDifference[] = [];
    const x = tape[leaf]!.data;
    for (const k of truth.deadline.over(STEPS)) {
      const step = x + (Math.abs(x) || 1) / 2 ** k - x;
      if (Number.isFinite(step) && step > 0) {
        const quotient = quotientOf(tape, leaf, step, truth.deadline);
        central.push({ step, ...comparedOf(truth, leaf, real, quotient) });
      }
    }
    return [name, { forward, central }];
  });
  return { variables: Object.fromEntries(found), cost: costOf(document, ids.size) };
}

function checkSize(actual: number, limit: number): void {
  if (actual > limit) {
    const message =
      `central differences of this graph take ${actual} evaluations of nodes; ` +
      `at most ${limit} are accepted`;
    const data = { name: "evaluations", limit, actual };
    throw new LimitExceeded(message, null, data);
  }
}

/** Push the tangent 1 of a variable to the root, slot by slot. */
function forwardMode({ nodes, edges, root }: GradientDocument, leaf: number): number {
  const tangents = nodes.map(() => 0);
  tangents[leaf] = 1;
  for (const { from, to, local_grad: local } of edges) {
    if (local !== null) tangents[to]! += local * tangents[from]!;
  }
  return tangents[root]!;
}

function quotientOf(tape: Tape, leaf: number, step: number, deadline: Deadline): number | null {
  const x = tape[leaf]!.data;
  const above = resultOf(tape, leaf, x + step, deadline);
  const below = resultOf(tape, leaf, x - step, deadline);
  return above === null || below === null ? null : (above - below) / (2 * step);
}

/** Compute the program with another value; null outside a domain or on overflow. */
function resultOf(tape: Tape, leaf: number, x: number, deadline: Deadline): number | null {
  if (!Number.isFinite(x)) return null;
  const data: number[] = [];
  const watched = deadline.over([...tape.entries()], NODES_PER_CHECK);
  for (const [node, { operation, operands, data: known }] of watched) {
    if (operation === null) data.push(node === leaf ? x : known);
    else {
      const numbers = operands.map((operand) => data[operand]!);
      const out = computed(operation, numbers);
      if (out === null || !Number.isFinite(out)) return null;
      data.push(out);
    }
  }
  return data.at(-1)!;
}

function computed(operation: Operation, operands: readonly number[]): number | null {
  try {
    return operation.rule(...operands)[0];
  } catch (error) {
    if (error instanceof OutsideDomain) return null;
    throw error;
  }
}

/** Compare a gradient with the exact one, if there are both. */
function comparedOf(
  truth: Truth,
  leaf: number,
  real: number | null,
  value: number | null,
): Estimate {
  if (value === null || !Number.isFinite(value)) return { value: null, error: null };
  if (real === null) return { value: value + 0, error: null };
  let error: Settled | null = null;
  truth.until(({ level, grads }: Passes) => {
    const number = grads[leaf]!;
    const off = typeof number === "string" ? number : sub(ofDouble(value), number, level.p);
    error = settle(off, level);
    return error !== null;
  });
  return { value: value + 0, error: (error as Settled | null)!.double };
}

function costOf({ edges }: GradientDocument, count: number): Cost {
  const multiplications = edges.filter(({ differentiable }) => differentiable).length;
  return {
    reverse: { passes: 2, multiplications },
    forward: { passes: count, multiplications: count * multiplications },
    central: { passes: count * EVALUATIONS, multiplications: 0 },
  };
}
