/** Arrow -> its local derivative as a formula with numbers. */

import type { Edge } from "../../../engine_ts/src/template.ts";
import type { LaterWords } from "./en/later.ts";
import type { Differentiated } from "./names.ts";
import { operandOf, operandsOf, slopeOf, writtenOf } from "./slope.ts";
import type { Operand } from "./slope.ts";
import { short } from "./numbers.ts";

/** Say what an operation's result gains with this operand: `∂(a * b)/∂a = b = -3`. */
export function derivative(text: LaterWords, shown: Differentiated, edge: Edge): string {
  const { nodes } = shown.document;
  const { name, factor } = operandOf(shown, edge.from);
  if (edge.local_grad === null)
    return edge.differentiable ? text.noDouble(name) : text.noGradient(name);
  const operation = nodes[edge.to]!.operation!;
  const constant = ["+", "-", "neg"].includes(operation);
  const formula = constant ? null : formulaOf(shown, edge);
  const said = formula === null ? "" : `\`${formula}\` = `;
  const remark = constant ? text.whatever(name) : "";
  return (
    `∂(\`${writtenOf(shown, edge.to)}\`)/∂\`${factor}\` = ` +
    `${said}[d:${short(edge.local_grad)}]${remark}.`
  );
}

/** The formula with the operands' names, where it says more than the number; else null. */
function formulaOf(shown: Differentiated, edge: Edge): string | null {
  const [left, right] = operandsOf(shown, edge.to) as [Operand, Operand];
  switch (shown.document.nodes[edge.to]!.operation) {
    case "*":
      return (edge.slot === 0 ? right : left).name;
    case "/":
      return edge.slot === 0 ? `1 / ${right.factor}` : `−${left.factor} / ${right.factor} ** 2`;
    case "**":
      return `${right.name} * ${left.factor} ** (${right.name} − 1)`;
    case "tanh":
      return `1 − tanh(${left.name}) ** 2`;
    case "relu":
      return `${left.name} > 0`;
    default: {
      const slope = slopeOf(shown, edge);
      return slope.includes(" if ") ? null : slope.replace(/, \S+ when .*/, "");
    }
  }
}
