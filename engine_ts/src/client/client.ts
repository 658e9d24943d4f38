/** What a client of a service offers. */

import type { Accuracy, AccuracyOptions } from "../accuracy/accuracy.ts";
import type { Document, Outline } from "../document.ts";
import type { Descent, DescentOptions } from "../lab/descent.ts";
import type { Experiment, ExperimentOptions } from "../lab/experiment.ts";
import type { Hessian, HessianOptions } from "../lab/hessian.ts";
import type { Paths, PathsOptions } from "../lab/paths.ts";
import type { View } from "../request.ts";
import type { Ranges, Sweep } from "../sweeps/sweep.ts";
import type { Problem } from "./problem.ts";

// Any platform's AbortSignal is one.
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
}

/** One program of a batch. */
export interface Program {
  readonly expression: string;
  readonly values: Readonly<Record<string, number>>;
  readonly parameters?: readonly string[];
  readonly view?: View;
}

/** What holds for every call of a client. */
export interface Settings {
  /** Headers beside those of the request, such as an authorization that a gateway asks for. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Compute each answer again here, and compare the digests. */
  readonly verify?: boolean;
}

/** What one call may add. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. */
  readonly signal?: Signal;
}

/** What one call may say of its program. */
export type ProgramOptions = Pick<Program, "parameters" | "view"> & CallOptions;

/** A service at one address. Its methods need no `this`. */
export interface Client {
  /**
   * Differentiate one program.
   *
   * @throws {Problem} the service refuses it
   * @throws {Mismatch} `verify` is set, and the answer is not the one computed here
   * @throws {UnreadableReply} something else than the service answered
   */
  readonly gradient: (
    expression: string,
    values: Program["values"],
    options?: ProgramOptions,
  ) => Promise<Document>;
  /**
   * Differentiate many programs: for each, in order, a document, or a problem in its place.
   *
   * They come as the service computes them; leaving the loop ends the reply.
   *
   * @throws as `gradient`; a Problem is thrown where it is about the batch as a whole
   */
  readonly gradients: (
    programs: Iterable<Program>,
    options?: CallOptions,
  ) => AsyncGenerator<Document | Problem, void, void>;
  /** Say what a program has before any value. Throws as `gradient`. */
  readonly parse: (expression: string, options?: ProgramOptions) => Promise<Outline>;
  /** Differentiate one program at many points, in columns. Throws as `gradient`. */
  readonly sweep: (
    expression: string,
    values: Ranges,
    options?: Pick<Program, "view"> & CallOptions,
  ) => Promise<Sweep>;
  /** Put the true number beside every number of the document. Throws as `gradient`. */
  readonly accuracy: (
    expression: string,
    values: Program["values"],
    options?: ProgramOptions & AccuracyOptions,
  ) => Promise<Accuracy>;
  /** Do the backward pass under other conditions. Throws as `gradient`. */
  readonly experiment: (
    expression: string,
    values: Program["values"],
    options?: ProgramOptions & ExperimentOptions,
  ) => Promise<Experiment>;
  /** Take the gradient of a node, by id or label, apart into paths. Throws as `gradient`. */
  readonly paths: (
    expression: string,
    values: Program["values"],
    node: number | string,
    options?: ProgramOptions & PathsOptions,
  ) => Promise<Paths>;
  /** Move parameters against the gradient, step by step. Throws as `gradient`. */
  readonly descend: (
    expression: string,
    values: Program["values"],
    options?: ProgramOptions & DescentOptions,
  ) => Promise<Descent>;
  /** Differentiate the gradients once more. Throws as `gradient`. */
  readonly hessian: (
    expression: string,
    values: Program["values"],
    options?: ProgramOptions & HessianOptions,
  ) => Promise<Hessian>;
}

/** What is asked of the service, one program at a time: the last part of its address. */
export type Route = Exclude<keyof Client, "gradients">;
