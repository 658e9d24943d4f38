/**
 * Document + direction -> how result and gradients change along it: forward over reverse mode.
 *
 * A tangent is a number's derivative along the direction. null is the tangent of what the direction
 * does not reach; it takes part in no sum and no product, so that 0 * infinity cannot come of it.
 */

import { Moved, staleCustom } from "../custom.ts";
import type { Document } from "../document.ts";
import { NonFinite } from "../errors.ts";
import { fedByVariables } from "../order.ts";
import type { Edge } from "../template.ts";
import { variables } from "./conditions.ts";
import { apply } from "./dual.ts";
import { tapeOf } from "./tape.ts";
import type { Tape } from "./tape.ts";

/** By node, or by slot. */
export type Tangents = (number | null)[];

/** The tangents of a direction; those of gradients by node. */
export interface Along {
  readonly result: number | null;
  readonly grads: Tangents;
}

/** A document, differentiated along one direction after the other. */
export class SecondOrder {
  readonly #document: Document;
  readonly #tape: Tape;
  readonly #slots: readonly Edge[][];
  readonly #fed: readonly boolean[];

  /** Group the edges by their operation. */
  constructor(document: Document) {
    this.#document = document;
    this.#tape = tapeOf(document);
    this.#slots = document.nodes.map(() => []);
    for (const edge of document.edges) this.#slots[edge.to]!.push(edge);
    const operands = this.#tape.map((entry) => entry.operands);
    this.#fed = fedByVariables(variables(document).values(), operands);
  }

  /**
   * Give the tangents of the result and of each node's gradient (CONTRACT.md R41).
   *
   * @throws {NonFinite} a tangent is infinite or NaN; the first one is named
   */
  along(direction: ReadonlyMap<number, number>): Along {
    const tangents = this.#ofData(direction);
    const grads: Tangents = tangents.map(() => null);
    for (const node of this.#document.backward_order) {
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
    const terms = operands.map((operand) => ({
      data: this.#tape[operand]!.data,
      tangent: tangents[operand]!,
    }));
    try {
      const formulas = operation.formulas(apply, { data, tangent }, ...terms);
      return formulas.map((each) => (typeof each === "object" && each ? each.tangent : null));
    } catch (reason) {
      if (!(reason instanceof Moved)) throw reason;
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
    const what = slot === null ? "the result" : `the gradient of operand ${slot}`;
    const message = `the tangent of ${what} of \`${operation}\` is too large for a double`;
    throw new NonFinite(message, span, { stage: "tangent", node, operation, operands, slot });
  }
}
