/**
 * Command -> its function of a document; the protocol and the client read this.
 *
 * CONTRIBUTING.md lists the other places that a new command touches.
 */

import type { GradientDocument } from "../document.ts";
import { descend } from "./descent.ts";
import { experiment } from "./experiment.ts";
import { hessian } from "./hessian.ts";
import { paths } from "./paths.ts";

/** Unchecked members: each function checks those that it knows. */
type Members = any;

interface LabCommand {
  readonly run: (document: GradientDocument, values: undefined, members: Members) => unknown;
  /** The name of its result, of the result's schema and of a profile (CONTRACT.md). */
  readonly result: string;
}

/** By the name of the protocol's command and of the HTTP route. */
export type LabRoute = "experiment" | "paths" | "descend" | "hessian";

export const LAB: ReadonlyMap<string, LabCommand> = new Map<LabRoute, LabCommand>([
  ["experiment", { run: experiment, result: "experiment" }],
  ["paths", { run: paths, result: "paths" }],
  ["descend", { run: descend, result: "descent" }],
  ["hessian", { run: hessian, result: "hessian" }],
]);
