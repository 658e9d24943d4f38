/**
 * Document + conditions -> the ledger of a backward pass under them, and what it lost.
 *
 * A visit takes edges: in a push, as in `backward`, those from the operands of the visited node, and
 * in a pull those to the operations that use it. Each carries a contribution to its operand. All else
 * is the same.
 */

import { stageOf } from "../backward.ts";
import type { Document } from "../document.ts";
import { NonFinite } from "../errors.ts";
import type { Edge } from "../template.ts";
import type { Conditions } from "./conditions.ts";
import type { LocalGrad } from "./local_grads.ts";

export type Reason = "late" | "unvisited" | "overwritten";

/** A row of the ledger: what an edge carries when a visit takes it. */
export interface Row {
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
  /** The node whose visit it waited for; where it was overwritten, its operand. */
  readonly node: number;
  readonly reason: Reason;
  /** The step that overwrote it. */
  readonly by: number | null;
}

/** One run of the backward passes: fills the ledger, the gradients by node, and the losses. */
export class Walk {
  readonly ledger: Row[] = [];
  readonly grads: number[];
  readonly losses: Loss[] = [];
  readonly #document: Document;
  readonly #conditions: Conditions;
  readonly #localGrad: LocalGrad;
  /** The end of an edge whose visit takes it. */
  readonly #visited: "from" | "to";
  /** For each node, and each whose visit passes on what arrives there, the steps that wait. */
  readonly #waiting: Map<number, number[]>[];

  /** Visit the nodes in the order of the conditions, once a pass. */
  constructor(document: Document, conditions: Conditions, localGrad: LocalGrad) {
    this.grads = document.nodes.map(() => 0);
    this.#document = document;
    this.#conditions = conditions;
    this.#localGrad = localGrad;
    this.#visited = conditions.walk === "push" ? "to" : "from";
    this.#waiting = document.nodes.map(() => new Map());
    const edges = this.#edgesByVisit();
    for (let number = 1; number <= conditions.passes; number += 1) {
      this.#beginPass();
      for (const node of conditions.order) {
        for (const edge of edges[node]!) this.#take(number, edge);
      }
    }
    this.#loseWhatStillWaits();
    this.losses.sort((one, other) => one.step - other.step || one.node - other.node);
  }

  /** Give what each visit takes, in the order of R4, and let operations wait for visits. */
  #edgesByVisit(): Edge[][] {
    const { nodes, edges } = this.#document;
    const byVisit: Edge[][] = nodes.map(() => []);
    for (const edge of edges.toSorted((one, other) => other.to - one.to || one.slot - other.slot)) {
      if (edge.running_grad === null) continue; // of exponents and what has no gradient (R5)
      const visited = edge[this.#visited];
      byVisit[visited]!.push(edge);
      if (nodes[visited]!.kind !== "constant") this.#waiting[edge.to]!.set(visited, []);
    }
    return byVisit;
  }

  /** Reset what is to be reset, and seed the root. What has arrived in leaves stays there. */
  #beginPass(): void {
    const { reset, seed } = this.#conditions;
    if (reset !== "none") this.#loseWhatStillWaits();
    for (const { id, operation } of this.#document.nodes) {
      const isLeaf = operation === null;
      if (isLeaf) this.#waiting[id]!.set(id, []);
      if (reset === "all" || (reset === "inner" && !isLeaf)) this.grads[id] = 0;
    }
    this.grads[this.#document.root] = seed;
  }

  /** Let a contribution arrive at an edge's operand; what waited for that is passed on. */
  #take(number: number, edge: Edge): void {
    const operand = edge.from;
    const incoming = this.grads[edge.to]!;
    const local = this.#localGrad(edge);
    const contribution = incoming * local;
    const step = this.ledger.length;
    let running = this.grads[operand]! + contribution;
    this.#waiting[edge.to]!.get(edge[this.#visited])?.splice(0);
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
      this.losses.push({ step, node, reason: "overwritten", by });
    }
    for (const steps of waiting) steps.splice(0);
  }

  #loseWhatStillWaits(): void {
    const visited = new Set(this.#conditions.order);
    for (const { id, operation } of this.#document.nodes) {
      if (operation === null) continue;
      for (const [node, steps] of this.#waiting[id]!) {
        const reason = visited.has(node) ? "late" : "unvisited";
        for (const step of steps.splice(0)) this.losses.push({ step, node, reason, by: null });
      }
    }
  }
}

function nonFinite({ nodes, edges }: Document, edge: Edge, stage: string): NonFinite {
  const { to: node, slot } = edge;
  const { operation, span } = nodes[node]!;
  const operands = edges.filter((each) => each.to === node).map((each) => nodes[each.from]!.data);
  const message = `the ${stage} of operand ${slot} of \`${operation}\` is too large for a double`;
  return new NonFinite(message, span, { stage, node, operation, operands, slot });
}
