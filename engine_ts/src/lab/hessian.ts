/**
 * Document -> its second derivatives by pairs of names, and derivatives along a vector.
 *
 * Forward over reverse mode: a tangent is a number's derivative along the direction. A number that
 * the direction does not reach has the tangent null, which takes part in no sum or product, so 0 *
 * infinity cannot occur.
 */

import { StaleRow, staleCustom } from "../operations.ts";
import { NEVER } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { GradientDocument } from "../document.ts";
import { InvalidRequest, LimitExceeded, NonFinite } from "../errors.ts";
import { checkLimits } from "../limits.ts";
import { fedByVariables } from "../order.ts";
import { described } from "../request.ts";
import type { Edge } from "../template.ts";
import { documentOf } from "../subject.ts";
import type { Options, Subject, Values } from "../subject.ts";
import { checkNumbers, refuse, variables as idsOf } from "./checks.ts";
import { formulasOf } from "./formulas.ts";
import { dual, tapeOf } from "./tape.ts";
import type { Tape } from "./tape.ts";

/** The formulas of a node may take a few tenths of a millisecond. */
const NODES_PER_CHECK = 64;

/** Second derivatives; the last two are null if no vector was given. */
export interface Hessian {
  document: GradientDocument;
  hessian: Record<string, Record<string, number>>;
  product: Record<string, number> | null;
  directional_derivative: number | null;
}

export interface HessianOptions {
  /** Names whose second derivatives are computed; if undefined, all of them. */
  readonly variables?: readonly string[] | null;
  /**
   * Numbers by variable, 0 for the others. The reply has the Hessian's product with it for every
   * variable, and the result's derivative along it; both need one direction.
   */
  readonly vector?: Readonly<Record<string, number>> | null;
}

/**
 * Differentiate the gradients of a document once more (CONTRACT.md R41).
 *
 * @param subject a document, a text or a Value
 * @param values by name, for a text
 * @param options its limits include `tangents`, and those of the document
 * @throws {GradientError} an option is invalid, there are too many directions for a graph of this
 *   size, or a tangent is not finite
 * @throws {DeadlineExceeded} the deadline has passed
 */
export function hessian(
  subject: Subject,
  values: Values = {},
  options: Options & HessianOptions = {},
): Hessian {
  const { limits, deadline = NEVER } = options;
  const document = documentOf(subject, values, options);
  deadline.check();
  const ids = idsOf(document);
  const chosen = checkVariables(ids, options.variables ?? null);
  const vector = options.vector ?? null;
  const direction = vector === null ? null : checkNumbers(document, "vector", vector);
  const directions = chosen.length + (direction === null ? 0 : 1);
  checkSize(document, directions, checkLimits(limits).tangents);
  const order = new SecondOrder(document, deadline);
  const along = direction === null ? null : order.along(direction);
  const columns = chosen.map((name) => order.along(new Map([[ids.get(name)!, 1]])).grads);
  const rows = chosen.map((one): [string, Record<string, number>] => [
    one,
    Object.fromEntries(
      chosen.map((other, place) => [other, numberOf(columns[place]![ids.get(one)!]!)]),
    ),
  ]);
  return {
    document,
    hessian: Object.fromEntries(rows),
    product: along && named(ids, along.grads),
    directional_derivative: along && numberOf(along.result),
  };
}

function named(ids: ReadonlyMap<string, number>, tangents: Tangents): Record<string, number> {
  return Object.fromEntries([...ids].map(([name, node]) => [name, numberOf(tangents[node]!)]));
}

function numberOf(tangent: number | null): number {
  return (tangent ?? 0) + 0;
}

function checkVariables(ids: ReadonlyMap<string, number>, variables: unknown): string[] {
  if (variables === null) return [...ids.keys()];
  if (!Array.isArray(variables)) refuse("variables", "an array of names", variables);
  const chosen = new Set<string>();
  for (const [place, name] of variables.entries()) {
    const pointer = `/variables/${place}`;
    if (typeof name !== "string" || !ids.has(name)) {
      const message = `variables[${place}] must be the name of a variable, not ${described(name)}`;
      throw new InvalidRequest(message, null, { pointer });
    }
    if (chosen.has(name)) {
      const message = `\`${name}\` is listed twice under variables; list it once`;
      throw new InvalidRequest(message, null, { pointer });
    }
    chosen.add(name);
  }
  return [...chosen];
}

function checkSize({ edges }: GradientDocument, directions: number, limit: number): void {
  const actual = directions * edges.length;
  if (actual > limit) {
    const message =
      `${directions} directions in this graph take ${actual} tangents; at most ` +
      `${limit} are computed, so name fewer variables, or give a vector`;
    throw new LimitExceeded(message, null, { name: "tangents", limit, actual });
  }
}

/** By node, or by slot. */
type Tangents = (number | null)[];

/** The tangents of a direction; those of gradients by node. */
interface Along {
  readonly result: number | null;
  readonly grads: Tangents;
}

/** A document, to be differentiated along one direction after another. */
class SecondOrder {
  readonly #document: GradientDocument;
  readonly #tape: Tape;
  readonly #slots: readonly Edge[][];
  readonly #fed: readonly boolean[];
  readonly #deadline: Deadline;

  /** Group the edges by their operation. */
  constructor(document: GradientDocument, deadline: Deadline = NEVER) {
    this.#document = document;
    this.#deadline = deadline;
    this.#tape = tapeOf(document);
    this.#slots = document.nodes.map(() => []);
    for (const edge of document.edges) this.#slots[edge.to]!.push(edge);
    const operands = this.#tape.map((entry) => entry.operands);
    this.#fed = fedByVariables(idsOf(document).values(), operands);
  }

  /**
   * Compute the tangents of the result and of each node's gradient (CONTRACT.md R41).
   *
   * @throws {NonFinite} a tangent is infinite or NaN; the first one is named
   */
  along(direction: ReadonlyMap<number, number>): Along {
    const tangents = this.#ofData(direction);
    const grads: Tangents = tangents.map(() => null);
    this.#deadline.check();
    for (const node of this.#deadline.over(this.#document.backward_order, NODES_PER_CHECK)) {
      if (this.#slots[node]!.length > 0)
        this.#send(node, grads, this.#ofLocalGrads(node, tangents));
    }
    return { result: tangents[this.#document.root]!, grads };
  }

  /** Push the tangents of the leaves to the root, as forward mode does. */
  #ofData(direction: ReadonlyMap<number, number>): Tangents {
    const order = this.#document.topological_order;
    const tangents: Tangents = order.map((node) => direction.get(node) ?? null);
    for (const [node, edges] of this.#slots.entries()) {
      for (const { from, local_grad: local } of edges) {
        const tangent = tangents[from]!;
        if (local !== null && tangent !== null) {
          tangents[node] = (tangents[node] ?? 0) + local * tangent;
        }
      }
      this.#refuseNonFinite(tangents[node]!, node, null);
    }
    return tangents;
  }

  /** Differentiate the formulas of an operation's local gradients, by slot. */
  #ofLocalGrads(node: number, tangents: Tangents): Tangents {
    const { operation, operands, data } = this.#tape[node]!;
    const tangent = tangents[node]!;
    if (operation === null || tangent === null) return operands.map(() => null);
    const terms = operands.map((operand) => dual(this.#tape[operand]!.data, tangents[operand]!));
    try {
      const formulas = formulasOf(operation, dual(data, tangent), terms);
      return formulas.map((each) => (typeof each === "object" && each ? each.tangent : null));
    } catch (reason) {
      if (!(reason instanceof StaleRow)) throw reason;
      const numbers = terms.map((each) => each.data);
      throw staleCustom(operation.name, node, numbers);
    }
  }

  /** Send the tangent of incoming_grad * local_grad to each operand. */
  #send(node: number, grads: Tangents, localTangents: Tangents): void {
    for (const edge of this.#slots[node]!) {
      const { from: operand, incoming_grad: incoming, local_grad: local, slot } = edge;
      if (incoming === null || local === null || !this.#fed[operand]) continue;
      let sent: number | null = null;
      const tangent = grads[node]!;
      if (tangent !== null) sent = tangent * local;
      const localTangent = localTangents[slot]!;
      if (localTangent !== null) sent = (sent ?? 0) + incoming * localTangent;
      if (sent !== null) {
        grads[operand] = (grads[operand] ?? 0) + sent;
        this.#refuseNonFinite(grads[operand], node, slot);
      }
    }
  }

  #refuseNonFinite(tangent: number | null, node: number, slot: number | null): void {
    if (tangent === null || Number.isFinite(tangent)) return;
    const { nodes } = this.#document;
    const { operation, span } = nodes[node]!;
    const operands = this.#slots[node]!.map(({ from }) => nodes[from]!.data);
    const quantity = slot === null ? "the result" : `the gradient of operand ${slot}`;
    const message = `the tangent of ${quantity} of \`${operation}\` is too large for a double`;
    throw new NonFinite(message, span, { stage: "tangent", node, operation, operands, slot });
  }
}
