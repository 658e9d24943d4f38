/**
 * The structure: operations, operands, labels, spans, as columns indexed by node.
 *
 * For `(a + b) * c` the columns are
 *
 *     node        0     1     2        3     4
 *     label       a     b              c
 *     operations              +              *
 *     operands                [0, 1]         [2, 3]
 *
 * Columns of plain arrays are quick to walk and cheap for the garbage collector.
 */

import { LimitExceeded } from "./errors.ts";
import type { Span } from "./errors.ts";
import type { Limits } from "./limits.ts";
import type { Operation } from "./operations.ts";

/** A DAG that only grows: an operation's operands exist before it, so there is no cycle. */
export class Graph {
  readonly limits: Limits;
  /** null for a leaf. */
  readonly operations: (Operation | null)[] = [];
  /** Nodes, in slot order; empty for a leaf. */
  readonly operands: (readonly number[])[] = [];
  /** The name of the variable, or the name bound to the node. */
  readonly labels: (string | null)[] = [];
  /** The data of a constant; 0 for a variable and an operation, whose data is not written. */
  readonly literals: number[] = [];
  readonly spans: (Span | null)[] = [];
  /** The one leaf of each variable, in the order of first use. */
  readonly variables: Map<string, number> = new Map();

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Add a leaf whose data comes from the request. */
  addVariable(name: string, span: Span | null): number {
    const node = this.#add(null, [], name, 0, span);
    this.variables.set(name, node);
    return node;
  }

  /** Add a leaf whose data is written in the text. */
  addConstant(literal: number, span: Span | null): number {
    return this.#add(null, [], null, literal, span);
  }

  /** Add an operation on nodes that exist. */
  addOperation(operation: Operation, operands: readonly number[], span: Span | null): number {
    return this.#add(operation, operands, null, 0, span);
  }

  /**
   * Add a derived operation as the primitives it is built from (CONTRACT.md R26).
   *
   * @param expansion a graph of the variables x and y, whose last node is the result
   */
  addExpansion(expansion: Graph, operands: readonly number[], span: Span | null): number {
    const nodes: number[] = [];
    for (const [node, operation] of expansion.operations.entries()) {
      const label = expansion.labels[node]!;
      if (operation !== null) {
        const terms = expansion.operands[node]!.map((term) => nodes[term]!);
        nodes.push(this.addOperation(operation, terms, span));
      } else if (label !== null) nodes.push(operands["xy".indexOf(label)]!);
      else nodes.push(this.addConstant(expansion.literals[node]!, span));
    }
    return nodes.at(-1)!;
  }

  /** Return whether a node is a variable. */
  isVariable(node: number): boolean {
    return this.variables.get(this.labels[node] ?? "") === node;
  }

  #add(
    operation: Operation | null,
    operands: readonly number[],
    label: string | null,
    literal: number,
    span: Span | null,
  ): number {
    const node = this.operations.length;
    const limit = this.limits.nodes;
    if (node >= limit) {
      const message = `the graph has more than ${limit} nodes; write a smaller program`;
      throw new LimitExceeded(message, span, { name: "nodes", limit, actual: node + 1 });
    }
    this.operations.push(operation);
    this.operands.push(operands);
    this.labels.push(label);
    this.literals.push(literal);
    this.spans.push(span);
    return node;
  }
}
