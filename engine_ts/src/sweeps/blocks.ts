/**
 * Prepared text + axes -> results and gradients, a few thousand points at a time.
 *
 * A block is computed operation by operation on columns; points where a number is not finite are
 * computed one by one, to the same bits.
 */

import { backward } from "../backward.ts";
import { NEVER, passesPerCheck } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import { GradientError, LimitExceeded } from "../errors.ts";
import { forward } from "../forward.ts";
import { refuseMissingValues } from "../introspect.ts";
import type { Prepared } from "../introspect.ts";
import type { Limits } from "../limits.ts";
import { LARGEST, namesOf, Points, sizeOf } from "./axes.ts";
import type { Axes } from "./axes.ts";
import { differentiateColumns, fillColumn, makeWorkspace } from "./columns.ts";
import type { Workspace } from "./columns.ts";

/** The maximum number of points of a block: columns of 128 KiB, so that they stay in the cache. */
const POINTS = 16_384;

/** The maximum of nodes times points in a block, which bounds its memory to about 32 MB. */
const NODES_PER_BLOCK = 2 ** 20;

/** Neighbouring points, from the index `first` on. The next block reuses the columns. */
export interface Block {
  readonly first: number;
  /** The results, then the gradients in the order of the template's variables; NaN at problems. */
  readonly columns: readonly Float64Array[];
  /** The points that have no result, by their index among all points. */
  readonly problems: readonly Problem[];
}

export type Problem = readonly [index: number, error: GradientError];

/** Points from `first` up to, but not including, `last`. */
export type Range = readonly [first: number, last: number];

/**
 * Yield the blocks of the chosen points, or of all points.
 *
 * @throws {GradientError} a variable has no value, or there are too many points
 * @throws {DeadlineExceeded} the deadline has passed; a block may throw it, too
 * @throws {RangeError} the chosen indices are not a range of the points
 */
export function blocks(
  prepared: Prepared,
  axes: Axes,
  limits: Limits,
  chosen?: Range,
  deadline: Deadline = NEVER,
): Iterable<Block> {
  refuseMissingValues(prepared.graph, namesOf(axes));
  refuseTooMany(prepared.order.length, axes, limits);
  const points = new Points(axes, deadline);
  const [first, last] = chosen ?? [0, points.count];
  if (!(0 <= first && first <= last && last <= points.count && first % 1 === 0 && last % 1 === 0)) {
    throw new RangeError(`${first} to ${last} is not a range within ${points.count} points`);
  }
  return computed(prepared, points, [first, last], deadline);
}

function* computed(
  prepared: Prepared,
  points: Points,
  [start, end]: Range,
  deadline: Deadline,
): Generator<Block, void, void> {
  const { graph, order } = prepared;
  const size = Math.max(1, Math.min(POINTS, Math.floor(NODES_PER_BLOCK / order.length)));
  let workspace: Workspace | undefined;
  for (let first = start; first < end; first += size) {
    const count = Math.min(size, end - first);
    if (workspace?.size !== count) workspace = makeWorkspace(graph, order, count, deadline);
    yield block(prepared, points, first, workspace, deadline);
  }
}

function block(
  prepared: Prepared,
  points: Points,
  first: number,
  workspace: Workspace,
  deadline: Deadline,
): Block {
  deadline.check();
  const { graph, order, template } = prepared;
  const { data, grads, suspect } = workspace;
  for (const [name, node] of graph.variables) {
    const number = points.numbers.get(name);
    if (number !== undefined) data.get(node)!.fill(number);
  }
  for (const [name, numbers, stride] of points.columns) {
    const node = graph.variables.get(name);
    if (node !== undefined) fillColumn(data.get(node)!, numbers, stride, first);
  }
  differentiateColumns(workspace, deadline);
  const variables = template.variables.map(({ node }) => grads.get(node)!);
  const columns = [data.get(order.at(-1)!)!, ...variables];
  for (const column of columns) for (let i = 0; i < column.length; i++) column[i]! += 0; // no -0
  const problems: Problem[] = [];
  const every = passesPerCheck(order.length);
  let alone = 0;
  for (let place = suspect.indexOf(1); place >= 0; place = suspect.indexOf(1, place + 1)) {
    if (alone++ % every === 0) deadline.check();
    const row = pointAt(prepared, points, first + place, deadline);
    if (row instanceof GradientError) problems.push([first + place, row]);
    columns.forEach(
      (column, at) => (column[place] = row instanceof GradientError ? NaN : row[at]!),
    );
  }
  return { first, columns, problems };
}

/** Compute one point: the result and the gradients, or the error. */
function pointAt(
  prepared: Prepared,
  points: Points,
  index: number,
  deadline: Deadline,
): number[] | GradientError {
  try {
    const [result, gradients] = gradientsAt(prepared, points.at(index), deadline);
    return [result, ...gradients];
  } catch (error) {
    if (error instanceof GradientError) return error;
    throw error;
  }
}

function refuseTooMany(nodes: number, axes: Axes, limits: Limits): void {
  const [count, limit] = [sizeOf(axes), limits.sweep_nodes];
  const actual = Math.min(nodes * count, LARGEST);
  if (actual <= limit) return;
  const points =
    (count === 1 ? "1 point" : `${count} points`) + (count === LARGEST ? " or more" : "");
  const message = `the sweep computes ${nodes} nodes at ${points}; at most ${limit} in all are accepted`;
  const hint = "use fewer points or a larger `limits.sweep_nodes`";
  throw new LimitExceeded(`${message}; ${hint}`, null, { name: "sweep_nodes", limit, actual });
}

/** Return the names of the variables, in the order of their ids. */
export function namesOfVariables({ template }: Prepared): string[] {
  return template.variables.map(({ row }) => row.label!);
}

/**
 * Compute the result, and the gradients in the order of the template's variables.
 *
 * @throws {GradientError} there is no result
 * @throws {DeadlineExceeded} the deadline has passed
 */
export function gradientsAt(
  { graph, order, steps, template }: Prepared,
  values: ReadonlyMap<string, number>,
  deadline: Deadline = NEVER,
): [result: number, gradients: number[]] {
  const walked = forward(graph, order, steps, values, deadline);
  const [grads] = backward(graph, order, steps, walked);
  const gradients = template.variables.map(({ node }) => grads[node]! + 0);
  return [walked[0][order.at(-1)!]! + 0, gradients];
}
