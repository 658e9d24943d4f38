/** Document + variable -> its gradient as a sum over paths of products of local gradients. */

import type { Document } from "../document.ts";
import { InvalidRequest } from "../errors.ts";
import { described } from "../request.ts";
import type { Edge } from "../template.ts";
import { checkWhole, variables } from "./conditions.ts";

const MOST_PATHS = 1000;
/** Of all listed paths. */
const MOST_EDGES = 20_000;

/** A way from the root to the variable, as edge ids. `product` is null where it is no double. */
export interface Path {
  edges: number[];
  product: number | null;
}

/** A variable's gradient by paths. `sum` is null where one is not listed, or it is no double. */
export interface Paths {
  document: Document;
  variable: string;
  gradient: number;
  count: string;
  paths: Path[];
  sum: number | null;
}

export interface PathsOptions {
  /**
   * How many paths to list, from 0 to 1,000. The list ends early where the paths would have more
   * than 20,000 edges in all. `count` counts all of them, as decimal digits: there can be 2 ** 4999
   * in a program of 10,000 nodes.
   */
  readonly most?: number;
}

/**
 * List the paths from the root to a variable, left to right (CONTRACT.md R37).
 *
 * @throws {GradientError} a member is wrong
 */
export function paths(document: Document, variable: string, options: PathsOptions = {}): Paths {
  const { most = 100 } = options;
  const leaf = checkVariable(document, variable);
  const limit = checkWhole("most", most, 0, MOST_PATHS);
  const counts = countPaths(document, leaf);
  const listed: Path[] = [];
  let room = MOST_EDGES;
  for (const edges of walkPaths(document, leaf, counts)) {
    room -= edges.length;
    if (listed.length === limit || room < 0) break;
    listed.push({ edges: edges.map(({ id }) => id), product: productOf(edges) });
  }
  const count = counts[document.root]!;
  return {
    document,
    variable,
    gradient: document.gradients[variable]!,
    count: String(count),
    paths: listed,
    sum: BigInt(listed.length) === count ? sumOf(listed) : null,
  };
}

function checkVariable(document: Document, variable: unknown): number {
  const leaf = typeof variable === "string" ? variables(document).get(variable) : undefined;
  if (leaf !== undefined) return leaf;
  const message = `variable must be the name of a variable, not ${described(variable)}`;
  throw new InvalidRequest(message, null, { pointer: "/variable" });
}

/** Count the paths from each node to the leaf; edges are sorted by `to`, operands first. */
function countPaths({ nodes, edges }: Document, leaf: number): bigint[] {
  const counts = nodes.map(() => 0n);
  counts[leaf] = 1n;
  for (const { from, to, differentiable } of edges) {
    if (differentiable) counts[to]! += counts[from]!;
  }
  return counts;
}

/** Give each path in turn. Only nodes that lead to the leaf are entered, so none is in vain. */
function* walkPaths(
  { edges, root }: Document,
  leaf: number,
  counts: readonly bigint[],
): Generator<readonly Edge[]> {
  const slots: Edge[][] = counts.map(() => []);
  for (const edge of edges.toReversed()) {
    if (edge.differentiable && counts[edge.from]! > 0n) slots[edge.to]!.push(edge);
  }
  const path: Edge[] = [];
  if (root === leaf) yield path;
  const stack = slots[root]!.map((edge) => ({ depth: 0, edge }));
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { depth, edge } = top;
    path.splice(depth, path.length, edge);
    if (edge.from === leaf) yield path;
    for (const below of slots[edge.from]!) stack.push({ depth: depth + 1, edge: below });
  }
}

function productOf(edges: readonly Edge[]): number | null {
  let product = 1;
  for (const edge of edges) product *= edge.local_grad ?? 0;
  return Number.isFinite(product) ? product + 0 : null;
}

function sumOf(listed: readonly Path[]): number | null {
  let total = 0;
  for (const { product } of listed) {
    if (product === null) return null;
    total += product;
  }
  return Number.isFinite(total) ? total : null;
}
