/** What a text means, as a tree; its values, its text, and the changes that make it of the first. */

import { NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import { GradientError } from "../errors.ts";
import type { Span } from "../errors.ts";
import { forward } from "../forward.ts";
import { OPERATIONS, OutsideDomain } from "../operations.ts";
import { makeSteps } from "../order.ts";
import type { Parsed } from "./parser.ts";
import { Refused, lexemeOf } from "./spelling.ts";
import type { Lexeme } from "./spelling.ts";

/** How tightly a part of a program holds together. */
export const [SUM, PRODUCT, PREFIX, POWER, ATOM] = [0, 1, 2, 3, 4] as const;

/** Parts in one another, which the walks of a tree recur through. */
const DEEPEST = 150;
/** Parts of a tree, where one that is used twice counts twice. */
const LARGEST = 65_536;
/** Points at which readings are compared. */
export const POINTS = 24;
const RANGES = [
  [0.2, 2.5],
  [-2.5, 2.5],
  [2, 7],
] as const;
/** Readings that are equal but for rounding differ by less. */
const [CLOSE, ZERO] = [1e-9, 1e-12] as const;

const BLANKS = / {2,}/g;
const NO_BLANK = /[^ \t\r\n]/g;
/** Between them every language writes a double alike. */
const [LEAST, MOST] = [1e-4, 1e15] as const;

/** A change of a text. */
export interface Change {
  readonly span: Span;
  readonly replacement: string;
  readonly reason: string;
}

/**
 * What `text[start:end]` means, and what is written for it.
 *
 * `kind` is number, name, call, `+` (a sum, whose `text` has the sign before each term), `*` (a
 * product, likewise), `neg` or `**`. `content` is what is written, `inside` what it holds in
 * parentheses. `number` is the value of a tree of numbers alone.
 */
export interface Node extends Span {
  readonly kind: string;
  readonly text: string;
  readonly parts: readonly Node[];
  readonly level: number;
  readonly content: readonly (Node | Lexeme)[];
  readonly number: number | null;
  readonly names: ReadonlySet<string>;
  readonly size: number;
  readonly depth: number;
  readonly inside: Node | null;
}

/** Return a node without its parentheses. */
export function bare(node: Node): Node {
  return node.inside ?? node;
}

/** Make a number or a name. */
export function leaf(token: Lexeme, number: number | null = null): Node {
  const { text, start, end } = token;
  const names = new Set(number === null ? [text] : []);
  const kind = number === null ? "name" : "number";
  const shape = { level: ATOM, content: [token], size: 1, depth: 1, inside: null };
  return { kind, text, parts: [], start, end, number, names, ...shape };
}

/** Make a node of others, of this kind and text. */
function joined(
  [kind, text]: readonly [kind: string, text: string],
  parts: readonly Node[],
  level: number,
  { start, end }: Span,
  content: readonly (Node | Lexeme)[],
): Node {
  let [size, depth] = [1, 1];
  const names = new Set<string>();
  for (const each of parts) {
    size += each.size;
    depth = Math.max(depth, each.depth + 1);
    for (const name of each.names) names.add(name);
  }
  if (size > LARGEST || depth > DEEPEST) {
    throw new Refused(size > LARGEST ? "too_long" : "too_deep", start, end);
  }
  const numbers = names.size === 0 ? parts.map((each) => each.number) : [null];
  const number = applied(kind, text, numbers);
  return {
    kind,
    text,
    parts,
    level,
    start,
    end,
    content,
    number,
    names,
    size,
    depth,
    inside: null,
  };
}

/** Put parentheses around what would come apart. */
export function held(node: Node, level: number): Node {
  if (node.level >= level) return node;
  return enclosed(lexemeOf("parentheses", "("), node, lexemeOf("parentheses", ")"), node);
}

/** Return a node in parentheses. */
export function enclosed(opening: Lexeme, node: Node, closing: Lexeme, { start, end }: Span): Node {
  const content = [opening, node, closing];
  return { ...node, level: ATOM, start, end, content, inside: bare(node) };
}

export type Item = readonly [sign: string, token: Lexeme, node: Node];

/** Make a sum or a product of items, each a sign, how it is written, and a node. */
export function series(kind: string, items: readonly Item[]): Node {
  const level = kind === "+" ? SUM : PRODUCT;
  const [, , first] = items[0]!;
  const rest = items.slice(1).flatMap(([, token, node]) => [token, held(node, level + 1)]);
  const signs = items.map(([sign]) => sign).join("");
  const nodes = items.map(([, , node]) => node);
  const span = { start: first.start, end: nodes.at(-1)!.end };
  return joined([kind, signs], nodes, level, span, [held(first, level), ...rest]);
}

/** Return a node with a minus before it. */
export function negative(token: Lexeme, node: Node): Node {
  const span = { start: token.start, end: node.end };
  return joined(["neg", ""], [node], PREFIX, span, [token, held(node, PREFIX)]);
}

/** Raise to a number, which is written as it is if it is one of the text. */
export function raised(base: Node, sign: Lexeme, exponent: Node): Node {
  const isOfText = exponent.kind === "number";
  const token = isOfText ? exponent.content[0]! : lexemeOf("power", decimal(exponent));
  const span = { start: base.start, end: exponent.end };
  return joined(["**", ""], [base, exponent], POWER, span, [held(base, ATOM), sign, token]);
}

/** Make a call of one of the language's functions; `marks` are its parentheses and commas. */
export function called(
  name: Lexeme,
  values: readonly Node[],
  span: Span,
  marks: readonly Lexeme[] = [],
): Node {
  const commas = values.slice(1).map(() => lexemeOf(name.kind, ", "));
  const own = [lexemeOf(name.kind, "("), ...commas, lexemeOf(name.kind, ")")];
  const [opening, ...between] = marks.length > 0 ? marks : own;
  const inner = values.flatMap((each, index) => [bare(each), between[index]!]);
  return joined(["call", name.text], values, ATOM, span, [name, opening!, ...inner]);
}

export type Slots = ReadonlyMap<string, Node>;

/** Return what a formula makes of its arguments. */
export function filled(template: Node, slots: Slots, span: Span, reason: string): Node {
  const { kind, text, number } = template;
  if (kind === "number") return leaf(lexemeOf(reason, text, span.start, span.end), number);
  if (kind === "name") return held(slots.get(text)!, ATOM);
  const nodes = template.parts.map((each) => filled(each, slots, span, reason));
  if (kind === "call") return called(lexemeOf(reason, text), nodes, span);
  if (kind === "neg") return negative(lexemeOf(reason, "-", span.start, span.end), nodes[0]!);
  if (kind === "**") return raised(nodes[0]!, lexemeOf(reason, " ** "), nodes[1]!);
  const items = nodes.map((node, index): Item => {
    return [text[index]!, lexemeOf(reason, ` ${text[index]!} `), node];
  });
  return series(kind, items);
}

/** Write a number that was computed, where every language writes it alike. */
function decimal({ number, start, end }: Node): string {
  const size = Math.abs(number ?? 0);
  if (size !== 0 && !(LEAST <= size && size < MOST)) throw new Refused("exponent", start, end);
  return String(number ?? 0);
}

// Values

/** Apply an operation of the language; null where it has no finite value. */
function applied(kind: string, text: string, numbers: readonly (number | null)[]): number | null {
  const operands = numbers.filter((each) => each !== null);
  if (operands.length < numbers.length) return null;
  let made = operands[0]!;
  try {
    if (kind === "+" || kind === "*") {
      for (let place = 1; place < operands.length; place++) {
        [made] = OPERATIONS.get(text[place]!)!.rule(made, operands[place]!);
      }
    } else {
      [made] = OPERATIONS.get(text === "" ? kind : text)!.rule(...operands);
    }
  } catch (error) {
    if (!(error instanceof OutsideDomain)) throw error;
    return null;
  }
  return Number.isFinite(made) ? made : null;
}

type Values = ReadonlyMap<string, number>;

/** Return what computes a program where names have these values; null where it has no value. */
export function computing({ graph, root }: Parsed): (values: Values) => number | null {
  const order = [...graph.operations.keys()];
  const steps = makeSteps(graph, order);
  return (values) => {
    try {
      return forward(graph, order, steps, values)[0][root]!;
    } catch (error) {
      if (!(error instanceof GradientError)) throw error;
      return null;
    }
  };
}

/** Return values for names: most are small, some negative, a few larger. */
export function point(names: readonly string[], place: number): Map<string, number> {
  const [low, high] = RANGES[place < POINTS / 2 ? 0 : 1 + (place % 2)]!;
  const pairs = names.map((name, index) => {
    const step = (place * 7919 + index * 104_729 + 12_345) % 65_537;
    return [name, low + (step / 65_537) * (high - low)] as const;
  });
  return new Map(pairs);
}

/** Return whether two programs have equal values, which are not one number, at all points. */
export function agree(first: Parsed, second: Parsed): boolean {
  const [one, other] = [first.graph, second.graph];
  const names = [...one.variables.keys()].toSorted();
  if ([...other.variables.keys()].toSorted().join() !== names.join()) return false;
  if (isAlike(one, other)) return true;
  const [ours, theirs, met] = [computing(first), computing(second), new Set<number>()];
  for (let place = 0; place < (names.length > 0 ? POINTS : 1); place++) {
    const values = point(names, place);
    const [a, b] = [ours(values), theirs(values)];
    if ((a === null) !== (b === null) || !isClose(a ?? 0, b ?? 0)) return false;
    if (a !== null) met.add(a);
  }
  return met.size > (names.length > 0 ? 1 : 0);
}

/** Return whether two graphs have the same nodes. */
function isAlike(one: Parsed["graph"], other: Parsed["graph"]): boolean {
  const sameLeaf = (label: string | null, node: number) =>
    label === other.labels[node] && one.literals[node] === other.literals[node];
  return (
    one.labels.length === other.labels.length &&
    one.labels.every(sameLeaf) &&
    one.operations.every((each, node) => each === other.operations[node]) &&
    one.operands.every((each, node) => each.join() === other.operands[node]!.join())
  );
}

/** Return whether two numbers are equal but for rounding. */
export function isClose(first: number, second: number): boolean {
  return Math.abs(first - second) <= ZERO + CLOSE * Math.max(Math.abs(first), Math.abs(second));
}

/** Return whether a node is above 0 wherever it has a value. */
export function positive(node: Node): boolean {
  const { kind, text, parts } = node;
  if (node.number !== null) return node.number > 0;
  if (kind === "call") {
    const isMax = text === "max" && parts.some(positive);
    return ["exp", "sigmoid", "softplus"].includes(text) || isMax;
  }
  if (kind === "+") {
    return !text.includes("-") && parts.some(positive) && parts.every(isNotNegative);
  }
  return kind === "**" ? positive(parts[0]!) : kind === "*" && parts.every(positive);
}

function isNotNegative(node: Node): boolean {
  const even = node.kind === "**" && (node.parts[1]!.number ?? 1) % 2 === 0;
  const isCall = node.kind === "call" && ["abs", "sqrt", "relu"].includes(node.text);
  return even || positive(node) || isCall;
}

// Text

/** Walk what is written, which may be `most` characters. */
export function* lexemesOf(
  content: readonly (Node | Lexeme)[],
  most: number,
  deadline: Deadline,
): Generator<Lexeme> {
  const waiting = content.toReversed();
  for (let count = 0; waiting.length > 0; count++) {
    if (count % NODES_PER_CHECK === 0) deadline.check();
    const each = waiting.pop()!;
    if ("content" in each) {
      waiting.push(...each.content.toReversed());
      continue;
    }
    most -= each.text.length;
    if (most < 0) {
      const { start, end } = content.find((part) => "content" in part)!;
      throw new Refused("too_long", start, end);
    }
    yield each;
  }
}

/** Return the program, and what changes; a token that keeps its order stays where it is. */
export function aligned(
  characters: readonly string[],
  plain: string,
  tokens: readonly Lexeme[],
  written: Iterable<Lexeme>,
): [expression: string, changes: Change[]] {
  const result: string[] = [];
  const changes: Change[] = [];
  let [at, last, added, why] = [0, -1, "", "character"];
  for (const token of [...written, tokens.at(-1)!]) {
    if (token.place <= last) {
      added += token.text;
      if (token.place < 0) why = token.kind;
      continue;
    }
    const before = Math.max(at, tokens[token.place - 1]?.end ?? 0);
    const skips = token.place > last + 1 && !added.startsWith(")");
    const lead = skips ? plain.slice(at, tokens[last + 1]!.start).replace(NO_BLANK, "") : "";
    const trail = added.endsWith("(") ? "" : plain.slice(before, token.start).replace(NO_BLANK, "");
    const between = lead + added + trail;
    const kind = /^[a-z]/.test(token.kind) ? token.kind : "sign";
    for (const [end, replacement, reason] of [
      [token.start, added === "" ? between : between.replace(BLANKS, " "), why],
      [token.end, token.text, kind],
    ] as const) {
      const old = characters.slice(at, end).join("");
      const isSame = replacement.replaceAll(" ", "") === old.replaceAll(" ", ""); // but for blanks
      if (!isSame) changes.push({ span: { start: at, end }, replacement, reason });
      result.push(isSame ? old : replacement);
      at = end;
    }
    [last, added, why] = [token.place, "", "character"];
  }
  return [result.join(""), changes];
}
