/** Command -> what the lab does with a document, as the other members of a request ask. */

import type { Document } from "../document.ts";
import { check } from "./check.ts";
import { descend } from "./descent.ts";
import { experiment } from "./experiment.ts";
import { hessian } from "./hessian.ts";
import { paths } from "./paths.ts";

/** Unchecked members: each function judges those that it knows. */
type Members = any;
type Work = (document: Document, members: Members) => unknown;

/** The protocol's commands; over HTTP, routes have these names. */
export const LAB: ReadonlyMap<string, Work> = new Map<string, Work>([
  ["experiment", (document, members) => experiment(document, members)],
  ["paths", (document, members) => paths(document, members.variable, members)],
  ["check", (document, members) => check(document, members)],
  ["descend", (document, members) => descend(document, members)],
  ["hessian", (document, members) => hessian(document, members)],
]);
