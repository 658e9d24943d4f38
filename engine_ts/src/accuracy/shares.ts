/**
 * Document + truth -> whose rounding a number's error comes from.
 *
 *     error(out) = own + sum over operands of mean slope * error(operand)
 *     error(contribution) = own + mean(local) * error(incoming) + mean(incoming) * error(local)
 *     error(local) = own + sum over what R3's formula reads of bend * error
 *
 * So the error is a sum over all roundings, each times a weight: its *share*. The sum is exact.
 */

import type { Document } from "../document.ts";
import { add, halve, isZero, mul, NoNumber, ofDouble, ONE, RANGE, sub, ZERO } from "./ball.ts";
import type { Ball } from "./ball.ts";
import { bendsOf, slopesOf } from "./means.ts";
import type { Bends, Place } from "./means.ts";
import { final, missing } from "./program.ts";
import type { MaybeBall, Passes, Program, Reason, Step } from "./program.ts";

export type RoundingKind = "data" | "local_grad" | "contribution" | "running_grad";
type Edge = Document["edges"][number];
type Operation = (a: Ball, b: Ball, p: number) => Ball;

/** Bits. Products and sums of any two doubles have fewer. */
const EXACT = 4400;
/** Holds every number that is out of range near 0; products with it are in range. */
const NEXT_TO_0: Ball = { m: 0n, r: 1n, e: -RANGE / 2 };

/** A rounding that the document made, and what an error there does to the number in question. */
export interface Rounding {
  readonly kind: RoundingKind;
  readonly node: number;
  readonly slot: number | null;
  readonly own: MaybeBall;
  readonly weight: MaybeBall;
}

/** The roundings of a document and all mean slopes, at a level of precision. */
export class Shares {
  readonly data: readonly MaybeBall[];
  readonly grads: readonly MaybeBall[];
  readonly last: boolean;
  readonly #steps: readonly Step[];
  readonly #found: Passes;
  readonly #p: number;
  /** By node and slot. */
  readonly #edges: readonly (readonly Edge[])[];
  readonly #places: readonly (Place | null)[];
  /** The running gradient to which a contribution was added, by node and slot. */
  readonly #before: readonly (readonly (number | null)[])[];

  /** Compute them all once, for any number in question. */
  constructor({ steps }: Program, { nodes, edges }: Document, found: Passes) {
    this.#steps = steps;
    this.#found = found;
    this.#p = found.level.p;
    this.last = found.level.last;
    this.data = nodes.map(({ data }) => exactly(data));
    this.grads = nodes.map(({ grad }) => exactly(grad));
    const slots: Edge[][] = nodes.map(() => []);
    for (const edge of edges) slots[edge.to]![edge.slot] = edge;
    this.#edges = slots;
    this.#places = [...steps.keys()].map((node) => this.#place(node));
    this.#before = this.#runningGrads();
  }

  /**
   * Give an operation at the doubles and the true numbers.
   *
   * Its result is out of range only where the document has a 0.
   */
  #place(node: number): Place | null {
    const { operation, operands, row, exponent } = this.#steps[node]!;
    if (row === null) return null;
    const { level, ...found } = this.#found;
    const x = operands.map((operand) => this.data[operand] as Ball);
    const trueX = operands.map((operand) => found.data[operand] as Ball);
    const [out, trueOut] = [this.data[node] as Ball, found.data[node] as Ball];
    const trueSlopes = found.slopes[node] as readonly Ball[];
    let value: Ball;
    try {
      value = row.value(level, ...x, ...exponent);
    } catch (error) {
      if (!(error instanceof NoNumber)) throw error;
      value = NEXT_TO_0;
    }
    return { level, symbol: operation!, x, trueX, exponent, value, out, trueOut, trueSlopes };
  }

  /** Compare an operation's doubles with the true numbers; else say why there are none. */
  #known<Known>(
    node: number,
    compute: (place: Place) => Known,
    needed: readonly MaybeBall[] = [],
  ): Known | Reason {
    const place = this.#places[node] ?? null;
    if (place === null) return "depends";
    const reason = missing([...place.trueX, place.trueOut, ...needed]);
    if (reason !== null) return reason;
    try {
      return compute(place);
    } catch (error) {
      return final(place.level, error);
    }
  }

  /** Give what an error of each operand is multiplied by. */
  #slopes(node: number): readonly MaybeBall[] {
    const slopes = this.#known(node, slopesOf);
    return typeof slopes === "string" ? this.#steps[node]!.operands.map(() => slopes) : slopes;
  }

  /** Give the local gradients at the doubles, and what errors do to them. */
  #bends(node: number): Bends {
    const bends = this.#known(node, bendsOf, this.#found.slopes[node]!);
    if (typeof bends !== "string") return bends;
    const { operands } = this.#steps[node]!;
    const none = [...operands, node].map(() => bends);
    return { formulas: none, bends: operands.map(() => none) };
  }

  /** Give what was there before each contribution, in R4's order. */
  #runningGrads(): (number | null)[][] {
    const running: (number | null)[] = this.#steps.map(() => 0);
    const before: (number | null)[][] = this.#steps.map(() => []);
    for (let node = this.#steps.length - 1; node >= 0; node--) {
      for (const [slot, operand] of this.#steps[node]!.operands.entries()) {
        before[node]!.push(running[operand]!);
        running[operand] = this.#edges[node]![slot]!.running_grad;
      }
    }
    return before;
  }

  /** Give the roundings that the data of a node comes from. */
  ofData(node: number): Iterable<Rounding> {
    const weights: MaybeBall[] = new Array<MaybeBall>(node + 1).fill(ZERO);
    weights[node] = ONE;
    return this.#ofData(weights);
  }

  *#ofData(weights: MaybeBall[]): Iterable<Rounding> {
    for (let node = weights.length - 1; node >= 0; node--) {
      const weight = weights[node]!;
      const place = this.#places[node] ?? null;
      if (isNothing(weight) || place === null) continue;
      const own = this.#less(place.out, place.value);
      yield { kind: "data", node, slot: null, own, weight };
      const slopes = this.#slopes(node);
      for (const [slot, operand] of this.#steps[node]!.operands.entries()) {
        const sent = productOf(weight, slopes[slot]!, this.#p);
        weights[operand] = sumOf(weights[operand]!, sent, this.#p);
      }
    }
  }

  /**
   * Give the roundings that the gradient of a node comes from.
   *
   * `reach` is what an error of each node's gradient does to it, `weights` one of its data.
   */
  *ofGrad(leaf: number): Iterable<Rounding> {
    const p = this.#p;
    const reach: MaybeBall[] = this.#steps.map(() => ZERO);
    reach[leaf] = ONE;
    const weights: MaybeBall[] = this.#steps.map(() => ZERO);
    for (const [node, { operands }] of this.#steps.entries()) {
      if (operands.every((operand) => isNothing(reach[operand]!))) continue;
      const { formulas, bends } = this.#bends(node);
      for (const [slot, operand] of operands.entries()) {
        let weight = reach[operand]!;
        if (isNothing(weight)) continue;
        const edge = this.#edges[node]![slot]!;
        const [local, sent] = [exactly(edge.local_grad), exactly(edge.contribution)];
        const slope = this.#mean(local, this.#found.slopes[node]![slot]!);
        reach[node] = sumOf(reach[node]!, productOf(weight, slope, p), p);
        const own = this.#less(sent, productOf(this.grads[node]!, local, EXACT));
        yield { kind: "contribution", node, slot, own, weight };
        const total = sumOf(exactly(this.#before[node]![slot]!), sent, EXACT);
        const running = this.#less(exactly(edge.running_grad), total);
        yield { kind: "running_grad", node, slot, own: running, weight };
        const incoming = this.#mean(this.grads[node]!, this.#found.grads[node]!);
        weight = productOf(weight, incoming, p);
        const formula = this.#less(local, formulas[slot]!);
        yield { kind: "local_grad", node, slot, own: formula, weight };
        for (const [index, bend] of bends[slot]!.entries()) {
          const read = operands[index] ?? node;
          weights[read] = sumOf(weights[read]!, productOf(weight, bend, p), p);
        }
      }
    }
    yield* this.#ofData(weights);
  }

  #less(a: MaybeBall, b: MaybeBall): MaybeBall {
    return applied(sub, a, b, this.#p);
  }

  #mean(a: MaybeBall, b: MaybeBall): MaybeBall {
    const total = sumOf(a, b, this.#p);
    return typeof total === "string" ? total : halve(total);
  }

  /** Give what a rounding has of the error. */
  share({ weight, own }: Rounding): MaybeBall {
    return productOf(weight, own, this.#p);
  }
}

function exactly(x: number | null): MaybeBall {
  return x === null ? "depends" : ofDouble(x);
}

function isNothing(a: MaybeBall): boolean {
  return typeof a !== "string" && isZero(a);
}

/** Give the product; 0 wins over what is not known, as nothing passes there. */
function productOf(a: MaybeBall, b: MaybeBall, p: number): MaybeBall {
  return isNothing(a) || isNothing(b) ? ZERO : applied(mul, a, b, p);
}

function sumOf(a: MaybeBall, b: MaybeBall, p: number): MaybeBall {
  return applied(add, a, b, p);
}

function applied(operation: Operation, a: MaybeBall, b: MaybeBall, p: number): MaybeBall {
  if (typeof a === "string" || typeof b === "string") return missing([a, b])!;
  try {
    return operation(a, b, p);
  } catch (error) {
    if (!(error instanceof NoNumber)) throw error;
    return error.reason;
  }
}
