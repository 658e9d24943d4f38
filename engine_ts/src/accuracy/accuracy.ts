/** Outline + values + document -> the reply: every number beside the true one. */

import type { Document, Outline } from "../document.ts";
import { GradientError } from "../errors.ts";
import { variables } from "../lab/checks.ts";
import { checkLimits, DEFAULT_LIMITS } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { frexp, ldexp } from "../numerics/builtins.ts";
import { checkAsks } from "./asks.ts";
import type { Part, Why } from "./asks.ts";
import { judge } from "./claims.ts";
import type { Case, Judged, Verdict } from "./claims.ts";
import { programOf } from "./program.ts";
import type { Passes } from "./program.ts";
import { Shares } from "./shares.ts";
import type { Rounding, RoundingKind } from "./shares.ts";
import { BITS, countsAsZero, settle, Truth, trueNumbers } from "./truth.ts";
import type { Numbers, Told } from "./truth.ts";
import { witness } from "./witnesses.ts";
import type { Witnesses } from "./witnesses.ts";

/**
 * The true number, and what the document's is off by, also in units of its last place.
 *
 * `bits` are those that are right, up to 53. What does not exist, or is no double, is null.
 */
export interface Beside {
  true: number | null;
  error: number | null;
  ulps: number | null;
  bits: number | null;
  reason: Told["true"]["reason"];
}

/** A node's numbers; an exponent has no grad. */
export interface NodeBeside {
  id: number;
  data: Beside;
  grad: Beside | null;
}

/** A rounding: its weight times what it is off by is its share of the error. */
export interface Culprit {
  kind: RoundingKind;
  node: number;
  slot: number | null;
  rounding: number | null;
  weight: number | null;
  share: number;
}

/** Where the error of a number comes from: its largest shares. */
export interface Explained {
  node: number;
  number: Part;
  error: number | null;
  culprits: Culprit[];
}

/** A claimed gradient beside the truth. */
export interface Claimed {
  node: number;
  value: number;
  error: number | null;
  bits: number | null;
  scale: number | null;
  verdict: Verdict;
  kinks: readonly number[];
}

/** The truth about a program at its values, and about its document where it has one. */
export interface Accuracy {
  document: Document | null;
  error: Record<string, unknown> | null;
  nodes: NodeBeside[];
  result: Beside;
  gradients: Record<string, Beside>;
  why: Explained;
  claims: Record<string, Claimed>;
  counts_as_zero: number[];
  witnesses: Witnesses | null;
}

export interface AccuracyOptions {
  /** Whose error is explained: a node by id or label, and which number; null for the result. */
  readonly why?: { readonly node: number | string; readonly number?: Part } | null;
  /** Gradients, by label or id, that another program computed. */
  readonly claimed?: Readonly<Record<string, number>>;
  /** What these may be off by, as a part of the true gradient: 1e-4 for single precision. */
  readonly tolerance?: number;
  /** How many culprits to name, from 0 to 100. */
  readonly most?: number;
  /** Whether to add forward mode and central differences. */
  readonly witnesses?: boolean;
}

/**
 * Compare every number of a document with the true one (CONTRACT.md R38).
 *
 * @param outline the program's; a document has all that is read of it, too
 * @param values of the variables, by name
 * @param outcome the document, or the error of its forward or backward pass
 * @param given of these limits, those of claims, of the truth's work and of evaluations
 * @throws {GradientError} a member is wrong, or there is too much work
 */
export function compare(
  outline: Outline | Document,
  values: ReadonlyMap<string, number>,
  outcome: Document | GradientError,
  options: AccuracyOptions = {},
  given: Partial<Limits> = DEFAULT_LIMITS,
): Accuracy {
  const limits = checkLimits(given);
  const { why = null, claimed = {}, tolerance = 1e-9, most = 3, witnesses = false } = options;
  const asks = checkAsks(outline, { why, claimed, tolerance, most, witnesses }, limits);
  const program = programOf(outline, values);
  const document = outcome instanceof GradientError ? null : outcome;
  const truth = new Truth(program, undefined, limits.truth_work);
  const numbers = trueNumbers(truth, document);
  const names = variables(outline);
  const cases = [...asks.claimed.values()].map(([node, claim]): Case => ({
    node,
    claim,
    own: document?.nodes[node]!.grad ?? null,
  }));
  const judged = judge(truth, numbers, cases, asks.tolerance);
  const data = numbers.data.map(beside);
  const slopes = numbers.grads.map(beside);
  const claims = [...asks.claimed.keys()].map((name, index): [string, Claimed] => {
    const each = cases[index]!;
    return [name, claimedOf(each, numbers.grads[each.node]!, judged[index]!)];
  });
  return {
    document,
    error: outcome instanceof GradientError ? outcome.toJSON() : null,
    nodes: data.map((x, id) => ({ id, data: x, grad: asks.noGrad.has(id) ? null : slopes[id]! })),
    result: data[program.root]!,
    gradients: Object.fromEntries([...names].map(([name, node]) => [name, slopes[node]!])),
    why: explain(truth, document, numbers, asks.why, asks.most),
    claims: Object.fromEntries(claims),
    counts_as_zero: countsAsZero(numbers),
    witnesses:
      asks.witnesses && document !== null ? witness(truth, document, limits.evaluations) : null,
  };
}

/** Name the roundings with the largest shares of a number's error. */
export function explain(
  truth: Truth,
  document: Document | null,
  numbers: Numbers,
  { node, number }: Why,
  most: number,
): Explained {
  const told = (number === "data" ? numbers.data : numbers.grads)[node]!;
  let culprits: Culprit[] = [];
  const name = (found: Passes): boolean => {
    if (document === null) return true;
    const shares = new Shares(truth.program, document, found);
    const roundings = number === "data" ? shares.ofData(node) : shares.ofGrad(node);
    const named = largest(shares, roundings, most);
    culprits = named ?? [];
    return named !== null;
  };
  if (told.error !== null && told.error.double !== 0 && most > 0) truth.until(name, 1);
  return { node, number, error: told.error?.double ?? null, culprits };
}

/** Sort by |share|, node, slot and kind; null where these bits do not tell. */
function largest(shares: Shares, roundings: Iterable<Rounding>, most: number): Culprit[] | null {
  const { last } = shares;
  const rows: (Rounding & { readonly share: number })[] = [];
  for (const each of roundings) {
    const settled = settle(shares.share(each), last);
    if (settled === null) return null;
    const share = settled.double;
    if (share !== null && share !== 0) rows.push({ ...each, share });
  }
  rows.sort(
    (one, other) =>
      Math.abs(other.share) - Math.abs(one.share) ||
      one.node - other.node ||
      (one.slot ?? -1) - (other.slot ?? -1) ||
      (one.kind < other.kind ? -1 : 1),
  );
  const culprits: Culprit[] = [];
  for (const { kind, node, slot, own, weight, share } of rows.slice(0, most)) {
    const [rounding, magnified] = [settle(own, last), settle(weight, last)];
    if (rounding === null || magnified === null) return null;
    const row = { kind, node, slot, rounding: rounding.double, weight: magnified.double, share };
    culprits.push(row);
  }
  return culprits;
}

function beside(told: Told): Beside {
  const real = told.true.double;
  const error = told.error?.double ?? null;
  const both = real !== null && error !== null;
  return {
    true: real,
    error,
    ulps: both ? ulps(real, error) : null,
    bits: both ? bits(real, error) : null,
    reason: told.true.reason,
  };
}

/** Give |error| in units of the last place of the true number; null where that is no double. */
function ulps(real: number, error: number): number | null {
  const exponent = real !== 0 ? Math.max(frexp(real)[1] - BITS, -1074) : -1074;
  const units = ldexp(Math.abs(error), -exponent);
  return Number.isFinite(units) ? units : null;
}

/** Count the leading bits that are right: |error| <= 2**-bits |true|, from 0 to 53. */
export function bits(real: number, error: number): number {
  if (error === 0) return BITS;
  if (real === 0) return 0;
  const [[one, high], [other, low]] = [frexp(real), frexp(error)];
  return Math.min(Math.max(high - low - (other > one ? 1 : 0), 0), BITS);
}

function claimedOf({ node, claim }: Case, told: Told, judged: Judged): Claimed {
  const error = judged.error?.double ?? null;
  const real = told.true.double;
  return {
    node,
    value: claim,
    error,
    bits: real === null || error === null ? null : bits(real, error),
    scale: judged.scale?.double ?? null,
    verdict: judged.verdict,
    kinks: judged.kinks,
  };
}
