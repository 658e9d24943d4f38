/**
 * Document + conditions -> the ledger of a backward pass under them, and what it lost.
 *
 * The walk pushes, as `backward` does: a visited operation sends a contribution to each operand,
 * and the visit of a leaf does nothing.
 */

import { stageOf } from "../backward.ts";
import type { Document } from "../document.ts";
import { NonFinite } from "../errors.ts";
import type { Edge } from "../template.ts";
import type { Conditions } from "./conditions.ts";
import type { LocalGrad } from "./local_grads.ts";

export type Reason = "late" | "unvisited" | "overwritten";

/** A row of the ledger: what an edge carries when its operation is visited. */
export interface Step {
  pass: number;
  edge: number;
  incoming_grad: number;
  local_grad: number;
  contribution: number;
  running_grad: number;
}

/** A contribution, by its step in the ledger, that its operand did not keep or pass on. */
export interface Loss {
  readonly step: number;
  readonly reason: Reason;
  /** The step that overwrote it. */
  readonly by: number | null;
}

/** One run of the backward passes: fills the ledger, the gradients by node, and the losses. */
export class Walk {
  readonly ledger: Step[] = [];
  readonly grads: number[];
  readonly losses: Loss[] = [];
  readonly #document: Document;
  readonly #conditions: Conditions;
  readonly #localGrad: LocalGrad;
  /** For each node, the steps whose contribution was not passed on yet. */
  readonly #waiting: number[][];

  /** Visit the nodes in the order of the conditions, once a pass. */
  constructor(document: Document, conditions: Conditions, localGrad: LocalGrad) {
    this.grads = document.nodes.map(() => 0);
    this.#document = document;
    this.#conditions = conditions;
    this.#localGrad = localGrad;
    this.#waiting = document.nodes.map(() => []);
    const slots = slotsOf(document);
    for (let number = 1; number <= conditions.passes; number += 1) {
      this.#beginPass();
      for (const node of conditions.order) {
        for (const edge of slots[node]!) this.#send(number, edge);
        if (slots[node]!.length > 0) this.#waiting[node] = [];
      }
    }
    this.#loseWhatStillWaits();
  }

  /** Seed the root. What the pass before left in the leaves has arrived. */
  #beginPass(): void {
    this.grads[this.#document.root] = 1;
    for (const { id, operation } of this.#document.nodes) {
      if (operation === null) this.#waiting[id] = [];
    }
  }

  /** Send a contribution along an edge to its operand. */
  #send(number: number, edge: Edge): void {
    const operand = edge.from;
    const incoming = this.grads[edge.to]!;
    const local = this.#localGrad(edge);
    const contribution = incoming * local;
    const step = this.ledger.length;
    let running = this.grads[operand]! + contribution;
    if (this.#conditions.accumulate === "replace") {
      for (const lost of this.#waiting[operand]!) this.#lose(lost, "overwritten", step);
      this.#waiting[operand] = [];
      running = contribution;
    }
    if (!(Number.isFinite(local) && Number.isFinite(contribution) && Number.isFinite(running))) {
      throw nonFinite(this.#document, edge, stageOf(local, contribution));
    }
    this.grads[operand] = running;
    if (contribution !== 0) this.#waiting[operand]!.push(step);
    this.ledger.push({
      pass: number,
      edge: edge.id,
      incoming_grad: incoming + 0,
      local_grad: local + 0,
      contribution: contribution + 0,
      running_grad: running + 0,
    });
  }

  #loseWhatStillWaits(): void {
    const visited = new Set(this.#conditions.order);
    for (const { id, operation } of this.#document.nodes) {
      if (operation === null) continue;
      const reason = visited.has(id) ? "late" : "unvisited";
      for (const step of this.#waiting[id]!) this.#lose(step, reason);
    }
    this.losses.sort((one, other) => one.step - other.step);
  }

  #lose(step: number, reason: Reason, by: number | null = null): void {
    this.losses.push({ step, reason, by });
  }
}

/** Give each node's edges to its operands, but for exponents. */
function slotsOf({ nodes, edges }: Document): Edge[][] {
  const slots: Edge[][] = nodes.map(() => []);
  for (const edge of edges) {
    if (edge.differentiable) slots[edge.to]!.push(edge);
  }
  return slots;
}

function nonFinite({ nodes, edges }: Document, edge: Edge, stage: string): NonFinite {
  const { to: node, slot } = edge;
  const { operation, span } = nodes[node]!;
  const operands = edges.filter((each) => each.to === node).map((each) => nodes[each.from]!.data);
  const message = `the ${stage} of operand ${slot} of \`${operation}\` is too large for a double`;
  return new NonFinite(message, span, { stage, node, operation, operands, slot });
}
