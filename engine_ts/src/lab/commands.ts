/** Command -> what the lab does with a document, as the other members of a request ask. */

import type { Document } from "../document.ts";
import { descend } from "./descent.ts";
import { experiment } from "./experiment.ts";
import { hessian } from "./hessian.ts";
import { paths } from "./paths.ts";

/** Unchecked members: each function judges those that it knows. */
type Members = any;
type Limits = Parameters<typeof hessian>[2];
type Work = (document: Document, members: Members, limits?: Limits) => unknown;

/** The protocol's commands; over HTTP, routes have these names. */
export const LAB: ReadonlyMap<string, Work> = new Map<string, Work>([
  ["experiment", experiment],
  ["paths", (document, members, limits) => paths(document, members.node, members, limits)],
  ["descend", descend],
  ["hessian", hessian],
]);
