/** Sentences about a graph: explanations of steps, hints, derivatives, errors. */

import type { Edge } from "../../../engine_ts/src/template.ts";
import table from "../../../schemas/operations.json" with { type: "json" };
import type { INTERACTION } from "./en.ts";
import { say } from "./spoken.ts";
import type { Saying, Spoken } from "./spoken.ts";
import { nameOf, shortNameOf, write } from "./text.tsx";
import type { NamedDocument } from "./text.tsx";
import type { FaultData, LocatedFault } from "./translated.ts";

/** A contribution of an operation to an operand, in names and numbers. */
interface Contribution {
  readonly from: string;
  readonly to: string;
  readonly incoming: string;
  readonly local: string;
  readonly contribution: string;
}

/** A contribution with its explanation: the operation's rule, and the sum at the operand. */
interface ExplainedContribution extends Contribution {
  /** The operation, as its symbol. */
  readonly operation: string;
  readonly slot: number;
  /** The name of the other operand. */
  readonly other: string;
  /** The local derivative's formula in the table of operations. */
  readonly slope: string;
  readonly arrived: number;
  readonly expected: number;
  readonly sum: string;
  readonly isDead: boolean;
}

/** A language's sentences by operation; `-1` is for the second operand of `-`, if it differs. */
type RuleWords = Spoken<typeof INTERACTION.rules>;

export function explainContribution(text: RuleWords, step: ExplainedContribution): string {
  const { to, other, local, operation, slot, slope, arrived, expected, sum, isDead } = step;
  const sent = `${text.sends({ ...step })}.`;
  if (expected > 1 && arrived < expected) return `${sent} ${text.oneOf(arrived, expected, to)}`;
  if (expected > 1) return `${sent} ${text.together(to, sum)}`;
  const dead = isDead ? ruleFor(text.rules, `${operation} dead`) : undefined;
  const rule = dead ?? ruleFor(text.rules, operation, slot) ?? text.plainly(operation, slope);
  return `${sent} ${say(rule, { other, local })}`;
}

export function hint(
  text: RuleWords,
  operation: string,
  slot: number,
  of: string,
  other: string,
  slope: string,
): string {
  const own = ruleFor(text.hints, operation, slot) ?? ruleFor(text.rules, operation, slot);
  return say(own ?? text.plainly(operation, slope), { other, of });
}

function ruleFor(
  rules: Readonly<Record<string, Saying>>,
  operation: string,
  slot: number | "" = "",
): Saying | undefined {
  return rules[`${operation}${slot}`] ?? rules[operation];
}

export function hintFor(
  first: { readonly resultOne: string },
  rules: RuleWords,
  shown: NamedDocument,
  name: string,
): string {
  const { nodes, edges } = shown.document;
  const id = nodes.findIndex(({ label, kind }) => label === name && kind !== "operation");
  const uses = edges.filter(({ from, differentiable }) => from === id && differentiable);
  const [use] = uses;
  if (use === undefined) return first.resultOne;
  if (uses.length > 1) return rules.hintTwice(name);
  const other = edges.find(({ to, slot }) => to === use.to && slot !== use.slot)?.from ?? id;
  const { operation } = nodes[use.to]!;
  const [of, detail] = [shortNameOf(shown, use.to), nameOf(shown, other)];
  return hint(rules, operation!, use.slot, of, detail, slopeOf(shown, use));
}

/** An operand's text alone, and its text next to an operator. */
interface Operand {
  readonly name: string;
  readonly factor: string;
}

/** Return `0.5 / sqrt(a)`: in the table x and y are the operands, out is the operation itself. */
export function slopeOf(shown: NamedDocument, { to, slot }: Edge): string {
  const { operation } = shown.document.nodes[to]!;
  const row = table.operations.find((each) => each.operation === operation)!;
  const [x, y] = operandsOf(shown, to);
  const names: Readonly<Record<string, Operand | undefined>> = { x, y, c: y };
  return (row.local_gradients[slot] ?? "")
    .replaceAll("-", "−")
    .replace(
      /(\()?\b(?:([xyc])|out)\b(?=(\)?))/g,
      (_, open = "", letter: string, close: string) => {
        const own = writtenOf(shown, to);
        const { name, factor } = names[letter] ?? { name: own, factor: own };
        return open + (open && close ? name : factor);
      },
    );
}

/** Return the operation with its operands by name. */
function writtenOf(shown: NamedDocument, node: number): string {
  const operation = shown.document.nodes[node]!.operation!;
  const operands = operandsOf(shown, node);
  if (isCall(operation)) return `${operation}(${operands.map(({ name }) => name).join(", ")})`;
  const factors = operands.map(({ factor }) => factor);
  return operation === "neg" ? `-${factors[0]!}` : factors.join(` ${operation} `);
}

function operandsOf(shown: NamedDocument, node: number): Operand[] {
  const { edges } = shown.document;
  return edges.filter(({ to }) => to === node).map(({ from }) => operandOf(shown, from));
}

function operandOf(shown: NamedDocument, id: number): Operand {
  const { label, operation } = shown.document.nodes[id]!;
  const name = nameOf(shown, id);
  const isWhole = label !== null || operation === null || isCall(operation);
  return { name, factor: isWhole ? name : `(${name})` };
}

function isCall(operation: string): boolean {
  return /^[a-z]/.test(operation) && operation !== "neg";
}

/** Words for a local derivative that has no formula. */
type DerivativeWords = Readonly<
  Record<"whatever" | "noGradient" | "noDouble", (name: string) => string>
>;

/** Return the sentence of a local derivative: `∂(a * b)/∂a = b = -3`. */
export function derivative(text: DerivativeWords, shown: NamedDocument, edge: Edge): string {
  const { nodes } = shown.document;
  const { name, factor } = operandOf(shown, edge.from);
  if (edge.local_grad === null)
    return edge.differentiable ? text.noDouble(name) : text.noGradient(name);
  const operation = nodes[edge.to]!.operation!;
  const constant = ["+", "-", "neg"].includes(operation);
  const formula = constant ? null : derivativeFormula(shown, edge);
  const lead = formula === null ? "" : `\`${formula}\` = `;
  const remark = constant ? text.whatever(name) : "";
  return (
    `∂(\`${writtenOf(shown, edge.to)}\`)/∂\`${factor}\` = ` +
    `${lead}[d:${write(edge.local_grad)}]${remark}.`
  );
}

/** Return the formula with the operands' names; null if it adds nothing to the number. */
function derivativeFormula(shown: NamedDocument, edge: Edge): string | null {
  const [left, right] = operandsOf(shown, edge.to) as [Operand, Operand];
  switch (shown.document.nodes[edge.to]!.operation) {
    case "*":
      return (edge.slot === 0 ? right : left).name;
    case "/":
      return edge.slot === 0 ? `1 / ${right.factor}` : `−${left.factor} / ${right.factor} ** 2`;
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

/** A language's sentences of errors, and its sentence for an empty expression. */
interface FaultText {
  readonly empty: string;
  readonly describe: ((fault: LocatedFault) => string) | null;
}

/** Describe an error of the program `expression`. */
export function faultMessage(text: FaultText, fault: FaultData, expression = ""): string {
  const { code, message, data, span } = fault;
  if (code === "unexpected_end" && expression.trim() === "") return text.empty;
  const points = [...expression];
  const [start, end] = [span?.start ?? 0, span?.end ?? 0];
  const before = points.slice(0, start).join("");
  const found = points.slice(start, end).join("");
  return (text.describe ?? inEnglish)({ code, message, data, span, before, found });
}

/**
 * Return the engine's message as sentences. An offset becomes a column, or is left out if it is the
 * error's own; a node's number is left out, because the page does not show it.
 */
function inEnglish({ message, before }: LocatedFault): string {
  const here = [...before].length;
  const brief = message
    .split("\n")[0]!
    .replace(/ at offset (\d+)/g, (_, offset) =>
      Number(offset) === here ? "" : ` in column ${Number(offset) + 1}`,
    )
    .replace(/,? at node \d+( \(`[^`]*`\))?/, "");
  const sentences = brief
    .split("; ")
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`);
  const whole = sentences.join(". ");
  return /[.?]$/.test(whole) ? whole : `${whole}.`;
}
