/** What a row of the table holds, and how a row that is written as a call is a method, too. */

export type LocalGrads = readonly (number | null)[];
/** data, then a local gradient for each operand, left to right. */
export type Computed = readonly [data: number, ...localGrads: LocalGrads];
export type Rule = (...operands: number[]) => Computed;

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

/** A number that changes its sign where the local gradients jump. */
export type Kink = (...operands: number[]) => number;

/** The operation has no value at these operands; the message says why. */
export class OutsideDomain extends Error {}

/**
 * A row of the table.
 *
 * `formulas` are the local gradients that `rule` computes, written in the calculus itself, so that
 * they can be computed from other operands than `out` was, and be differentiated in their turn.
 * `expansion` builds a derived operation from primitives. `kink` is of operations that are not
 * differentiable everywhere in their domain, `wave` of those that rise and fall without an end.
 */
export interface Operation {
  readonly symbol: string;
  readonly name: string;
  readonly form: Form;
  readonly arity: number;
  readonly rule: Rule;
  readonly formulas: Formulas;
  readonly expansion: Expansion | null;
  readonly kink: Kink | null;
  readonly wave: boolean;
  /** True where the operation can be built from others. */
  readonly derived: boolean;
}

/** A row that is written as a call, without its name: `exp: call(rule, formulas)`. */
export interface Call<R extends Rule> {
  readonly rule: R;
  readonly formulas: Formulas;
  readonly expansion: Expansion | null;
  readonly kink: Kink | null;
  readonly wave: boolean;
}

interface Rest {
  readonly expansion?: Expansion;
  readonly kink?: Kink;
  readonly wave?: boolean;
}

export function call<R extends Rule>(
  rule: R,
  formulas: Formulas,
  { expansion, kink, wave = false }: Rest = {},
): Call<R> {
  return { rule, formulas, expansion: expansion ?? null, kink: kink ?? null, wave };
}

/** The calls as methods: `exp(x)` is `x.exp()`, and the second operand may be a number. */
export type Methods<Calls, X> = {
  [Name in keyof Calls]: Calls[Name] extends Call<infer R> ? Method<R, X> : never;
};

type Method<R, X> = R extends (x: number, ...others: infer Others) => Computed
  ? (...others: { [Slot in keyof Others]: X | number }) => X
  : never;
