/**
 * Document -> experiment: its backward pass under other conditions, and the difference they make.
 *
 * A visit takes edges: in a push, as in `backward`, those from the operands of the visited node,
 * and in a pull those to the operations that use it. Each edge carries a contribution to its
 * operand. Everything else is the same.
 */

import { stageOf } from "../backward.ts";
import { canonicalText } from "../canonical.ts";
import { StaleRow, OutsideDomain, staleCustom } from "../operations.ts";
import { NEVER } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { GradientDocument } from "../document.ts";
import { DomainError, InvalidRequest, LimitExceeded, NonFinite } from "../errors.ts";
import { checkLimits } from "../limits.ts";
import type { Edge } from "../template.ts";
import { documentOf } from "../subject.ts";
import type { Options, Subject, Values } from "../subject.ts";
import { checkChoice, checkNode, checkNumber, checkNumbers, checkWhole } from "./checks.ts";
import { idsByLabel, nameOf, refuse, variables } from "./checks.ts";
import { formulasOf } from "./formulas.ts";
import { dual, tapeOf } from "./tape.ts";

type Direction = "push" | "pull";
const DIRECTIONS: readonly Direction[] = ["push", "pull"];
type Accumulate = "add" | "replace";
const ACCUMULATE: readonly Accumulate[] = ["add", "replace"];
type Reset = "none" | "inner" | "all";
const RESETS: readonly Reset[] = ["none", "inner", "all"];

const MAX_PASSES = 10;

/** The formulas of a node may take a few tenths of a millisecond. */
const EDGES_PER_CHECK = 64;

/** A sentence takes a few microseconds. */
const LOST_PER_CHECK = 1_000;

/** Checked members of an experiment. */
interface Conditions {
  /** Whether a visited node sends to its operands or collects from the operations that use it. */
  readonly walk: Direction;
  /** The nodes to visit, by id; each at most once. */
  readonly order: readonly number[];
  /** Whether a contribution is added to its operand's gradient or replaces it. */
  readonly accumulate: Accumulate;
  /** The root's gradient at the beginning of a pass. */
  readonly seed: number;
  /** Backward passes. */
  readonly passes: number;
  /** Which gradients are set to 0 between passes: none, those of operations, or all. */
  readonly reset: Reset;
  /** Data that replaces that of variables, by id, after the forward pass. */
  readonly mutate: ReadonlyMap<number, number>;
}

/** Check each member in turn; the first invalid one is the error (CONTRACT.md R36). */
function checkConditions(
  document: GradientDocument,
  members: Readonly<Record<keyof Conditions, unknown>>,
): Conditions {
  return {
    walk: checkChoice("walk", members.walk, DIRECTIONS),
    order: checkOrder(document, members.order),
    accumulate: checkChoice("accumulate", members.accumulate, ACCUMULATE),
    seed: checkNumber("seed", members.seed, Number.isFinite, "a finite number"),
    passes: checkWhole("passes", members.passes, 1, MAX_PASSES),
    reset: checkChoice("reset", members.reset, RESETS),
    mutate: checkNumbers(document, "mutate", members.mutate),
  };
}

/**
 * Refuse passes with too many edges in all.
 *
 * @throws {LimitExceeded} the passes have more than the limit
 */
function checkSteps({ edges }: GradientDocument, passes: number, limit: number): void {
  const actual = passes * edges.length;
  if (actual > limit) {
    const took = `${passes} passes over this graph take ${actual} steps`;
    const message = `${took}; at most ${limit} are accepted`;
    throw new LimitExceeded(message, null, { name: "steps", limit, actual });
  }
}

function checkOrder(document: GradientDocument, order: unknown): readonly number[] {
  if (order === "backward") return document.backward_order;
  if (!Array.isArray(order)) refuse("order", 'an array of ids and labels, or "backward"', order);
  const ids = idsByLabel(document);
  const visited = new Set<number>();
  for (const [index, item] of order.entries()) {
    const node = checkNode(`order/${index}`, item, ids, document.root);
    if (visited.has(node)) {
      const message = `order visits ${nameOf(document.nodes[node]!)} twice; visit it once`;
      throw new InvalidRequest(message, null, { pointer: `/order/${index}` });
    }
    visited.add(node);
  }
  return [...visited];
}

type LocalGrad = (edge: Edge) => number;

/** Return the local gradient stored by the forward pass, as this engine does. */
function stored(edge: Edge): number {
  return edge.local_grad ?? 0;
}

/**
 * Compute local gradients when they are needed, as closures over the operands do.
 *
 * They read the operands' current data, and the operation's own data as it was computed.
 */
function rereader(document: GradientDocument, mutate: ReadonlyMap<number, number>): LocalGrad {
  const { nodes } = document;
  const tape = tapeOf(document);

  return function reread({ to: node, slot }: Edge): number {
    const { operands, data } = tape[node]!;
    const operation = tape[node]!.operation!; // an edge leads to one
    const terms = operands.map((operand) => dual(mutate.get(operand) ?? tape[operand]!.data));
    try {
      const formula = formulasOf(operation, dual(data), terms)[slot]!;
      return typeof formula === "number" ? formula : formula.data;
    } catch (reason) {
      const numbers = terms.map((each) => each.data + 0);
      if (reason instanceof StaleRow) throw staleCustom(operation.name, node, numbers);
      if (!(reason instanceof OutsideDomain)) throw reason;
      const where = { node, operation: operation.symbol, operands: numbers };
      const message = `${reason.message}, in the local gradients of node ${node} (\`${operation.symbol}\`)`;
      throw new DomainError(message, nodes[node]!.span, where);
    }
  };
}

type Reason = "late" | "unvisited" | "overwritten";

/** A row of the ledger: the numbers of an edge that a visit takes. */
interface Row {
  pass: number;
  edge: number;
  incoming_grad: number;
  local_grad: number;
  contribution: number;
  running_grad: number;
}

/** A contribution, by its step in the ledger, that its operand did not keep or pass on. */
interface Lost {
  readonly step: number;
  /** The node whose visit it waited for, or its operand if it was overwritten. */
  readonly node: number;
  readonly reason: Reason;
  /** The step that overwrote it. */
  readonly by: number | null;
}

/**
 * One run of the backward passes: fills ledger, gradients by node and lost contributions.
 */
class Walk {
  readonly ledger: Row[] = [];
  readonly grads: number[];
  readonly lost: Lost[] = [];
  readonly #document: GradientDocument;
  readonly #conditions: Conditions;
  readonly #localGrad: LocalGrad;
  /** The end of an edge at which a visit takes it. */
  readonly #visited: "from" | "to";
  /** The waiting steps, for each node and each node whose visit passes them on. */
  readonly #waiting: Map<number, number[]>[];

  /** Visit the nodes in the order of the conditions, once per pass. */
  constructor(
    document: GradientDocument,
    conditions: Conditions,
    localGrad: LocalGrad,
    deadline: Deadline = NEVER,
  ) {
    this.grads = document.nodes.map(() => 0);
    this.#document = document;
    this.#conditions = conditions;
    this.#localGrad = localGrad;
    this.#visited = conditions.walk === "push" ? "to" : "from";
    this.#waiting = document.nodes.map(() => new Map());
    const [taken, passedOn] = this.#edgesByVisit();
    const visits = conditions.order.flatMap((node) => {
      const edges = taken[node]!.length > 0 ? taken[node]! : [null];
      return edges.map((edge, index) => ({ edge, waited: index > 0 ? [] : passedOn[node]! }));
    });
    for (let number = 1; number <= conditions.passes; number += 1) {
      this.#beginPass();
      for (const { edge, waited } of deadline.over(visits, EDGES_PER_CHECK)) {
        for (const steps of waited) steps.splice(0);
        if (edge !== null) this.#take(number, edge);
      }
    }
    this.#loseWaiting();
    this.lost.sort((one, other) => one.step - other.step || one.node - other.node);
  }

  /**
   * List the edges that each visit takes, in R4's order, and the waiting steps it passes on.
   *
   * An edge that carries nothing counts as well (CONTRACT.md R36).
   */
  #edgesByVisit(): [Edge[][], number[][][]] {
    const { nodes, edges } = this.#document;
    const byVisit: Edge[][] = nodes.map(() => []);
    const passedOn: number[][][] = nodes.map(() => []);
    for (const edge of edges.toSorted((one, other) => other.to - one.to || one.slot - other.slot)) {
      const visited = edge[this.#visited];
      if (edge.running_grad !== null) byVisit[visited]!.push(edge); // not for exponents; see R5
      const waiting = this.#waiting[edge.to]!;
      if (nodes[visited]!.kind === "constant" || waiting.has(visited)) continue;
      const steps: number[] = [];
      waiting.set(visited, steps);
      passedOn[visited]!.push(steps);
    }
    return [byVisit, passedOn];
  }

  /** Reset gradients as the conditions say, and seed the root; leaves keep contributions. */
  #beginPass(): void {
    const { reset, seed } = this.#conditions;
    if (reset !== "none") this.#loseWaiting();
    for (const { id, operation } of this.#document.nodes) {
      const isLeaf = operation === null;
      if (isLeaf) this.#waiting[id]!.set(id, []);
      if (reset === "all" || (reset === "inner" && !isLeaf)) this.grads[id] = 0;
    }
    this.grads[this.#document.root] = seed;
  }

  /** Add a contribution to the gradient of an edge's operand, or replace it. */
  #take(number: number, edge: Edge): void {
    const operand = edge.from;
    const incoming = this.grads[edge.to]!;
    const local = this.#localGrad(edge);
    const contribution = incoming * local;
    const step = this.ledger.length;
    let running = this.grads[operand]! + contribution;
    if (this.#conditions.accumulate === "replace") {
      this.#overwrite(operand, step);
      running = contribution;
    }
    if (!(Number.isFinite(local) && Number.isFinite(contribution) && Number.isFinite(running))) {
      throw nonFinite(this.#document, edge, stageOf(local, contribution));
    }
    this.grads[operand] = running;
    if (contribution !== 0) {
      for (const steps of this.#waiting[operand]!.values()) steps.push(step);
    }
    this.ledger.push({
      pass: number,
      edge: edge.id,
      incoming_grad: incoming + 0,
      local_grad: local + 0,
      contribution: contribution + 0,
      running_grad: running + 0,
    });
  }

  #overwrite(node: number, by: number): void {
    const waiting = [...this.#waiting[node]!.values()];
    for (const step of new Set(waiting.flat())) {
      this.lost.push({ step, node, reason: "overwritten", by });
    }
    for (const steps of waiting) steps.splice(0);
  }

  #loseWaiting(): void {
    const visited = new Set(this.#conditions.order);
    for (const { id, operation } of this.#document.nodes) {
      if (operation === null) continue;
      for (const [node, steps] of this.#waiting[id]!) {
        const reason = visited.has(node) ? "late" : "unvisited";
        for (const step of steps.splice(0)) this.lost.push({ step, node, reason, by: null });
      }
    }
  }
}

function nonFinite({ nodes, edges }: GradientDocument, edge: Edge, stage: string): NonFinite {
  const { to: node, slot } = edge;
  const { operation, span } = nodes[node]!;
  const operands = edges.filter((each) => each.to === node).map((each) => nodes[each.from]!.data);
  const message = `the ${stage} of operand ${slot} of \`${operation}\` is too large for a double`;
  return new NonFinite(message, span, { stage, node, operation, operands, slot });
}

/** A contribution that its operand did not keep or pass on, at a step of the ledger. */
interface LostContribution {
  step: number;
  edge: number;
  contribution: number;
  /** The node whose visit it waited for, or its operand if it was overwritten. */
  node: number;
  reason: Reason;
  sentence: string;
}

/** Write a sentence about what was lost, where and why. */
function describedLoss(
  document: GradientDocument,
  ledger: readonly Row[],
  lost: Lost,
): LostContribution {
  const { edge, contribution } = ledger[lost.step]!;
  return {
    step: lost.step,
    edge,
    contribution,
    node: lost.node,
    reason: lost.reason,
    sentence: sentenceOf(document, ledger, lost),
  };
}

function sentenceOf(
  document: GradientDocument,
  ledger: readonly Row[],
  { step, node, reason, by }: Lost,
): string {
  const row = ledger[step]!;
  const amount = canonicalText(row.contribution);
  const [operand, operation] = ends(document, row);
  const visit = nameOf(document.nodes[node]!);
  const itself = node === document.edges[row.edge]!.from;
  if (reason === "late") {
    return `${visit} was visited before ${itself ? "it" : operand} had ${amount} from ${operation}`;
  }
  if (reason === "unvisited") {
    return `${operation} gave ${amount} to ${operand}, ${itself ? "which" : `and ${visit}`} was never visited`;
  }
  const later = ledger[by!]!;
  return (
    `the ${amount} that ${operand} had from ${operation} was overwritten ` +
    `by ${canonicalText(later.contribution)} from ${ends(document, later)[1]}`
  );
}

function ends({ nodes, edges }: GradientDocument, row: Row): [operand: string, operation: string] {
  const { from, to } = edges[row.edge]!;
  return [nameOf(nodes[from]!), nameOf(nodes[to]!)];
}

/** The conditions of the experiment. */
export interface ExperimentOptions {
  /**
   * Whether a visited node sends a contribution to each operand, "push", as `backward` does, or
   * collects one from each operation that uses it, "pull", with the gradient that the operation has
   * at that time.
   */
  readonly walk?: Direction;
  /** The nodes to visit, as ids and labels; or "backward", the right order. */
  readonly order?: "backward" | readonly (number | string)[];
  /** "add" a contribution to its operand's gradient, or "replace" the gradient by it. */
  readonly accumulate?: Accumulate;
  /** The root's gradient at the beginning of each pass. */
  readonly seed?: number;
  /** The number of backward passes. */
  readonly passes?: number;
  /**
   * Which gradients are set to 0 between passes: "none", those of "inner" nodes (operations), so
   * that only leaves accumulate, as in PyTorch, or "all".
   */
  readonly reset?: Reset;
  /**
   * Values for variables after the forward pass. They do not affect an engine that stores local
   * gradients in the forward pass, but one that reads its operands' data later: the experiment
   * walks both.
   */
  readonly mutate?: Readonly<Record<string, number>>;
}

/** The walk of one kind of engine under the conditions. */
interface WrongWalk {
  local_grads: "stored" | "reread";
  ledger: Row[];
  gradients: Record<string, number>;
  /** Differences from the right gradients; null if one overflows. */
  differences: Record<string, number | null>;
  lost: LostContribution[];
}

/** A whole experiment; ids are those of the document. */
export interface Experiment {
  document: GradientDocument;
  order: number[];
  reverse_topological: boolean;
  broken_edge: number | null;
  unvisited: number[];
  walks: WrongWalk[];
}

/**
 * Repeat the backward pass of a document under other conditions (CONTRACT.md R36).
 *
 * @param subject a document, a text or a Value
 * @param values by name, for a text
 * @param options its limits include `steps`, and those of the document
 * @throws {GradientError} an option is invalid, or a number of the walk is not finite
 * @throws {DeadlineExceeded} the deadline has passed
 */
export function experiment(
  subject: Subject,
  values: Values = {},
  options: Options & ExperimentOptions = {},
): Experiment {
  const { limits, deadline = NEVER } = options;
  const document = documentOf(subject, values, options);
  deadline.check();
  const { walk = "push", order = "backward", accumulate = "add" } = options;
  const { seed = 1, passes = 1, reset = "none", mutate = {} } = options;
  const members = { walk, order, accumulate, seed, passes, reset, mutate };
  const conditions = checkConditions(document, members);
  checkSteps(document, conditions.passes, checkLimits(limits).steps);
  const unvisited = unvisitedNodes(document, conditions);
  const broken = brokenEdge(document, conditions.order, unvisited);
  const walks = [walked(document, conditions, "stored", stored, deadline)];
  if (conditions.mutate.size > 0) {
    const reread = rereader(document, conditions.mutate);
    walks.push(walked(document, conditions, "reread", reread, deadline));
  }
  return {
    document,
    order: [...conditions.order],
    reverse_topological: broken === null && unvisited.length === 0,
    broken_edge: broken,
    unvisited,
    walks,
  };
}

/**
 * List the nodes that are not in the order and whose visit would have an effect.
 *
 * A pull into a constant has none: no requested gradient depends on it.
 */
function unvisitedNodes({ nodes, root }: GradientDocument, { walk, order }: Conditions): number[] {
  const visited = new Set(order);
  return nodes
    .filter(({ id, kind, operation }) => {
      if (visited.has(id)) return false;
      return walk === "push" ? operation !== null : kind !== "constant" && id !== root;
    })
    .map(({ id }) => id);
}

/** Find the first edge whose operand is visited but whose operation is not visited before it. */
function brokenEdge(
  { edges }: GradientDocument,
  order: readonly number[],
  unvisited: readonly number[],
): number | null {
  const never = order.length;
  const places = new Map(unvisited.map((node) => [node, never]));
  for (const [place, node] of order.entries()) places.set(node, place);
  let first = never;
  let broken: number | null = null;
  for (const { id, from, to } of edges) {
    const place = places.get(from) ?? never;
    if (place < first && place < (places.get(to) ?? -1)) [first, broken] = [place, id];
  }
  return broken;
}

function walked(
  document: GradientDocument,
  conditions: Conditions,
  name: "stored" | "reread",
  localGrad: LocalGrad,
  deadline: Deadline,
): WrongWalk {
  deadline.check();
  const walk = new Walk(document, conditions, localGrad, deadline);
  const gradients = [...variables(document)].map(([label, node]): [string, number] => [
    label,
    walk.grads[node]! + 0,
  ]);
  const differences = gradients.map(([label, gradient]): [string, number | null] => [
    label,
    difference(gradient, document.gradients[label]!),
  ]);
  return {
    local_grads: name,
    ledger: walk.ledger,
    gradients: Object.fromEntries(gradients),
    differences: Object.fromEntries(differences),
    lost: Array.from(deadline.over(walk.lost, LOST_PER_CHECK), (lost) =>
      describedLoss(document, walk.ledger, lost),
    ),
  };
}

function difference(gradient: number, right: number): number | null {
  const apart = gradient - right + 0;
  return Number.isFinite(apart) ? apart : null;
}
