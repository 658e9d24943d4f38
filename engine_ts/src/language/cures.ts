/** A refused text -> texts that its author may have meant, to be read instead. */

import type { Parsed } from "./parser.ts";
import { Refused, TABLES } from "./spelling.ts";
import type { Rows } from "./spelling.ts";
import * as trees from "./trees.ts";

/** The maximum number of characters of a text for which a cure is sought. */
const LONGEST = 500;

const REPAIRS = new Map(Object.entries(TABLES.repairs));
const DERIVED = new RegExp(TABLES.derived);
const RADIX = /0(?:[xX][0-9A-Fa-f]+|[oO][0-7]+|[bB][01]+)(?![0-9A-Fa-f])/g;
const FACTORIAL = /(?<![^ \t\n([{+*/^=,-])([0-9]{1,2})!(?![A-Za-z0-9_!])/g;
const CONDITIONALS = TABLES.conditionals.map(([row, order]) => [new RegExp(row), order] as const);
const SIGNS = [">", ">=", "<", "<=", "≥", "≤"];
const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const PLAIN = /^(?:[A-Za-z][A-Za-z0-9_]*|[0-9]+)$/;
const SIZE = /^abs\(([A-Za-z][A-Za-z0-9_]*)\)$/;

/** Yield texts to read instead, each with the formulas that only a cure may use. */
export function* textsOf(
  text: string,
  reason: string,
  read: (text: string) => Parsed,
): Generator<[string, Rows | null]> {
  if ([...text].length > LONGEST) return;
  if (reason === "comparison" || reason === "conditional") {
    for (const each of chosen(text, read)) yield [each, null];
  }
  if (reason === "vector" || reason === "no_formula") yield [text, TABLES.cures];
  const derived = reason === "derivative" ? DERIVED.exec(text) : null;
  if (derived !== null) yield [derived[1]!, null];
  let changed = text;
  if (reason === "number") changed = text.replace(RADIX, (found) => BigInt(found).toString());
  if (reason === "factorial") changed = text.replace(FACTORIAL, (_, digits) => factorial(digits));
  for (const [pattern, replacement] of REPAIRS.get(reason) ?? []) {
    changed = changed.replace(new RegExp(pattern, "g"), replacement.replaceAll("\\", "$"));
  }
  if (changed !== text) yield [changed, null];
}

function factorial(digits: string): string {
  let product = 1n;
  for (let factor = 2n; factor <= BigInt(digits); factor++) product *= factor;
  return product.toString();
}

/** Yield the formulas that equal a choice between two values at all points. */
function* chosen(text: string, read: (text: string) => Parsed): Generator<string> {
  for (const [pattern, order] of CONDITIONALS) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const parts = partsOf(found.slice(1), order);
    try {
      const programs = parts.map(read);
      yield* formsOf(...parts).filter((form) => isChoice(form, programs, read));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    return;
  }
}

type Choice = [a: string, b: string, c: string, d: string];

/** Return a, b, c and d of `a if c > d else b`; for `<`, a and b trade places. */
function partsOf(groups: readonly string[], order: string): Choice {
  const texts = groups.filter((each) => !SIGNS.includes(each));
  const sign = groups.find((each) => SIGNS.includes(each))!;
  const [a, b, c, d] = Array.from("abcd", (name) => texts[order.indexOf(name)] || "0");
  return "<≤".includes(sign[0]!) ? [b!, a!, c!, d!] : [a!, b!, c!, d!];
}

/** Return formulas that may equal a where c > d, and b elsewhere. */
function formsOf(a: string, b: string, c: string, d: string): string[] {
  const forms = [`relu(${a})`, `abs(${a})`, `abs(${b})`, `max(${a}, ${b})`, `min(${a}, ${b})`];
  const name = c.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, "");
  const edge = PLAIN.test(d) ? d : `(${d})`;
  if (NAME.test(name)) {
    const word = new RegExp(`\\b${name}\\b`, "g");
    const [up, down] = [`max(${name}, ${d})`, `min(${name}, ${d})`];
    const sum = `(${a.replace(word, () => up)}) + (${b.replace(word, () => down)})`;
    forms.push(sum, `${sum} - (${a.replace(word, () => edge)})`);
  }
  const inner = SIZE.exec(name)?.[1];
  if (inner !== undefined) {
    // as in Huber's loss
    const clipped = `min(max(${inner}, -${edge}), ${d})`;
    const inside = b.replace(new RegExp(`\\b${inner}\\b`, "g"), () => clipped);
    const outside = a.replaceAll(name, () => `max(${name}, ${d})`);
    forms.push(`(${inside}) + (${outside}) - (${a.replaceAll(name, () => edge)})`);
  }
  return forms;
}

/** Return whether a formula equals a where c > d, and b elsewhere, at all points. */
function isChoice(form: string, parts: readonly Parsed[], read: (text: string) => Parsed): boolean {
  let programs;
  try {
    programs = [...parts, read(form)];
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
  const names = programs.flatMap(({ graph }) => [...graph.variables.keys()]);
  const sorted = [...new Set(names)].toSorted();
  const computed = programs.map(trees.computing);
  let met = 0;
  for (let place = 0; place < 2 * trees.POINTS; place++) {
    const values = trees.point(sorted, place);
    const [a, b, left, right, got] = computed.map((at) => at(values));
    if (left == null || right == null) continue;
    const wanted = left > right ? a : b;
    if (wanted == null) continue;
    if (got == null || !trees.isClose(got, wanted)) return false;
    met += 1;
  }
  return met > 0;
}
