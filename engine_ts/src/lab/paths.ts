/** Document + node -> its gradient as a sum over paths of products of local gradients. */

import { NEVER } from "../deadline.ts";
import type { GradientDocument } from "../document.ts";
import { checkLimits } from "../limits.ts";
import type { Edge } from "../template.ts";
import { documentOf } from "../subject.ts";
import type { Options, Subject, Values } from "../subject.ts";
import { checkNode, checkWhole, idsByLabel } from "./checks.ts";

const MAX_PATHS = 1000;

/** A path from the root to the node, as edge ids. `product` is null if it overflows. */
interface Path {
  edges: number[];
  product: number | null;
}

/** A node's gradient by paths. `sum` is null if it overflows or a path is not listed. */
export interface Paths {
  document: GradientDocument;
  node: number;
  gradient: number | null;
  count: string;
  paths: Path[];
  sum: number | null;
}

export interface PathsOptions {
  /** The id of a node or its label; the label of a variable is its name. */
  readonly node: number | string;
  /**
   * The maximum number of paths to list, from 0 to 1,000. `count` counts all of them, as decimal
   * digits: there can be 2 ** 4999 in a program of 10,000 nodes.
   */
  readonly most?: number;
}

/**
 * List the paths from the root to a node, left to right (CONTRACT.md R37).
 *
 * @param subject a document, a text or a Value
 * @param values by name, for a text
 * @param options its limits include `path_edges`, at which the list ends early
 * @throws {GradientError} a member is invalid
 * @throws {DeadlineExceeded} the deadline has passed
 */
export function paths(
  subject: Subject,
  values: Values = {},
  options: Options & PathsOptions,
): Paths {
  const { limits, deadline = NEVER } = options;
  const document = documentOf(subject, values, options);
  deadline.check();
  const { node, most = 100 } = options;
  const end = checkNode("node", node, idsByLabel(document), document.root);
  const limit = checkWhole("most", most, 0, MAX_PATHS);
  const counts = countPaths(document, end);
  const listed: Path[] = [];
  let room = checkLimits(limits).path_edges;
  for (const edges of walkPaths(document, end, counts)) {
    deadline.check();
    room -= edges.length;
    if (listed.length === limit || room < 0) break;
    listed.push({ edges: edges.map(({ id }) => id), product: productOf(edges) });
  }
  const count = counts[document.root]!;
  return {
    document,
    node: end,
    gradient: document.nodes[end]!.grad,
    count: String(count),
    paths: listed,
    sum: BigInt(listed.length) === count ? sumOf(listed) : null,
  };
}

/** Count the paths from each node to the end; edges are sorted by `to`, operands first. */
function countPaths({ nodes, edges }: GradientDocument, end: number): bigint[] {
  const counts = nodes.map(() => 0n);
  counts[end] = 1n;
  for (const { from, to, differentiable } of edges) {
    if (differentiable) counts[to]! += counts[from]!;
  }
  return counts;
}

/** Yield each path, entering only nodes that lead to the end. */
function* walkPaths(
  { edges, root }: GradientDocument,
  end: number,
  counts: readonly bigint[],
): Generator<readonly Edge[]> {
  const slots: Edge[][] = counts.map(() => []);
  for (const edge of edges.toReversed()) {
    if (edge.differentiable && counts[edge.from]! > 0n) slots[edge.to]!.push(edge);
  }
  const path: Edge[] = [];
  if (root === end) yield path;
  const stack = slots[root]!.map((edge) => ({ depth: 0, edge }));
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { depth, edge } = top;
    path.splice(depth, path.length, edge);
    if (edge.from === end) yield path;
    for (const below of slots[edge.from]!) stack.push({ depth: depth + 1, edge: below });
  }
}

function productOf(edges: readonly Edge[]): number | null {
  let product = 1;
  for (const edge of edges) product *= edge.local_grad ?? NaN;
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
