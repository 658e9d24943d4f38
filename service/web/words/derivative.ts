/** Arrow -> its local derivative as a formula with numbers. */

import type { Edge } from "../../../engine_ts/src/template.ts";
import type { Shown } from "../state/program.ts";
import { nameOf } from "./names.ts";
import { laterWords } from "./later.ts";
import { short } from "./words.ts";

/** Say what an operation's result gains with this operand: `∂(a * b)/∂a = b = -3`. */
export function derivative(shown: Shown, edge: Edge): string {
  const { nodes } = shown.document;
  const { name, factor } = operandOf(shown, edge.from);
  if (edge.local_grad === null) return laterWords.value.noGradient(name);
  const whole = written(shown, edge);
  const formula = formulaOf(shown, edge);
  const operation = nodes[edge.to]!.operation!;
  const constant = ["+", "-", "neg"].includes(operation);
  const remark = constant ? laterWords.value.whatever(name) : "";
  return laterWords.value.derivative(
    whole,
    factor,
    constant ? null : formula,
    short(edge.local_grad),
    remark,
  );
}

/** An operand as it stands alone, and as it stands beside an operator. */
interface Operand {
  readonly name: string;
  readonly factor: string;
}

function operandsOf(shown: Shown, node: number): Operand[] {
  const { edges } = shown.document;
  return edges.filter(({ to }) => to === node).map(({ from }) => operandOf(shown, from));
}

function operandOf(shown: Shown, id: number): Operand {
  const { label, operation } = shown.document.nodes[id]!;
  const name = nameOf(shown, id);
  const isWhole = label !== null || operation === null || isCall(operation);
  return { name, factor: isWhole ? name : `(${name})` };
}

function isCall(operation: string): boolean {
  return /^[a-z]/.test(operation) && operation !== "neg";
}

/** The operation with its operands by name. */
function written(shown: Shown, { to }: Edge): string {
  const operation = shown.document.nodes[to]!.operation!;
  const operands = operandsOf(shown, to);
  if (isCall(operation)) return `${operation}(${operands.map(({ name }) => name).join(", ")})`;
  const factors = operands.map(({ factor }) => factor);
  return operation === "neg" ? `-${factors[0]!}` : factors.join(` ${operation} `);
}

/** The formula with the operands' names, where it says more than the number; else null. */
function formulaOf(shown: Shown, { to, slot }: Edge): string | null {
  const [left, right] = operandsOf(shown, to) as [Operand, Operand];
  switch (shown.document.nodes[to]!.operation) {
    case "*":
      return (slot === 0 ? right : left).name;
    case "/":
      return slot === 0 ? `1 / ${right.factor}` : `−${left.factor} / ${right.factor} ** 2`;
    case "**":
      return `${right.name} * ${left.factor} ** (${right.name} − 1)`;
    case "exp":
      return `exp(${left.name})`;
    case "log":
      return `1 / ${left.factor}`;
    case "tanh":
      return `1 − tanh(${left.name}) ** 2`;
    case "relu":
      return `${left.name} > 0`;
    case "sqrt":
      return `0.5 / sqrt(${left.name})`;
    case "sin":
      return `cos(${left.name})`;
    case "cos":
      return `−sin(${left.name})`;
    case "sigmoid":
      return `sigmoid(${left.name}) * (1 − sigmoid(${left.name}))`;
    case "softplus":
      return `sigmoid(${left.name})`;
    default:
      return null;
  }
}
