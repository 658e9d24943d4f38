/**
 * Reverse-mode automatic differentiation of scalar programs, with every step in the open.
 *
 *     import { introspect } from "@gradient-service/engine";
 *
 *     introspect("(a + b) * c", { a: 2, b: -3, c: 10 }).gradients;
 *     // { a: 10, b: 10, c: -1 }
 *
 * Read the modules in the order of the pipeline: request, tokens, parser, graph, order, operations,
 * forward, backward, document; `introspect` puts them together, and `numerics` holds the functions.
 */

export { CONTRACT } from "./document.ts";
export type { Document, Edge, Node } from "./document.ts";
export { GradientError } from "./errors.ts";
export type { Span } from "./errors.ts";
export { introspect } from "./introspect.ts";
export type { Options } from "./introspect.ts";
export { DEFAULT_LIMITS } from "./limits.ts";
export type { Limits } from "./limits.ts";
export { OPERATIONS } from "./operations.ts";
export type { Operation } from "./operations.ts";
export { introspectValue, Value } from "./value.ts";
