/**
 * Program and values -> accuracy: every number of its document next to the exact one.
 *
 * The document may also be the error of its passes. `compare` takes checked members, and explains an
 * error by its roundings; `accuracy` takes a text, a document or a Value.
 */

import { NEVER, NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import { buildOutline } from "../document.ts";
import type { GradientDocument, Outline } from "../document.ts";
import { DomainError, GradientError, InvalidRequest, InvalidValue, NonFinite } from "../errors.ts";
import { differentiate, prepareText } from "../introspect.ts";
import type { Options, Prepared } from "../introspect.ts";
import { checkChoice, checkFlag, checkTolerance, checkWhole } from "../lab/checks.ts";
import { idsByLabel, refuse, variables } from "../lab/checks.ts";
import { checkLimits, DEFAULT_LIMITS } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { frexp, ldexp } from "../numerics/builtins.ts";
import { CUSTOM } from "../operations.ts";
import { checkRequest, described, isDouble, pointerStep, quoted } from "../request.ts";
import { refuseTooMany } from "../request.ts";
import type { GradientRequest } from "../request.ts";
import { refuseValues } from "../subject.ts";
import type { Subject } from "../subject.ts";
import { Value } from "../value.ts";
import { prepareValue } from "../value_graph.ts";
import { ErrorShares } from "./attribution.ts";
import type { Rounding, RoundingKind } from "./attribution.ts";
import { firstKinks, judge } from "./claims.ts";
import type { Case, Judged, Verdict } from "./claims.ts";
import { otherMethods } from "./finite_differences.ts";
import type { OtherMethods } from "./finite_differences.ts";
import { BITS, countsAsZero, ballProgram, settle, Truth, trueNumbers } from "./truth.ts";
import type { Compared, Numbers, Passes } from "./truth.ts";

export type Part = "data" | "grad";
const PARTS: readonly Part[] = ["data", "grad"];
const MAX_CULPRITS = 100;

export interface AccuracyOptions {
  /**
   * The number whose error is explained: a node by id or label, and data or grad; null for the
   * result.
   */
  readonly why?: { readonly node: number | string; readonly number?: Part } | null;
  /** Gradients, by label or id, that another program computed. */
  readonly claimed?: Readonly<Record<string, number>>;
  /** The allowed error of a claim, as a share of the exact gradient: 1e-4 for single precision. */
  readonly tolerance?: number;
  /** The maximum number of culprits to name, from 0 to 100. */
  readonly most?: number;
  /** Whether to add forward mode and central differences. */
  readonly witnesses?: boolean;
}

/** A number of a node. */
interface Why {
  readonly node: number;
  readonly number: Part;
}

/** The names of nodes, and the nodes without a gradient. */
interface Names {
  /** By label. */
  readonly ids: ReadonlyMap<string, readonly number[]>;
  readonly root: number;
  readonly noGrad: ReadonlySet<number>;
}

/** Unchecked members. */
interface Members {
  readonly why: unknown;
  readonly claimed: unknown;
  readonly tolerance: unknown;
  readonly most: unknown;
  readonly witnesses: unknown;
}

/** Checked members. */
interface CheckedMembers {
  readonly why: Why;
  /** Node and claim by the given name. */
  readonly claimed: ReadonlyMap<string, readonly [node: number, claim: number]>;
  readonly tolerance: number;
  readonly most: number;
  readonly witnesses: boolean;
  /** Nodes that no gradient flows into. */
  readonly noGrad: ReadonlySet<number>;
}

/**
 * Check each member in turn; the first invalid one is the error (CONTRACT.md R38).
 *
 * @throws {InvalidRequest} a member is invalid
 * @throws {InvalidValue} a claim is not a finite number, or names no node with a gradient
 * @throws {LimitExceeded} there are more claims than `limits.variables`
 */
function checkMembers(
  outline: Outline | GradientDocument,
  members: Members,
  limits: Limits,
): CheckedMembers {
  const exponents = outline.edges.filter(({ differentiable }) => !differentiable);
  const noGrad = new Set(exponents.map(({ from }) => from));
  const names = { ids: idsByLabel(outline), root: outline.root, noGrad };
  const why = checkWhy(names, members.why);
  const claimed = checkClaims(names, members.claimed, limits);
  const tolerance = checkTolerance(members.tolerance);
  const most = checkWhole("most", members.most, 0, MAX_CULPRITS);
  const witnesses = checkFlag("witnesses", members.witnesses);
  return { why, claimed, tolerance, most, witnesses, noGrad };
}

function checkWhy(names: Names, why: unknown): Why {
  if (why === null) return { node: names.root, number: "data" };
  if (typeof why !== "object" || Array.isArray(why)) {
    refuse("why", "an object with node and number, or null", why);
  }
  const members = new Map<string, unknown>(Object.entries(why!));
  for (const name of [...members.keys()].sort()) {
    if (name !== "node" && name !== "number") {
      const where = { pointer: "/why" + pointerStep(name) };
      throw new InvalidRequest(`why has no member ${quoted(name)}`, null, where);
    }
  }
  const found = find(names, members.get("node"));
  if (typeof found === "string") throw new InvalidRequest(found, null, { pointer: "/why/node" });
  const given = members.has("number") ? members.get("number") : "grad";
  const number = checkChoice("why/number", given, PARTS);
  if (number === "grad" && names.noGrad.has(found)) {
    const message = `node ${found} is an exponent: it has no grad`;
    throw new InvalidRequest(message, null, { pointer: "/why/node" });
  }
  return { node: found, number };
}

function checkClaims(
  names: Names,
  claimed: unknown,
  limits: Limits,
): Map<string, readonly [node: number, claim: number]> {
  if (typeof claimed !== "object" || claimed === null || Array.isArray(claimed)) {
    refuse("claimed", "an object of numbers", claimed);
  }
  const claims = new Map<string, readonly [number, number]>();
  const given = new Map<string, unknown>(Object.entries(claimed));
  refuseTooMany("claimed", given.size, limits);
  for (const name of [...given.keys()].sort()) {
    const where = { name, pointer: "/claimed" + pointerStep(name) };
    const node = find(names, name);
    if (typeof node === "string") throw new InvalidValue(node, null, where);
    if (names.noGrad.has(node)) {
      throw new InvalidValue(`node ${node} is an exponent: it has no grad`, null, where);
    }
    const claim = given.get(name);
    if (!isDouble(claim)) {
      const message = `claimed must give \`${name}\` a finite number, not ${described(claim)}`;
      throw new InvalidValue(message, null, where);
    }
    claims.set(name, [node, claim]);
  }
  return claims;
}

/**
 * Find a node by its label or its id, given as a number or digits; else return why not.
 *
 * A label must be unique. No name of a program begins with a digit, so a label wins over an id.
 */
function find({ ids, root: last }: Names, item: unknown): number | string {
  const isText = typeof item === "string";
  const found = isText ? (ids.get(item) ?? []) : [];
  if (found.length === 1) return found[0]!;
  const number = isText ? (/^(?:0|[1-9][0-9]*)$/.test(item) ? Number(item) : null) : item;
  if (isDouble(number) && found.length === 0) {
    if (number >= 0 && number <= last && number % 1 === 0) return number + 0;
  }
  if (isText) {
    const count = found.length > 0 ? `${found.length} nodes have` : "no node has";
    return `${count} the label ${quoted(item)}; name the node by its id, from 0 to ${last}`;
  }
  return `a node is named by its label or its id, from 0 to ${last}, not by ${described(item)}`;
}

/**
 * The exact value, and the document's error, also in units of its last place.
 *
 * `bits` counts the right ones, up to 53. A number that does not exist or overflows is null.
 */
export interface NumberAccuracy {
  true: number | null;
  error: number | null;
  ulps: number | null;
  bits: number | null;
  reason: Compared["true"]["reason"];
}

/** A node's numbers; an exponent has no grad. */
interface NodeAccuracy {
  id: number;
  data: NumberAccuracy;
  grad: NumberAccuracy | null;
}

/** A rounding: its weight times its rounding error is its share of the error. */
export interface Culprit {
  kind: RoundingKind;
  node: number;
  slot: number | null;
  rounding: number | null;
  weight: number | null;
  share: number;
}

/** Where the error of a number comes from: its largest shares. */
interface Explained {
  node: number;
  number: Part;
  error: number | null;
  culprits: Culprit[];
}

/** A claimed gradient compared with the exact one. */
interface Claimed {
  node: number;
  value: number;
  error: number | null;
  bits: number | null;
  scale: number | null;
  verdict: Verdict;
  kinks: readonly number[];
}

/** The exact values of a program, compared with its document if it has one. */
export interface Accuracy {
  document: GradientDocument | null;
  error: Record<string, unknown> | null;
  nodes: NodeAccuracy[];
  result: NumberAccuracy;
  gradients: Record<string, NumberAccuracy>;
  why: Explained;
  claims: Record<string, Claimed>;
  counts_as_zero: number[];
  kinks: number[];
  witnesses: OtherMethods | null;
}

/**
 * Compare every number of a document with the exact one (CONTRACT.md R38).
 *
 * @param outline that of the program, or a document
 * @param values of the variables, by name
 * @param outcome the document, or the error of its forward or backward pass
 * @param given `variables` bounds the claims; `truth_work` and `evaluations` bound the work
 * @param deadline of the computation
 * @throws {GradientError} a member is invalid, or there is too much work
 * @throws {DeadlineExceeded} the deadline has passed
 */
export function compare(
  outline: Outline | GradientDocument,
  values: ReadonlyMap<string, number>,
  outcome: GradientDocument | GradientError,
  options: AccuracyOptions = {},
  given: Partial<Limits> = DEFAULT_LIMITS,
  deadline: Deadline = NEVER,
): Accuracy {
  const limits = checkLimits(given);
  const { why = null, claimed = {}, tolerance = 1e-9, most = 3, witnesses = false } = options;
  const checked = checkMembers(outline, { why, claimed, tolerance, most, witnesses }, limits);
  deadline.check();
  const program = ballProgram(outline, values, deadline);
  const document = outcome instanceof GradientError ? null : outcome;
  const truth = new Truth(program, limits.truth_work, deadline);
  const numbers = trueNumbers(truth, document);
  const kinks = firstKinks(truth);
  const names = variables(outline);
  const cases = [...checked.claimed.values()].map(([node, claim]): Case => ({
    node,
    claim,
    computed: document?.nodes[node]!.grad ?? null,
  }));
  const judged = judge(truth, numbers, cases, checked.tolerance);
  const data = Array.from(deadline.over(numbers.data, NODES_PER_CHECK), numberAccuracy);
  const slopes = Array.from(deadline.over(numbers.grads, NODES_PER_CHECK), numberAccuracy);
  const claims = [...checked.claimed.keys()].map((name, index): [string, Claimed] => {
    const each = cases[index]!;
    return [name, claimedOf(each, numbers.grads[each.node]!, judged[index]!)];
  });
  return {
    document,
    error: outcome instanceof GradientError ? outcome.toJSON() : null,
    nodes: data.map((x, id) => ({
      id,
      data: x,
      grad: checked.noGrad.has(id) ? null : slopes[id]!,
    })),
    result: data[program.root]!,
    gradients: Object.fromEntries([...names].map(([name, node]) => [name, slopes[node]!])),
    why: explain(truth, document, numbers, checked.why, checked.most),
    claims: Object.fromEntries(claims),
    counts_as_zero: countsAsZero(numbers),
    kinks,
    witnesses:
      checked.witnesses && document !== null
        ? otherMethods(truth, numbers, document, limits.evaluations)
        : null,
  };
}

/** Name the roundings with the largest shares of a number's error. */
function explain(
  truth: Truth,
  document: GradientDocument | null,
  numbers: Numbers,
  { node, number }: Why,
  most: number,
): Explained {
  const compared = (number === "data" ? numbers.data : numbers.grads)[node]!;
  let culprits: Culprit[] = [];
  const name = (found: Passes): boolean => {
    if (document === null) return true;
    const shares = new ErrorShares(truth.program, document, found, truth.deadline);
    const roundings = number === "data" ? shares.ofData(node) : shares.ofGrad(node);
    const named = largest(shares, roundings, most, truth.deadline);
    culprits = named ?? [];
    return named !== null;
  };
  if (compared.error !== null && compared.error.double !== 0 && most > 0) truth.until(name, 1);
  return { node, number, error: compared.error?.double ?? null, culprits };
}

/** Sort by |share|, node, slot and kind; null if p bits cannot decide it. */
function largest(
  shares: ErrorShares,
  roundings: Iterable<Rounding>,
  most: number,
  deadline: Deadline,
): Culprit[] | null {
  const { level } = shares;
  const rows: (Rounding & { readonly share: number })[] = [];
  let place = 0;
  for (const each of roundings) {
    if (place++ % NODES_PER_CHECK === 0) deadline.check();
    const settled = settle(shares.share(each), level);
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
  for (const { kind, node, slot, error, weight, share } of rows.slice(0, most)) {
    const [rounding, magnified] = [settle(error, level), settle(weight, level)];
    if (rounding === null || magnified === null) return null;
    const row = { kind, node, slot, rounding: rounding.double, weight: magnified.double, share };
    culprits.push(row);
  }
  return culprits;
}

function numberAccuracy(compared: Compared): NumberAccuracy {
  const real = compared.true.double;
  const error = compared.error?.double ?? null;
  const both = real !== null && error !== null;
  return {
    true: real,
    error,
    ulps: both ? ulps(real, error) : null,
    bits: both ? bits(real, error) : null,
    reason: compared.true.reason,
  };
}

/** Measure |error| in units of the exact value's last place; null if that overflows. */
function ulps(real: number, error: number): number | null {
  const exponent = real !== 0 ? Math.max(frexp(real)[1] - BITS, -1074) : -1074;
  const units = ldexp(Math.abs(error), -exponent);
  return Number.isFinite(units) ? units : null;
}

/** Count the right leading bits: |error| <= 2**-bits |true|, from 0 to 53. */
function bits(real: number, error: number): number {
  if (error === 0) return BITS;
  if (real === 0) return 0;
  const [[one, high], [other, low]] = [frexp(real), frexp(error)];
  return Math.min(Math.max(high - low - (other > one ? 1 : 0), 0), BITS);
}

function claimedOf({ node, claim }: Case, compared: Compared, judged: Judged): Claimed {
  const error = judged.error?.double ?? null;
  const real = compared.true.double;
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

/**
 * Compare every number of a program's document with the exact one (CONTRACT.md R38).
 *
 * Exact values are those of the program over the real numbers, at the given doubles. They may exist
 * even if a pass of the document fails; then the reply has the error instead of the document. A
 * custom operation has no exact value, so then the error is thrown.
 *
 * @param subject a text, a document or a Value
 * @param values by name, for a text
 * @throws {GradientError} the request is invalid, or takes too much work
 * @throws {DeadlineExceeded} the deadline has passed
 * @throws {RangeError} a limit is not a whole number of 0 or more
 */
export function accuracy(
  subject: Subject,
  values: Readonly<Record<string, number>> = {},
  options: Options & AccuracyOptions = {},
): Accuracy {
  if (typeof subject === "string") return accuracyOfText(subject, values, options);
  refuseValues(values);
  const { parameters, limits, deadline = NEVER, ...members } = options;
  let document: GradientDocument;
  if (subject instanceof Value) {
    const { prepared, request } = prepareValue(subject, parameters, limits);
    const outcome = outcomeOf(prepared, request, deadline);
    if (outcome instanceof GradientError) {
      if (prepared.graph.operations.some((row) => row?.symbol === CUSTOM)) throw outcome;
      const outline = buildOutline(request, prepared.graph, prepared.template);
      return compare(outline, request.values, outcome, members, limits, deadline);
    }
    document = { ...outcome, expression: null };
  } else {
    document = subject;
  }
  const given = new Map(Object.entries(document.values));
  return compare(document, given, document, members, limits, deadline);
}

/** Compare for unchecked members of a request; `expression` may have any type. */
export function accuracyOfText(
  expression: string,
  values: Readonly<Record<string, number>>,
  options: Options & AccuracyOptions = {},
): Accuracy {
  const { parameters = [], view = "folded", limits: given, deadline, ...members } = options;
  const limits = checkLimits(given);
  const request = checkRequest(expression, values, parameters, view, limits);
  const prepared = prepareText(request.expression, request.view, limits, deadline);
  return answer(prepared, request, members, limits, deadline);
}

/** Compare for a checked request and its prepared expression and view. */
function answer(
  prepared: Prepared,
  request: GradientRequest,
  members: AccuracyOptions,
  limits: Limits,
  deadline: Deadline = NEVER,
): Accuracy {
  const outcome = outcomeOf(prepared, request, deadline);
  const outline = buildOutline(request, prepared.graph, prepared.template);
  return compare(outline, request.values, outcome, members, limits, deadline);
}

/** Return the document, or the error of one of its passes. */
function outcomeOf(
  prepared: Prepared,
  request: GradientRequest,
  deadline: Deadline,
): GradientDocument | GradientError {
  let outcome: GradientDocument | GradientError;
  try {
    outcome = differentiate(prepared, request, deadline);
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof NonFinite)) throw error;
    outcome = error;
  }
  deadline.check();
  return outcome;
}
