/** Program and values -> accuracy: the document, or the error of its passes, beside the truth. */

import type { Document } from "../document.ts";
import { DomainError, NonFinite } from "../errors.ts";
import type { GradientError } from "../errors.ts";
import { differentiate, prepare } from "../introspect.ts";
import type { Options, Prepared } from "../introspect.ts";
import { checkLimits } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { buildOutline } from "../document.ts";
import { checkRequest } from "../request.ts";
import type { Request } from "../request.ts";
import { documentOf } from "../value.ts";
import type { Subject } from "../value.ts";
import { compare } from "./accuracy.ts";
import type { Accuracy, AccuracyOptions } from "./accuracy.ts";

/**
 * Compare every number of a program's document with the true one (CONTRACT.md R38).
 *
 * The truth is that of the program over the real numbers, at the doubles given. It may exist where
 * a pass of the document is an error, which then stands in the document's place.
 *
 * @param subject a text, a document or a Value
 * @param values those of a text
 * @throws {GradientError} the request is wrong, or takes too much work
 * @throws {RangeError} a limit is no whole number from 0 up
 */
export function accuracy(
  subject: Subject,
  values: Readonly<Record<string, number>> = {},
  options: Options & AccuracyOptions = {},
): Accuracy {
  if (typeof subject === "string") return accuracyOfText(subject, values, options);
  const { parameters = [], limits, ...members } = options;
  const document = documentOf(subject, { parameters }, limits ?? {});
  return compare(document, new Map(Object.entries(document.values)), document, members, limits);
}

/** Do so for members of a request, whose expression may be anything but should be a text. */
export function accuracyOfText(
  expression: string,
  values: Readonly<Record<string, number>>,
  options: Options & AccuracyOptions = {},
): Accuracy {
  const { parameters = [], view = "folded", limits: given, ...members } = options;
  const limits = checkLimits(given);
  const request = checkRequest(expression, values, parameters, view, limits);
  return answer(prepare(request.expression, request.view, limits), request, members, limits);
}

/** Do so for a checked request, whose expression and view were prepared. */
function answer(
  prepared: Prepared,
  request: Request,
  members: AccuracyOptions,
  limits: Limits,
): Accuracy {
  let outcome: Document | GradientError;
  try {
    outcome = differentiate(prepared, request);
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof NonFinite)) throw error;
    outcome = error;
  }
  const outline = buildOutline(request, prepared.graph, prepared.template);
  return compare(outline, request.values, outcome, members, limits);
}
