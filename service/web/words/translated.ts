/** Shared by the translations: sentences of faults by code, counted nouns, tables of texts. */

import type { LocatedFault } from "./sentences.ts";

type Written = "character" | "cyrillic" | "otherSign" | "equals" | "comma" | "closing" | "call";
type Missing = "unnamedLine" | "beforeEnd" | "before" | "product" | "endsOpen" | "ends";
type Named = "unknown_function" | "meant" | "duplicate_name" | "unused_name" | "missing_value";
type Operands = "wrong_arity" | "exponent_not_literal";
type Undefined = `domain ${"/" | "sqrt" | "log" | "**"}` | "zeroPower" | "outside" | "steep";
type TooLarge = "literal" | "largeGradient" | "largeNumber" | "largeResult" | "closer";
type Limited = "characters" | "nodes" | "work" | "other";
type Sentence = Written | Missing | Named | Operands | Undefined | TooLarge | Limited;

/** A language's sentences; `{name}` stands for the name in a fault's data, and so on. */
export type FaultWords = Readonly<Record<Sentence, string>>;

/** Return a function that describes a fault and its cure in a language's sentences. */
export function faultSentences(text: FaultWords): (fault: LocatedFault) => string {
  return (fault) => {
    const details: Readonly<Record<string, unknown>> = {
      ...fault,
      ...fault.data,
      last: OPERAND_BEFORE.exec(fault.before)?.[1],
      call: CALL.exec(fault.message)?.[1],
      meant: MEANT.exec(fault.message)?.[1],
    };
    const told = sentencesOf(fault).map((name) => text[name] ?? text.other);
    return told.join(" ").replace(/\{(\w+)\}/g, (_, name: string) => String(details[name]));
  };
}

/** Select a fault's sentences; other codes have a sentence of their own, or do not occur here. */
function sentencesOf(fault: LocatedFault): readonly Sentence[] {
  const { code, found, before, message, data } = fault;
  switch (code) {
    case "unexpected_character":
      return ["character", ...(CYRILLIC.test(found) ? ["cyrillic" as const] : []), "otherSign"];
    case "unexpected_token":
      return [misplaced(fault)];
    case "unexpected_end":
      return [isOpen(before) ? "endsOpen" : "ends"];
    case "unknown_function":
      return MEANT.test(message) ? [code, "meant"] : [code];
    case "domain_error":
      return [outsideDomain(fault)];
    case "non_finite":
      return tooLarge(fault);
    case "limit_exceeded":
      return [data["name"] === "characters" || data["name"] === "nodes" ? data["name"] : "work"];
    default:
      return [code as Sentence];
  }
}

const CYRILLIC = /\p{Script=Cyrillic}/u;
const MEANT = /did you mean `(\w+)`/;
const CALL = /write `(\w+\([^`]*\))` to call/;
/** A number, a name or a parenthesis. */
const OPERAND = /^[\w(]/;
/** The last token of a text, if it ends an operand. */
const OPERAND_BEFORE = /([A-Za-z_]\w*|[\d.]+(?:e[+-]?\d+)?|\))\s*$/i;
const LINE_BEFORE = /[;\n]\s*$/;

function isOpen(before: string): boolean {
  return before.split("(").length > before.split(")").length;
}

/** Select the sentence for a token in the wrong place. */
function misplaced({ found, before, message }: LocatedFault): Sentence {
  if (found === "=") return "equals";
  if (found === ",") return "comma";
  if (found === ")" && !isOpen(before)) return "closing";
  const isFirst = LINE_BEFORE.test(before);
  if (isFirst && OPERAND.test(found)) return "unnamedLine";
  if (isFirst || !OPERAND_BEFORE.test(before) || !OPERAND.test(found))
    return found === "\n" || found === ";" ? "beforeEnd" : "before";
  return CALL.test(message) ? "call" : "product";
}

function isOfZero({ data }: LocatedFault): boolean {
  return (data["operands"] as readonly number[])[0] === 0;
}

function outsideDomain(fault: LocatedFault): Sentence {
  const { operation } = fault.data;
  if (operation === "**" && isOfZero(fault)) return "zeroPower";
  const known = (["/", "sqrt", "log", "**"] as const).find((each) => each === operation);
  return known === undefined ? "outside" : `domain ${known}`;
}

function tooLarge(fault: LocatedFault): readonly Sentence[] {
  const { stage, operation } = fault.data;
  if (stage === "literal") return ["literal"];
  if (stage === "local_grad" && isOfZero(fault)) return ["steep"];
  if (stage !== "data") return ["largeGradient", "closer"];
  return [operation === null ? "largeNumber" : "largeResult", "closer"];
}

/** Return a number with its noun in the right form: 1 узел, 2 узла, 5 узлов; 1 nodo, 2 nodos. */
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

/** Parse lines `name | title | about | cure` into records of their texts, by name. */
export function tableOf(lines: readonly string[]) {
  const rows = lines.map((line) => line.split(" | "));
  return Object.fromEntries(rows.map(([name, ...texts]) => [name!, textsOf(texts)]));
}

function textsOf(texts: readonly string[]) {
  const [title, about, cure] = texts as [string, string, string];
  return { title, about, ...(cure && { cure }) } as Record<"title" | "about" | "cure", string>;
}
