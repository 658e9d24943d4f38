/** The pipeline on one screen: text to tokens, graph, order, forward, backward, document. */

import { parse } from "./language/parser.ts";
import type { Parsed } from "./language/parser.ts";
import * as syntax from "./language/syntax.ts";
import { tokenize } from "./language/tokens.ts";
import type { Token } from "./language/tokens.ts";
import { backward } from "./backward.ts";
import { NEVER } from "./deadline.ts";
import type { Deadline } from "./deadline.ts";
import { buildDocument, buildOutline } from "./document.ts";
import type { GradientDocument, Outline } from "./document.ts";
import { MissingValue } from "./errors.ts";
import { forward } from "./forward.ts";
import type { Graph } from "./graph.ts";
import { checkLimits, DEFAULT_LIMITS } from "./limits.ts";
import type { Limits } from "./limits.ts";
import { makeSteps, topologicalOrder } from "./order.ts";
import type { Step } from "./order.ts";
import { checkRequest } from "./request.ts";
import type { GradientRequest, View } from "./request.ts";
import { makeTemplate } from "./template.ts";
import type { Template } from "./template.ts";

/** The maximum number of names that a message lists. */
const SHOWN = 10;

/** Whether a name has a value. */
interface Names {
  has(name: string): boolean;
}

/** The optional members of a request. */
export interface Options {
  /** The variables to mark as parameters in the document. */
  readonly parameters?: readonly string[];
  /** Whether a derived operation, such as -, is one node or built from others. */
  readonly view?: View;
  /** Bounds on the size of the request; a missing one has its default. */
  readonly limits?: Partial<Limits>;
  /** Bounds the time; after it, DeadlineExceeded is thrown. */
  readonly deadline?: Deadline;
}

/** All that depends on the expression alone. It never changes, so requests may share it. */
export interface Prepared {
  readonly graph: Graph;
  readonly order: readonly number[];
  readonly steps: readonly Step[];
  readonly template: Template;
}

/**
 * Differentiate a scalar program and return every step in one document.
 *
 * @param expression the program, such as `(a + b) * c` or `b = a + 1; b * b`
 * @param values a finite number for every variable
 * @throws {GradientError} the request is invalid; each code has its class, with span and data
 * @throws {DeadlineExceeded} the deadline has passed
 * @throws {RangeError} a limit is not a whole number, 0 or more
 */
export function introspect(
  expression: string,
  values: Readonly<Record<string, number>>,
  options: Options = {},
): GradientDocument {
  const limits = checkLimits(options.limits);
  const { parameters = [], view = "folded", deadline = NEVER } = options;
  const request = checkRequest(expression, values, parameters, view, limits);
  const prepared = prepareText(request.expression, request.view, limits, deadline);
  return differentiate(prepared, request, deadline);
}

/**
 * Return the variables and the graph of a program, which need no values.
 *
 * @throws {GradientError} a member is invalid, as in `introspect`
 * @throws {DeadlineExceeded} the deadline has passed
 * @throws {RangeError} a limit is not a whole number, 0 or more
 */
export function outline(expression: string, options: Options = {}): Outline {
  const limits = checkLimits(options.limits);
  const { parameters = [], view = "folded", deadline = NEVER } = options;
  const request = checkRequest(expression, {}, parameters, view, limits);
  const { graph, template } = prepareText(request.expression, request.view, limits, deadline);
  return buildOutline(request, graph, template);
}

/** Parse the expression of a checked request and sort its graph. */
export function prepareText(
  expression: string,
  view: View = "folded",
  limits: Partial<Limits> = DEFAULT_LIMITS,
  deadline: Deadline = NEVER,
): Prepared {
  const tokens = tokenize(expression);
  deadline.check();
  const parsed = parse(tokens, view, checkLimits(limits));
  deadline.check();
  const order = topologicalOrder(parsed.root, parsed.graph.operands);
  refuseUnusedNames(tokens, parsed, order);
  return prepareGraph(parsed.graph, order);
}

/** Prepare a sorted graph: all that does not depend on values. */
export function prepareGraph(graph: Graph, order: readonly number[]): Prepared {
  return { graph, order, steps: makeSteps(graph, order), template: makeTemplate(graph, order) };
}

/** Compute the document of a checked request, whose expression and view were prepared. */
export function differentiate(
  prepared: Prepared,
  request: GradientRequest,
  deadline: Deadline = NEVER,
): GradientDocument {
  const { graph, order, steps, template } = prepared;
  refuseMissingValues(graph, request.values, request.parameters);
  const computed = forward(graph, order, steps, request.values, deadline);
  const walked = backward(graph, order, steps, computed);
  return buildDocument(request, template, computed, walked);
}

function refuseUnusedNames(
  tokens: readonly Token[],
  parsed: Parsed,
  order: readonly number[],
): void {
  if (parsed.bindings.length === 0) return;
  const reached = new Set(order);
  for (const { name, node, span } of parsed.bindings) {
    if (!reached.has(node)) {
      throw syntax.unusedName(name, span, tokens);
    }
  }
}

/** Throw MissingValue for the variables, and then the parameters, without a value. */
export function refuseMissingValues(
  graph: Graph,
  values: Names,
  parameters: readonly string[] = [],
): void {
  const wanted = [...graph.variables.keys(), ...parameters];
  const names = wanted.filter((name) => !values.has(name));
  if (names.length > 0) throw missingValue(graph, values, [...new Set(names)]);
}

function missingValue({ variables, spans }: Graph, values: Names, names: string[]): MissingValue {
  const name = names[0]!;
  const similar = [name.toLowerCase(), name.toUpperCase()].find(
    (each) => values.has(each) && !variables.has(each),
  );
  const cure = similar === undefined ? "" : `; values has \`${similar}\`, which is another name`;
  const node = variables.get(name);
  const span = node === undefined ? null : spans[node];
  return new MissingValue(missing(names) + cure, span, { name, names });
}

function missing(names: readonly string[]): string {
  const listed = listedNames(names.map((name) => `\`${name}\``));
  if (names.length === 1) return `${listed} has no value; add it to values`;
  return `${listed} have no values; add them to values`;
}

/** Join at most the first ten names for a message, and count the others. */
function listedNames(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return names.slice(0, SHOWN).join(", ") + more;
}
