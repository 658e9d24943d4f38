/** Another language's words as the page uses them: plural forms and sentences of errors. */

import type { GradientError } from "../../../engine_ts/src/errors.ts";
import type es from "./es.json";
import type { say as Say, Named as Values, Translation } from "./spoken.ts";

/** By part of the page, the text of each member by its path: `{"play.step": "Paso"}`. */
type Texts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Return the words as a tree, with functions for sentences with plurals and for errors. */
export function translated(texts: Texts, say: typeof Say): Translation {
  const language = String(texts["first"]!["language"]);
  const tree: Record<string, any> = {};
  for (const [part, members] of Object.entries(texts))
    for (const [path, text] of Object.entries(members)) {
      const names = path.split(".");
      const last = names.pop()!;
      let at = (tree[part] ??= {});
      for (const name of names) at = at[name] ??= {};
      at[last] = FORMS.test(String(text)) ? counting(String(text), language, say) : text;
    }
  const { fault } = tree["interaction"];
  fault.describe = (found: LocatedFault) => {
    const sentences = sentencesOf(found).map(
      (name) => fault.sentences[name] ?? fault.sentences.other,
    );
    return say(sentences.join(" "), detailsOf(found));
  };
  return tree;
}

/** `{count|node|nodes}` is a number with its noun in the plural form for one, few or the rest. */
const FORMS = /\{(\w+)\|([^|}]+)\|([^|}]+)\|?([^}]*)\}/;

/** Count in the right form: 1 узел, 2 узла, 5 узлов; 1 nodo, 2 nodos. */
function counting(text: string, language: string, say: typeof Say) {
  const rules = new Intl.PluralRules(language);
  return (named: Values) => {
    const inForm = text.replace(FORMS, (_, name, one, few, many) => {
      const form = rules.select(Number(named[name]));
      return `{${name}} ${form === "one" ? one : form === "few" || many === "" ? few : many}`;
    });
    return say(inForm, named);
  };
}

export type FaultData = Pick<GradientError, "code" | "message" | "data" | "span">;

/** An error with the text before its span, and in it; both are empty without a span. */
export interface LocatedFault extends FaultData {
  readonly before: string;
  readonly found: string;
}

/** A sentence of a language, by its path. */
type Sentence<Path = keyof typeof es.interaction> = Path extends `fault.sentences.${infer Name}`
  ? Name
  : never;

/** Return the values that sentences of an error use: `{name}` is the name in its data. */
function detailsOf(fault: LocatedFault): Values {
  return {
    ...fault,
    ...fault.data,
    last: OPERAND_BEFORE.exec(fault.before)?.[1],
    call: CALL.exec(fault.message)?.[1],
    meant: MEANT.exec(fault.message)?.[1],
  };
}

/** Select a fault's sentences; other codes have their own sentence, or do not occur here. */
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
