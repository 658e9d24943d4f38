/** Arrow -> its local derivative as a formula with numbers. */

import type { Edge } from "../../../engine_ts/src/template.ts";
import type { Shown } from "../state/program.ts";
import { nameOf } from "./names.ts";
import { laterWords } from "./later.ts";
import { short } from "./words.ts";

/** Say what an operation's result gains with this operand: `∂(a * b)/∂a = b = -3`. */
export function derivative(shown: Shown, edge: Edge): string {
  const { nodes } = shown.document;
  const by = nameOf(shown, edge.from);
  if (edge.local_grad === null) return laterWords.value.noGradient(by);
  const whole = written(shown, edge);
  const formula = formulaOf(shown, edge);
  const operation = nodes[edge.to]!.operation!;
  const constant = ["+", "-", "neg"].includes(operation);
  const remark = constant ? laterWords.value.whatever(by) : "";
  return laterWords.value.derivative(
    whole,
    by,
    constant ? null : formula,
    short(edge.local_grad),
    remark,
  );
}

function operandsOf(shown: Shown, node: number): string[] {
  const { edges } = shown.document;
  return edges
    .filter(({ to }) => to === node)
    .map(({ from }) => inParentheses(nameOf(shown, from)));
}

function inParentheses(text: string): string {
  return /[ ]/.test(text) ? `(${text})` : text;
}

/** The operation with its operands by name. */
function written(shown: Shown, { to }: Edge): string {
  const operation = shown.document.nodes[to]!.operation!;
  const [left, right] = operandsOf(shown, to);
  if (right !== undefined) {
    const isCall = /^[a-z]/.test(operation);
    return isCall ? `${operation}(${left}, ${right})` : `${left} ${operation} ${right}`;
  }
  if (operation === "neg") return `-${left}`;
  return `${operation}(${left!.replace(/^\((.*)\)$/, "$1")})`;
}

/** The formula with the operands' names, where it says more than the number; else null. */
function formulaOf(shown: Shown, { to, slot }: Edge): string | null {
  const [left, right] = operandsOf(shown, to) as [string, string];
  switch (shown.document.nodes[to]!.operation) {
    case "*":
      return slot === 0 ? right : left;
    case "/":
      return slot === 0 ? `1 / ${right}` : `−${left} / ${right} ** 2`;
    case "**":
      return `${right} * ${left} ** (${right} − 1)`;
    case "exp":
      return `exp(${left})`;
    case "log":
      return `1 / ${left}`;
    case "tanh":
      return `1 − tanh(${left}) ** 2`;
    case "relu":
      return `${left} > 0`;
    default:
      return null;
  }
}
