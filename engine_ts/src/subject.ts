/** Text at values, graph of Values or document -> its document. */

import type { GradientDocument } from "./document.ts";
import { InvalidRequest } from "./errors.ts";
import { introspect } from "./introspect.ts";
import type { Options } from "./introspect.ts";
import { Value } from "./value.ts";
import { differentiateValues } from "./value_graph.ts";
import type { ValueOptions } from "./value_graph.ts";

/**
 * Return the document of a graph of Values, with expression and spans null.
 *
 * Data and gradients are recomputed from the leaves' data; the Values do not change.
 *
 * @throws {GradientError} a number is invalid, or two leaves have one label
 * @throws {DeadlineExceeded} the deadline has passed
 */
export function introspectValue(root: Value, options: ValueOptions = {}): GradientDocument {
  return differentiateValues(root, options);
}

/** A document, or the text or Value to make one from. */
export type Subject = GradientDocument | Value | string;

/** The options of a text; a Value has no view. */
export type { Options };

/** A number for each variable of a text. */
export type Values = Readonly<Record<string, number>>;

/**
 * Return the document of a text at values or of a graph of Values; return a document unchanged.
 *
 * @throws {GradientError} the program is invalid, or `values` came with a document or a Value
 * @throws {DeadlineExceeded} the deadline has passed
 */
export function documentOf(subject: Subject, values: Values, options: Options): GradientDocument {
  if (typeof subject === "string") return introspect(subject, values, options);
  refuseValues(values);
  return subject instanceof Value ? introspectValue(subject, options) : subject;
}

/** Refuse `values` together with a document or a Value, which has its own. */
export function refuseValues(values: Values): void {
  if (Object.keys(values).length > 0) {
    const message = "values belong to a text; a document or a Value has its own";
    throw new InvalidRequest(message, null, { pointer: "/values" });
  }
}
