/** What a row of the table holds, and how a row that is written as a call is a method, too. */

export type LocalGrads = readonly (number | null)[];
/** data, then a local gradient for each operand, left to right. */
export type Computed = readonly [data: number, ...localGrads: LocalGrads];
export type Rule = (...operands: number[]) => Computed;

/**
 * data, and the local gradients of the left and of the right operand, by node.
 *
 * Plain arrays: V8 keeps doubles in them as they are, and makes three of ten numbers in a tenth of
 * the time of three typed ones.
 */
export class Cells {
  readonly data: number[];
  readonly lefts: number[];
  readonly rights: number[];

  /** Take the data of the leaves, which have no local gradients. */
  constructor(data: number[]) {
    this.data = data;
    this.lefts = new Array<number>(data.length);
    this.rights = new Array<number>(data.length);
  }

  at(node: number): number {
    return this.data[node]!;
  }

  /** Put what an operation computed; an operand into which no gradient flows has 0. */
  put(node: number, data: number, left: number, right = 0): void {
    this.data[node] = data;
    this.lefts[node] = left;
    this.rights[node] = right;
  }
}

/**
 * Computes an operation on the nodes left and right, and puts data and local gradients at its node.
 *
 * A function that took and returned doubles would make an object of each, which takes longer than
 * the arithmetic. One of a single operand ignores right.
 */
export type Write = (cells: Cells, node: number, left: number, right: number) => void;

/** What a formula is written in: the data of an operand or result, and whatever else it carries. */
export interface Term {
  readonly data: number;
}
/** Applies an operation to terms and plain numbers, and gives its result. */
export type Apply<T extends Term> = (symbol: string, ...terms: (T | number)[]) => T;
export type Formulas = <T extends Term>(
  apply: Apply<T>,
  out: T,
  ...operands: T[]
) => readonly (T | number | null)[];

/** How an operation is written: `x + y`, `-x`, `exp(x)`. */
export type Form = "infix" | "prefix" | "call";

/** Applies a primitive to operands, results and plain numbers, and gives its result. */
export type Build<Term> = (symbol: string, ...terms: (Term | number)[]) => Term;
export type Expansion = <Term>(build: Build<Term>, ...operands: Term[]) => Term;

/** The operation has no value at these operands; the message says why. */
export class OutsideDomain extends Error {}

/**
 * A row of the table.
 *
 * `write` is the calculus itself; `rule` calls it for one operation and returns what it put.
 * `formulas` are the local gradients that `rule` computes, written in the calculus itself, so that
 * they can be computed from other operands than `out` was, and be differentiated in their turn.
 * `expansion` builds a derived operation from primitives.
 */
export interface Operation {
  readonly symbol: string;
  readonly name: string;
  readonly form: Form;
  readonly arity: number;
  readonly write: Write;
  readonly rule: Rule;
  readonly formulas: Formulas;
  readonly expansion: Expansion | null;
  /** True where the operation can be built from others. */
  readonly derived: boolean;
}

/** A row that is written as a call, without its name: `exp: call(write, formulas)`. */
export interface Call<W extends Write> {
  readonly write: W;
  readonly formulas: Formulas;
  readonly expansion: Expansion | null;
}

export function call<W extends Write>(
  write: W,
  formulas: Formulas,
  expansion: Expansion | null = null,
): Call<W> {
  return { write, formulas, expansion };
}

/** The calls as methods: `exp(x)` is `x.exp()`, and the second operand may be a number. */
export type Methods<Calls, X> = {
  [Name in keyof Calls]: Calls[Name] extends Call<infer W> ? Method<W, X> : never;
};

type Method<W, X> = W extends (
  cells: Cells,
  node: number,
  left: number,
  ...others: infer Others
) => void
  ? (...others: { [Slot in keyof Others]: X | number }) => X
  : never;
