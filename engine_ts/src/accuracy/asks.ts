/** Unchecked members + graph -> what is asked of the truth: a number to explain, claims, options. */

import type { Document, Outline } from "../document.ts";
import { InvalidRequest, InvalidValue } from "../errors.ts";
import { checkChoice, checkTolerance, checkWhole, idsByLabel, refuse } from "../lab/checks.ts";
import type { Limits } from "../limits.ts";
import { described, isDouble, pointerStep, quoted, refuseTooMany } from "../request.ts";

export type Part = "data" | "grad";
const PARTS: readonly Part[] = ["data", "grad"];
const MOST_CULPRITS = 100;

/** A number of a node. */
export interface Why {
  readonly node: number;
  readonly number: Part;
}

/** What names a node, and what has no gradient. */
interface Graph {
  /** By label. */
  readonly ids: ReadonlyMap<string, readonly number[]>;
  readonly root: number;
  readonly noGrad: ReadonlySet<number>;
}

/** Unchecked members. */
export interface Members {
  readonly why: unknown;
  readonly claimed: unknown;
  readonly tolerance: unknown;
  readonly most: unknown;
  readonly witnesses: unknown;
}

/** Checked members. */
export interface Asks {
  readonly why: Why;
  /** Node and claim, by the name that was given. */
  readonly claimed: ReadonlyMap<string, readonly [node: number, claim: number]>;
  readonly tolerance: number;
  readonly most: number;
  readonly witnesses: boolean;
  /** Nodes that no gradient flows into. */
  readonly noGrad: ReadonlySet<number>;
}

/**
 * Check each member in turn; the first fault is the error (CONTRACT.md R38).
 *
 * @throws {InvalidRequest} a member is wrong
 * @throws {InvalidValue} a claim is no finite number, or names no node with a gradient
 * @throws {LimitExceeded} there are more claims than there may be variables
 */
export function checkAsks(outline: Outline | Document, members: Members, limits: Limits): Asks {
  const exponents = outline.edges.filter(({ differentiable }) => !differentiable);
  const noGrad = new Set(exponents.map(({ from }) => from));
  const graph = { ids: idsByLabel(outline), root: outline.root, noGrad };
  const why = checkWhy(graph, members.why);
  const claimed = checkClaims(graph, members.claimed, limits);
  const tolerance = checkTolerance(members.tolerance);
  const most = checkWhole("most", members.most, 0, MOST_CULPRITS);
  const { witnesses } = members;
  if (typeof witnesses !== "boolean") refuse("witnesses", "true or false", witnesses);
  return { why, claimed, tolerance, most, witnesses, noGrad };
}

function checkWhy(graph: Graph, why: unknown): Why {
  if (why === null) return { node: graph.root, number: "data" };
  if (typeof why !== "object" || Array.isArray(why)) {
    refuse("why", "an object with node and number, or null", why);
  }
  const members = new Map<string, unknown>(Object.entries(why!));
  for (const name of [...members.keys()].sort()) {
    if (name !== "node" && name !== "number") {
      const where = { pointer: "/why" + pointerStep(name) };
      throw new InvalidRequest(`why has no member ${quoted(name)}`, null, where);
    }
  }
  const found = find(graph, members.get("node"));
  if (typeof found === "string") throw new InvalidRequest(found, null, { pointer: "/why/node" });
  const given = members.has("number") ? members.get("number") : "grad";
  const number = checkChoice("why/number", given, PARTS);
  if (number === "grad" && graph.noGrad.has(found)) {
    const message = `node ${found} is an exponent: it has no grad`;
    throw new InvalidRequest(message, null, { pointer: "/why/node" });
  }
  return { node: found, number };
}

function checkClaims(
  graph: Graph,
  claimed: unknown,
  limits: Limits,
): Map<string, readonly [node: number, claim: number]> {
  if (typeof claimed !== "object" || claimed === null || Array.isArray(claimed)) {
    refuse("claimed", "an object of numbers", claimed);
  }
  const claims = new Map<string, readonly [number, number]>();
  const given = new Map<string, unknown>(Object.entries(claimed));
  refuseTooMany("claimed", given.size, limits);
  for (const name of [...given.keys()].sort()) {
    const where = { name, pointer: "/claimed" + pointerStep(name) };
    const node = find(graph, name);
    if (typeof node === "string") throw new InvalidValue(node, null, where);
    if (graph.noGrad.has(node)) {
      throw new InvalidValue(`node ${node} is an exponent: it has no grad`, null, where);
    }
    const claim = given.get(name);
    if (!isDouble(claim)) {
      const message = `claimed must give \`${name}\` a finite number, not ${described(claim)}`;
      throw new InvalidValue(message, null, where);
    }
    claims.set(name, [node, claim]);
  }
  return claims;
}

/**
 * Find a node by its label, or by its id as a number or its digits; else say why there is none.
 *
 * A label is that of one node alone; no name of a program begins with a digit.
 */
function find({ ids, root: last }: Graph, item: unknown): number | string {
  const isText = typeof item === "string";
  const found = isText ? (ids.get(item) ?? []) : [];
  if (found.length === 1) return found[0]!;
  const number = isText ? (/^(?:0|[1-9][0-9]*)$/.test(item) ? Number(item) : null) : item;
  if (isDouble(number) && found.length === 0) {
    if (number >= 0 && number <= last && number % 1 === 0) return number + 0;
  }
  if (isText) {
    const count = found.length > 0 ? `${found.length} nodes have` : "no node has";
    return `${count} the label ${quoted(item)}; name the node by its id, from 0 to ${last}`;
  }
  return `a node is named by its label or its id, from 0 to ${last}, not by ${described(item)}`;
}
