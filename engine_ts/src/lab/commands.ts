/**
 * Command -> what the lab does with a document: the protocol and the client read this.
 *
 * CONTRIBUTING.md says what a new one takes elsewhere.
 */

import type { GradientDocument } from "../document.ts";
import { descend } from "./descent.ts";
import { experiment } from "./experiment.ts";
import { hessian } from "./hessian.ts";
import { paths } from "./paths.ts";

/** Unchecked members: each function judges those that it knows. */
type Members = any;

interface LabCommand {
  readonly run: (document: GradientDocument, values: undefined, members: Members) => unknown;
  /** What it returns, which is the name of a schema and of a profile (CONTRACT.md). */
  readonly result: string;
}

/** The protocol's commands; over HTTP, routes have these names. */
export type LabRoute = "experiment" | "paths" | "descend" | "hessian";

export const LAB: ReadonlyMap<string, LabCommand> = new Map<LabRoute, LabCommand>([
  ["experiment", { run: experiment, result: "experiment" }],
  ["paths", { run: paths, result: "paths" }],
  ["descend", { run: descend, result: "descent" }],
  ["hessian", { run: hessian, result: "hessian" }],
]);
