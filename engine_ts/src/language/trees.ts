/** The meaning of a text as a tree: its values, its program, and the changes that lead there. */

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

/** How tightly a part of a program binds. */
const [SUM, PRODUCT, PREFIX, POWER, ATOM] = [0, 1, 2, 3, 4] as const;
/** Kind -> how tightly it binds, and how tightly its first part and its others must. */
const SHAPES: Readonly<Record<Kind, readonly [level: number, first: number, other: number]>> = {
  number: [ATOM, SUM, SUM],
  name: [ATOM, SUM, SUM],
  call: [ATOM, SUM, SUM],
  "+": [SUM, SUM, PRODUCT],
  "*": [PRODUCT, PRODUCT, PREFIX],
  neg: [PREFIX, PREFIX, PREFIX],
  "**": [POWER, ATOM, ATOM],
};

/** The deepest nesting of a tree; its walks recurse through it. */
const DEEPEST = 150;
/** The maximum number of parts of a tree; one that is used twice counts twice. */
const LARGEST = 65_536;
/** Points at which readings are compared. */
export const POINTS = 24;
const RANGES = [
  [0.2, 2.5],
  [-2.5, 2.5],
  [2, 7],
] as const;
/** Readings that are equal up to rounding differ by less. */
const [CLOSE, ZERO] = [1e-9, 1e-12] as const;

const BLANKS = / {2,}/g;
const NO_BLANK = /[^ \t\r\n]/g;
/** Between these bounds, every language writes a double alike. */
const [MIN, MAX] = [1e-4, 1e15] as const;
const PARENTHESES = [lexemeOf("parentheses", "("), lexemeOf("parentheses", ")")];

/** A change of a text. */
export interface Change {
  readonly span: Span;
  readonly replacement: string;
  readonly reason: string;
}

type Kind = "number" | "name" | "call" | "+" | "*" | "neg" | "**";
export type Content = readonly (Node | Lexeme)[];

/**
 * The meaning of `text[start:end]`.
 *
 * `kind` is number, name, call, `+` (a sum), `*` (a product), `neg` or `**`; `text` is a number, a
 * name, or the signs between the arguments. `content` is what is written: the arguments and the
 * pieces between them, without the `parentheses` around them. `number` is the value of a tree
 * without names.
 */
export interface Node extends Span {
  readonly kind: Kind;
  readonly text: string;
  readonly parts: readonly Node[];
  readonly content: Content;
  readonly number: number | null;
  readonly names: ReadonlySet<string>;
  readonly size: number;
  readonly depth: number;
  readonly parentheses: readonly Lexeme[];
}

/** Return a node without its parentheses. */
export function bare(node: Node): Node {
  return node.parentheses.length > 0 ? { ...node, parentheses: [] } : node;
}

/** Return a node, in parentheses if it binds less tightly than `level`. */
function held(node: Node, level: number): Node {
  const isHeld = node.parentheses.length > 0 || SHAPES[node.kind][0] >= level;
  return isHeld ? node : { ...node, parentheses: PARENTHESES };
}

/** Make a number or a name. */
export function leaf(token: Lexeme, number: number | null = null): Node {
  const { text, start, end } = token;
  const [kind, names] = number === null ? (["name", [text]] as const) : (["number", []] as const);
  const shape = { parts: [], content: [token], size: 1, depth: 1, parentheses: [] };
  return { kind, text, start, end, number, names: new Set(names), ...shape };
}

/** Make a node of its arguments and the pieces between them. */
function joined(kind: Kind, pieces: Content, span: Span | null = null): Node {
  const [, first, other] = SHAPES[kind];
  const [parts, texts] = [[] as Node[], [] as string[]];
  const content = pieces.map((each, place) => {
    if ("content" in each) {
      parts.push(each);
      return held(each, place > 0 ? other : first);
    }
    texts.push(each.text);
    return each;
  });
  const text = kind === "call" ? texts[0]! : texts.join("").replaceAll(" ", "");
  const [{ start }, { end }] = [span ?? parts[0]!, span ?? parts.at(-1)!];
  let [size, depth] = [1, 1];
  const names = new Set<string>();
  for (const each of parts) {
    size += each.size;
    depth = Math.max(depth, each.depth + 1);
    for (const name of each.names) names.add(name);
  }
  if (size > LARGEST || depth > DEEPEST) {
    throw new Refused(size > LARGEST ? "too_long" : "too_deep", { start, end });
  }
  const numbers = names.size === 0 ? parts.map((each) => each.number) : [null];
  const number = applied(kind, text, numbers);
  return { kind, text, parts, content, start, end, number, names, size, depth, parentheses: [] };
}

/** Return a sum or a product of nodes with signs between them; return a single node as it is. */
export function series(kind: Kind, nodes: readonly Node[], signs: readonly Lexeme[]): Node {
  const content = nodes.flatMap((node, place) => (place > 0 ? [signs[place - 1]!, node] : [node]));
  return signs.length > 0 ? joined(kind, content) : nodes[0]!;
}

/** Enclose a node in parentheses that the text has. */
export function enclosed(opening: Lexeme, node: Node, closing: Lexeme): Node {
  const parentheses = [opening, ...node.parentheses, closing];
  return { ...node, start: opening.start, end: closing.end, parentheses };
}

/** Negate a node once for each minus. */
export function negative(signs: readonly Lexeme[], node: Node): Node {
  return signs.reduceRight((made, sign) => {
    return joined("neg", [sign, made], { start: sign.start, end: made.end });
  }, node);
}

/** Raise to a number; a number of the text keeps its spelling. */
export function raised(base: Node, sign: Lexeme, exponent: Node): Node {
  if (exponent.kind !== "number") {
    const token = lexemeOf("power", decimal(exponent), exponent.start, exponent.end);
    exponent = leaf(token, exponent.number);
  }
  return joined("**", [base, sign, bare(exponent)]);
}

/** Make a call of one of the language's functions; `marks` are its parentheses and commas. */
export function called(
  name: Lexeme,
  values: readonly Node[],
  span: Span,
  marks: readonly Lexeme[],
): Node {
  const inner = values.flatMap((each, place) => {
    return [marks[place] ?? lexemeOf(name.kind, place > 0 ? ", " : "("), bare(each)];
  });
  return joined("call", [name, ...inner, marks.at(-1) ?? lexemeOf(name.kind, ")")], span);
}

export type Slots = ReadonlyMap<string, Node>;

/** Fill the slots of a formula. */
export function filled(template: Node, slots: Slots, span: Span, reason: string): Node {
  const { kind, text, number } = template;
  if (kind === "number") return leaf(lexemeOf(reason, text, span.start, span.end), number);
  if (kind === "name") return held(slots.get(text)!, ATOM);
  const content = template.content.map((each) => {
    if ("content" in each) {
      const made = filled(each, slots, span, reason);
      return kind === "call" ? bare(made) : made;
    }
    const sign = ["+", "*", "**"].includes(kind) ? ` ${each.text.trim()} ` : each.text;
    return lexemeOf(reason, sign === "," ? ", " : sign);
  });
  return joined(kind, content, span);
}

/** Write a computed number; refuse one that languages write differently. */
function decimal(node: Node): string {
  const size = Math.abs(node.number ?? 0);
  if (size !== 0 && !(MIN <= size && size < MAX)) throw new Refused("exponent", node);
  return String(node.number ?? 0);
}

// Values

/** Apply an operation of the language; null if the result is not finite. */
function applied(kind: Kind, text: string, numbers: readonly (number | null)[]): number | null {
  const operands = numbers.filter((each) => each !== null);
  if (operands.length < numbers.length) return null;
  let made = operands[0]!;
  try {
    if (kind === "+" || kind === "*") {
      for (let place = 1; place < operands.length; place++) {
        [made] = OPERATIONS.get(text[place - 1]!)!.rule(made, operands[place]!);
      }
    } else {
      [made] = OPERATIONS.get(kind === "call" ? text : kind)!.rule(...operands);
    }
  } catch (error) {
    if (!(error instanceof OutsideDomain)) throw error;
    return null;
  }
  return Number.isFinite(made) ? made : null;
}

type Values = ReadonlyMap<string, number>;

/** Return a function that computes a program at given values; null if it has no value there. */
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

/** Return whether two programs are equal at all points, and not constant there. */
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

/** Return whether two numbers are equal up to rounding. */
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

/** Return the pieces of the program, which has at most `most` characters. */
export function written(content: Content, most: number, deadline: Deadline): Lexeme[] {
  const pieces: Lexeme[] = [];
  const waiting = content.toReversed();
  for (let count = 0; waiting.length > 0; count++) {
    if (count % NODES_PER_CHECK === 0) deadline.check();
    const each = waiting.pop()!;
    if ("content" in each) {
      const [around, half] = [each.parentheses, each.parentheses.length / 2];
      const parts = [...around.slice(0, half), ...each.content, ...around.slice(half)];
      waiting.push(...parts.toReversed());
      continue;
    }
    most -= each.text.length;
    if (most < 0)
      throw new Refused(
        "too_long",
        content.find((part) => "content" in part)!,
      );
    pieces.push(each);
  }
  return pieces;
}

/** Return the program and the changes; a token that keeps its order stays where it is. */
export function aligned(
  characters: readonly string[],
  plain: string,
  tokens: readonly Lexeme[],
  written: readonly Lexeme[],
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
      const isSame = replacement.replaceAll(" ", "") === old.replaceAll(" ", "");
      if (!isSame) changes.push({ span: { start: at, end }, replacement, reason });
      result.push(isSame ? old : replacement);
      at = end;
    }
    [last, added, why] = [token.place, "", "character"];
  }
  return [result.join(""), changes];
}
