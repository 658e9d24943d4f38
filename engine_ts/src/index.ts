/**
 * Reverse-mode automatic differentiation of scalar programs that returns every step.
 *
 *     import { introspect } from "@gradient-service/engine";
 *
 *     introspect("(a + b) * c", { a: 2, b: -3, c: 10 }).gradients;
 *     // { a: 10, b: 10, c: -1 }
 *
 * Read the modules in the order of the pipeline: request, tokens, parser, graph, order, template,
 * operations, forward, backward, document. `introspect` calls them in order, `numerics` has the
 * functions, and `canonical` writes a document as the same text in every language. `picture` draws it,
 * and `outline` is the part of it that needs no values. `program` keeps a parsed text, and `sweep`
 * computes it at many points. `lab` experiments on the backward pass, checks gradients, splits one
 * into paths, computes second derivatives, and descends along the gradient.
 */

export { canonicalText, digest } from "./canonical.ts";
export { CONTRACT } from "./document.ts";
export type { Document } from "./document.ts";
export { GradientError } from "./errors.ts";
export type { Span } from "./errors.ts";
export { introspect, outline } from "./introspect.ts";
export type { Options } from "./introspect.ts";
export type { Edge, Node } from "./template.ts";
export { check } from "./lab/check.ts";
export type { Check, CheckOptions } from "./lab/check.ts";
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
export type { Outline, OutlineEdge, OutlineNode } from "./outline.ts";
export { draw } from "./picture/draw.ts";
export { layOut } from "./picture/layout.ts";
export type { Layout } from "./picture/layout.ts";
export { prepare, Program } from "./program.ts";
export type { Columns } from "./program.ts";
export type { Operation } from "./rows.ts";
export { sweep } from "./sweep.ts";
export type { Ranges, Sweep } from "./sweep.ts";
export { introspectValue, Value } from "./value.ts";
