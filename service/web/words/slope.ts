/** Arrow -> its local derivative, as the table of operations writes it, with the operands' names. */

import table from "../../../schemas/operations.json";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { nameOf } from "./names.ts";
import type { Differentiated } from "./names.ts";

/** An operand as it stands alone, and as it stands beside an operator. */
export interface Operand {
  readonly name: string;
  readonly factor: string;
}

/** `0.5 / sqrt(a)`: x and y in the table are the operands, out is the operation itself. */
export function slopeOf(shown: Differentiated, { to, slot }: Edge): string {
  const { operation } = shown.document.nodes[to]!;
  const row = table.operations.find((each) => each.operation === operation)!;
  const [x, y] = operandsOf(shown, to);
  const names: Readonly<Record<string, Operand | undefined>> = { x, y, c: y };
  return (row.local_gradients[slot] ?? "")
    .replaceAll("-", "−")
    .replace(
      /(\()?\b(?:([xyc])|out)\b(?=(\)?))/g,
      (_, open = "", letter: string, close: string) => {
        const operand = names[letter] ?? {
          name: writtenOf(shown, to),
          factor: writtenOf(shown, to),
        };
        return open + (open && close ? operand.name : operand.factor);
      },
    );
}

/** The operation with its operands by name. */
export function writtenOf(shown: Differentiated, node: number): string {
  const operation = shown.document.nodes[node]!.operation!;
  const operands = operandsOf(shown, node);
  if (isCall(operation)) return `${operation}(${operands.map(({ name }) => name).join(", ")})`;
  const factors = operands.map(({ factor }) => factor);
  return operation === "neg" ? `-${factors[0]!}` : factors.join(` ${operation} `);
}

export function operandsOf(shown: Differentiated, node: number): Operand[] {
  const { edges } = shown.document;
  return edges.filter(({ to }) => to === node).map(({ from }) => operandOf(shown, from));
}

export function operandOf(shown: Differentiated, id: number): Operand {
  const { label, operation } = shown.document.nodes[id]!;
  const name = nameOf(shown, id);
  const isWhole = label !== null || operation === null || isCall(operation);
  return { name, factor: isWhole ? name : `(${name})` };
}

function isCall(operation: string): boolean {
  return /^[a-z]/.test(operation) && operation !== "neg";
}
