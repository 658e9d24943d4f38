/**
 * Reverse-mode automatic differentiation of scalar programs that returns every step.
 *
 *     import { introspect } from "@gradient-service/engine";
 *
 *     introspect("(a + b) * c", { a: 2, b: -3, c: 10 }).gradients;
 *     // { a: 10, b: 10, c: -1 }
 *
 * Read the modules in the order of the pipeline: request, language, graph, order, template,
 * operations, forward, backward, document. `introspect` calls them in order, `numerics` has the
 * functions, and `canonical` writes a document as the same text in every language. `picture` draws it,
 * and `outline` is the part of it that needs no values; `screen` fits it into a window. `sweeps`
 * computes a parsed text at many points. `accuracy` compares every number of a document with the
 * exact one. `lab` experiments on the backward pass, splits a gradient into paths, computes second
 * derivatives, and descends along the gradient.
 *
 * @module @gradient-service/engine
 */

export { accuracy } from "./accuracy/accuracy.ts";
export type { Accuracy, AccuracyOptions } from "./accuracy/accuracy.ts";
export { canonicalText, digest } from "./canonical.ts";
export { Deadline, DeadlineExceeded } from "./deadline.ts";
export { CONTRACT } from "./document.ts";
export type { GradientDocument, Outline, OutlineEdge, OutlineNode } from "./document.ts";
export { GradientError } from "./errors.ts";
export type { Span } from "./errors.ts";
export { introspect, outline } from "./introspect.ts";
export { rewrite } from "./language/rewrite.ts";
export type { Rewritten } from "./language/rewrite.ts";
export type { Options } from "./introspect.ts";
export type { Edge, Node } from "./template.ts";
export { Descending, descend } from "./lab/descent.ts";
export type { Descent, DescentOptions, Fault, Point } from "./lab/descent.ts";
export { experiment } from "./lab/experiment.ts";
export type { Experiment, ExperimentOptions } from "./lab/experiment.ts";
export { hessian } from "./lab/hessian.ts";
export type { Hessian, HessianOptions } from "./lab/hessian.ts";
export { paths } from "./lab/paths.ts";
export type { Paths, PathsOptions } from "./lab/paths.ts";
export { DEFAULT_LIMITS } from "./limits.ts";
export type { Limits } from "./limits.ts";
export { OPERATIONS } from "./operations.ts";
export { draw } from "./picture/draw.ts";
export { layOut } from "./picture/layout.ts";
export type { Layout } from "./picture/layout.ts";
export type { Operation, OperationName } from "./operations.ts";
export { arrange } from "./screen/arrange.ts";
export type { ArrangeOptions, Arrangement } from "./screen/arrange.ts";
export { heldTexts } from "./screen/held.ts";
export { digitsOf } from "./screen/digits.ts";
export type { Digits } from "./screen/digits.ts";
export type { Plan } from "./screen/places.ts";
export type { Measure, Texts } from "./screen/texts.ts";
export { prepare, Program, sweep } from "./sweeps/program.ts";
export type { Columns, Ranges, Sweep } from "./sweeps/program.ts";
export { introspectValue } from "./subject.ts";
export type { Subject } from "./subject.ts";
export { Value } from "./value.ts";
