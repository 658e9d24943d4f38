/** What translations share: faults told by their code, counted nouns, tables of texts. */

import type { LocatedFault } from "./sentences.ts";

/** A language's sentences. Those that do not say all are followed by one that says what to do. */
export interface FaultWords {
  readonly character: (found: string) => string;
  readonly otherSign: (found: string) => string;
  readonly equals: string;
  readonly comma: string;
  readonly closing: string;
  readonly unnamedLine: string;
  readonly beforeEnd: string;
  readonly before: (found: string) => string;
  readonly call: (written: string) => string;
  readonly product: (left: string, right: string) => string;
  readonly endsOpen: string;
  readonly ends: string;
  readonly noFunction: (name: string) => string;
  readonly meant: (name: string) => string;
  readonly arity: (name: string, expected: number, actual: number) => string;
  readonly exponent: string;
  readonly duplicate: (name: string) => string;
  readonly unused: (name: string) => string;
  readonly missing: (name: string) => string;
  /** By operation: where it has no value. */
  readonly domains: Readonly<Record<string, string>>;
  readonly zeroPower: string;
  readonly outside: (operation: string) => string;
  readonly literal: string;
  readonly steep: (operation: string) => string;
  readonly largeGradient: string;
  readonly largeNumber: string;
  readonly largeResult: (operation: string) => string;
  readonly closer: string;
  readonly characters: (limit: number) => string;
  readonly nodes: (limit: number) => string;
  readonly work: (limit: number, actual: number) => string;
  readonly other: (code: string) => string;
}

type Sentence = (text: FaultWords, fault: LocatedFault) => string;

/** By code: what a fault says. What is not here can't come about on this page. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  unexpected_character: (text, { found }) => `${text.character(found)} ${text.otherSign(found)}`,
  unexpected_token: misplaced,
  unexpected_end: (text, { before }) => (isOpen(before) ? text.endsOpen : text.ends),
  unknown_function: (text, { data, message }) => {
    const meant = /did you mean `(\w+)`/.exec(message)?.[1];
    const told = text.noFunction(name(data));
    return meant === undefined ? told : `${told} ${text.meant(meant)}`;
  },
  wrong_arity: (text, { data }) =>
    text.arity(name(data), Number(data["expected"]), Number(data["actual"])),
  exponent_not_literal: (text) => text.exponent,
  duplicate_name: (text, { data }) => text.duplicate(name(data)),
  unused_name: (text, { data }) => text.unused(name(data)),
  missing_value: (text, { data }) => text.missing(name(data)),
  domain_error: (text, { data }) => {
    const operation = String(data["operation"]);
    const isZeroPower = operation === "**" && first(data) === 0;
    return isZeroPower ? text.zeroPower : (text.domains[operation] ?? text.outside(operation));
  },
  non_finite: tooLarge,
  limit_exceeded: (text, { data }) => {
    const [limit, actual] = [Number(data["limit"]), Number(data["actual"])];
    if (data["name"] === "characters") return text.characters(limit);
    return data["name"] === "nodes" ? text.nodes(limit) : text.work(limit, actual);
  },
};

/** With a language's sentences, say what is wrong, and what to do. */
export function faultSentences(text: FaultWords): (fault: LocatedFault) => string {
  return (fault) => SENTENCES[fault.code]?.(text, fault) ?? text.other(fault.code);
}

function name(data: LocatedFault["data"]): string {
  return String(data["name"]);
}

function first(data: LocatedFault["data"]): number | undefined {
  return (data["operands"] as readonly number[])[0];
}

function isOpen(before: string): boolean {
  return before.split("(").length > before.split(")").length;
}

/** A number, a name or a parenthesis. */
const OPERAND = /^[\w(]/;
/** The last token of a text, where it ends an operand. */
const OPERAND_BEFORE = /([A-Za-z_]\w*|[\d.]+(?:e[+-]?\d+)?|\))\s*$/i;
const LINE_BEFORE = /[;\n]\s*$/;

/** A token that cannot stand where it stands. */
function misplaced(text: FaultWords, { found, before, message }: LocatedFault): string {
  const last = OPERAND_BEFORE.exec(before)?.[1];
  if (found === "=") return text.equals;
  if (found === ",") return text.comma;
  if (found === ")" && !isOpen(before)) return text.closing;
  if (LINE_BEFORE.test(before) && OPERAND.test(found)) return text.unnamedLine;
  if (LINE_BEFORE.test(before) || last === undefined || !OPERAND.test(found))
    return found === "\n" || found === ";" ? text.beforeEnd : text.before(found);
  const call = /write `(\w+\([^`]*\))` to call/.exec(message)?.[1];
  return call === undefined ? text.product(last, found) : text.call(call);
}

function tooLarge(text: FaultWords, { data }: LocatedFault): string {
  const { stage, operation } = data;
  if (stage === "literal") return text.literal;
  if (stage === "local_grad" && first(data) === 0) return text.steep(String(operation));
  if (stage !== "data") return `${text.largeGradient} ${text.closer}`;
  const told = operation === null ? text.largeNumber : text.largeResult(String(operation));
  return `${told} ${text.closer}`;
}

/** A number with its noun, as a language counts: 1 узел, 2 узла, 5 узлов; 1 nodo, 2 nodos. */
export function counted(
  language: string,
  count: number,
  one: string,
  few: string,
  many = few,
): string {
  const form = new Intl.PluralRules(language).select(count);
  return `${count} ${form === "one" ? one : form === "few" ? few : many}`;
}

/** Lines of texts, `name | text | …` -> by name, each text under what it is called. */
export function tableOf<Member extends string>(
  members: readonly Member[],
  lines: readonly string[],
) {
  const rows = lines.map((line) => line.split(" | "));
  return Object.fromEntries(
    rows.map(([name, ...texts]) => [
      name!,
      Object.fromEntries(members.map((each, at) => [each, texts[at]!])) as Record<Member, string>,
    ]),
  );
}
