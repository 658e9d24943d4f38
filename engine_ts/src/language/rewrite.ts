/**
 * What people write -> a program that means the same, where it has one reading (CONTRACT.md R42).
 *
 * The text is read by a looser grammar than the language's, with the two stacks of its parser.
 */

import { GradientError } from "../errors.ts";
import type { Span } from "../errors.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { FUNCTIONS } from "../operations.ts";
import { checkExpression, checkParameters } from "../request.ts";
import { parse } from "./parser.ts";
import * as parts from "./parts.ts";
import { ATOM, BARE, OPEN, POWER, PREFIX, PRODUCT, SUM, held, partOf } from "./parts.ts";
import type { Change, Part } from "./parts.ts";
import * as spelling from "./spelling.ts";
import { Refused } from "./spelling.ts";
import type { Token } from "./spelling.ts";
import * as tables from "./tables.ts";
import { CONSTANTS, FORMULAS, KNOWN, TABLES, TWO_READINGS } from "./tables.ts";
import { tokenize } from "./tokens.ts";

const CLOSERS = new Map([
  ["(", ")"],
  ["{", "}"],
  ["|", "|"],
]);
const CLOSING = [...CLOSERS.values()];
const BEGIN = ["name", "letter", "root", "number", ...CLOSERS.keys()];
const SLOT = /\{([0-9])\}/;
/** A name that may be a product of letters. */
const SHORT = /^[A-Za-z]{2,3}$/;
const LETTER = /^[A-Za-z](?:_?[0-9]+)?$/;
const EXPONENTIAL = new RegExp(TABLES.exponential);
const MATHEMATICAL = new RegExp(TABLES.mathematical);
const STRAY: Record<string, string> = { "=": "comparison", end: "ended", ".": "attribute" };

/** A program, what changes, and what it needs. */
type Found = readonly [expression: string, changes: readonly Change[], needs: readonly string[]];

/** The program, or why there is none; `readings` are programs where there are two. */
export interface Rewritten {
  readonly expression: string | null;
  readonly changes: readonly Change[];
  readonly needs: readonly string[];
  readonly refused: { readonly reason: string; readonly span: Span } | null;
  readonly readings: readonly string[];
}

/**
 * Return the program that a text means, with what changes; a program is returned as it is.
 *
 * @param text what was written, such as `2x^2`
 * @param names the names that have values; null where they are not known
 * @param limits how large the text and the program may be
 * @throws GradientError the text is none or too long, or the names are none or too many
 */
export function rewrite(
  text: string,
  names: readonly string[] | null = null,
  limits: Limits = DEFAULT_LIMITS,
): Rewritten {
  checkExpression(text, limits);
  if (names !== null) checkParameters(names, limits, "names");
  const variables = variablesOf(text, limits);
  const known = names === null || variables?.every((name) => names.includes(name));
  const found: Found | Refused =
    variables !== null && known ? [text, [], []] : attempt(text, names, null, limits);
  if (!(found instanceof Refused)) {
    const [expression, changes, needs] = found;
    return { expression, changes, needs, refused: null, readings: [] };
  }
  const { reason, start, end } = found;
  const readings = new Set<string>();
  for (const second of reason === "two_readings" ? [0, 1] : []) {
    const read = attempt(text, names, second, limits);
    if (!(read instanceof Refused)) readings.add(read[0]);
  }
  const refused = { reason, span: { start, end } };
  return { expression: null, changes: [], needs: [], refused, readings: [...readings] };
}

/** Return the variables of a program, null where the text is none. */
function variablesOf(text: string, limits: Limits): string[] | null {
  try {
    return [...parse(tokenize(text), "folded", limits).graph.variables.keys()];
  } catch (error) {
    if (error instanceof GradientError) return null;
    throw error;
  }
}

function attempt(...of: Parameters<typeof read>): Found | Refused {
  try {
    return read(...of);
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function read(
  text: string,
  names: readonly string[] | null,
  second: number | null,
  limits: Limits,
): Found {
  const characters = [...text];
  const reader = new Reader(characters, text, names, second);
  const whole = reader.program();
  let most = limits.characters;
  const { plain, tokens } = reader;
  const [expression, changes] = parts.aligned(characters, plain, tokens, whole, most);
  if (variablesOf(expression, limits) === null) {
    throw new Refused("no_program", 0, characters.length);
  }
  const needs = new Set<string>();
  for (const [part, rest] of reader.needs) {
    const need = parts.written(part, most) + rest;
    needs.add(need);
    most -= need.length;
  }
  return [expression, changes, [...needs]];
}

/**
 * What waits for its last operand. `base` counts the operands below an open parenthesis.
 *
 * A call has its name, and the `power` of `sin^2`.
 */
interface Pending {
  readonly level: number;
  readonly symbol: string;
  readonly token: Token;
  readonly base: number;
  readonly call: Token | null;
  readonly power: string;
}

class Reader {
  readonly plain: string;
  readonly tokens: readonly Token[];
  readonly needs: [Part, string][] = [];
  private readonly characters: readonly string[];
  private readonly second: number | null;
  private readonly bound: ReadonlySet<string>;
  private readonly variables: ReadonlySet<string>;
  private readonly euler: boolean;
  private readonly sheet: boolean;
  private position = 0;
  private readonly operands: Part[] = [];
  private readonly pending: Pending[] = [];
  private readonly opened: string[] = [];

  constructor(
    characters: readonly string[],
    text: string,
    names: readonly string[] | null,
    second: number | null,
  ) {
    [this.characters, this.second] = [characters, second];
    this.plain = spelling.spell(characters);
    let tokens = spelling.tokenize(this.plain, new Set(names));
    const named = tokens.filter((_, place) => tokens[place + 1]?.kind === "=");
    this.bound = new Set([...(names ?? []), ...named.map((name) => name.text)]);
    if (names === null && MATHEMATICAL.test(text)) {
      tokens = tokens.flatMap((token, place) => this.letters(token, tokens[place + 1]?.kind));
    }
    this.tokens = tokens.map((token, place) => ({ ...token, place }));
    const free = tokens.filter((_, place) => !["(", "{"].includes(tokens[place + 1]?.kind ?? "("));
    const words = free.map((name) => name.text).filter((word) => !KNOWN.has(word));
    this.variables = new Set([...this.bound, ...words]);
    this.euler = !this.bound.has("e") && (names !== null || EXPONENTIAL.test(this.plain));
    this.sheet = text.startsWith("=");
  }

  /** Return whether to take the second reading of what has two. */
  private either(start: number, end: number): number {
    if (this.second === null) throw new Refused("two_readings", start, end);
    return this.second;
  }

  /** Take a short name for one or for a product of letters. */
  private letters(token: Token, after: string | undefined): Token[] {
    const word = token.text;
    const known = this.bound.has(word) || KNOWN.has(keyOf(word)) || isLetter(word);
    const short = token.kind === "name" && after !== "(" && SHORT.test(word);
    if (known || !short || !this.either(token.start, token.end)) return [token];
    return spelling.split(token, word);
  }

  // Statements and expressions

  /** Read all statements; the last one is the result. */
  program(): Part {
    const content: (Part | Token)[] = [];
    let named = true;
    for (let token = this.peek(); token.kind !== "end"; token = this.peek()) {
      if (token.kind === ";") {
        content.push(this.take());
        continue;
      }
      if (!named) throw new Refused("two_results", token.start, token.end);
      const binds = this.tokens[this.position + 1]?.kind === "=";
      named = binds && ["name", "letter"].includes(token.kind);
      if (named) content.push(this.take(), this.take());
      content.push(this.expression());
    }
    return partOf(SUM, [0, this.characters.length], content);
  }

  /** An operand, then operators for as long as another must follow. */
  private expression(): Part {
    let expected = true;
    while (expected || !this.ends()) {
      const token = this.peek();
      if (expected) expected = this.readOperand(this.take());
      else if (this.begins(token)) expected = this.product("", token);
      else expected = this.readOperator(this.take());
    }
    this.reduce(SUM);
    const { start, end } = this.peek();
    if (this.pending.length > 0) throw new Refused("unclosed", start, end);
    return this.operands.pop()!;
  }

  /** True where a statement ends. */
  private ends(): boolean {
    const { kind } = this.peek();
    return kind === "end" || (kind === ";" && this.opened.length === 0);
  }

  /** True where an operand begins. */
  private begins({ kind }: Token): boolean {
    return BEGIN.includes(kind) && (kind !== "|" || this.opened.at(-1) !== "|");
  }

  /** Read a leaf, or what comes before one, and tell whether one is still expected. */
  private readOperand(token: Token): boolean {
    const { kind, text, start, end } = token;
    if (kind === "number" || kind === "raised") {
      this.leaf(token, Number(text));
    } else if (["name", "letter", "root"].includes(kind)) {
      return this.name(token);
    } else if (CLOSERS.has(kind)) {
      this.open(token);
    } else if (kind === "-" || kind === "+") {
      this.wait(this.pending.at(-1)?.level === POWER ? POWER : PREFIX, "sign", token);
    } else {
      throw new Refused(STRAY[kind] ?? "unexpected", start, end);
    }
    return kind !== "number" && kind !== "raised";
  }

  /** Read what may follow an operand, and tell whether another one must come. */
  private readOperator(token: Token): boolean {
    const { kind, start, end } = token;
    if (kind === "+" || kind === "-") {
      this.reduce(SUM);
      this.wait(SUM, kind, token);
    } else if (kind === "*" || kind === "/") {
      this.product(kind, token);
    } else if (kind === "**") {
      this.raiseTo(token);
    } else if (kind === "," || kind === ";") {
      this.separate(token);
    } else if (kind === ".") {
      return this.method(token);
    } else if (CLOSING.includes(kind)) {
      return this.close(token);
    } else {
      throw new Refused(STRAY[kind] ?? "unexpected", start, end);
    }
    return true;
  }

  // Operators

  /** Read `*`, `/` or a product without a sign, which what holds the operand may take in. */
  private product(symbol: string, token: Token): boolean {
    const before = this.tokens[this.position - 1 - symbol.length]!;
    const after = this.peek();
    let level: number = PRODUCT;
    for (const holding of [POWER, BARE, PRODUCT]) {
      this.reduce(holding + 1);
      const holder = this.pending.at(-1);
      if (holder?.level === holding && this.takes(holder, symbol, before, after)) {
        level = holding + 1;
        break;
      }
    }
    this.reduce(level);
    const names = before.kind === "name" && after.kind === "name" && !KNOWN.has(after.text);
    if (symbol === "" && names) {
      const free = [before.text, after.text].filter((word) => !this.bound.has(word));
      if (!free.every((word) => isLetter(word) || LETTER.test(word))) {
        this.either(before.start, after.end);
      }
    }
    const bars = before.kind === "|" && after.kind === "|";
    if (symbol === "" && (after.kind === "number" || bars)) {
      throw new Refused("two_readings", before.start, after.end);
    }
    this.wait(level, symbol, token);
    return true;
  }

  /** Tell whether a factor belongs to an exponent, to a bare call, or below a quotient. */
  private takes(holder: Pending, symbol: string, before: Token, after: Token): boolean {
    if (holder.level === BARE) {
      if (KNOWN.has(after.text) || (symbol !== "" && holder.token.kind === "root")) return false;
      const numeric = this.operands.at(-1)!.number !== null && !CLOSING.includes(before.kind);
      const root = ["sqrt", "cbrt"].includes(holder.token.text);
      if (numeric && symbol === "" && !root) return true;
      return this.either(holder.token.start, after.end) === 1;
    }
    let asked = symbol === "" && holder.symbol === "/";
    if (holder.level === POWER) {
      const touching = symbol === "" && before.kind === "number" && before.end === after.start;
      asked = touching || (symbol === "/" && before.text === "1" && after.kind === "number");
    }
    const end = symbol === "" ? after.end : before.end;
    return asked && this.either(this.operands.at(-2)!.start, end) === 1;
  }

  /** Read `**`, `^` or a number above the line; what stands before it is its base. */
  private raiseTo(token: Token): void {
    const holder = this.pending.at(-1);
    if (holder?.level === BARE || holder?.level === BARE + 1) {
      const call = this.pending.at(holder.level === BARE ? -1 : -2)!.token;
      if (this.either(call.start, token.end)) this.reduce(BARE);
    } else if (holder?.level === POWER && this.characters[token.start] !== "*") {
      if (this.either(this.operands.at(-1)!.start, token.end)) this.reduce(POWER);
    } else if (holder?.symbol === "sign" && this.sheet) {
      throw new Refused("two_readings", holder.token.start, token.end); // where -x^2 is a square
    }
    this.wait(POWER, "**", token);
  }

  /** Finish all that holds its operand at least as tightly as what comes. */
  private reduce(level: number): void {
    for (let last = this.pending.at(-1); last && last.level >= level; last = this.pending.at(-1)) {
      this.pending.pop();
      const { token, symbol, call, power } = last;
      const right = this.operands.pop()!;
      if (call !== null) {
        this.apply(call, [right], power, right.end);
      } else if (symbol === "sign") {
        const number = parts.computed(token.kind, 0, right.number);
        const content = [token, held(right, PREFIX)];
        this.operands.push(partOf(PREFIX, [token.start, right.end], content, "", number));
      } else if (symbol === "**") {
        this.power(this.operands.pop()!, token, right);
      } else {
        this.infix(this.operands.pop()!, last, right);
      }
    }
  }

  /** Join two operands; a product without a sign gets one. */
  private infix(left: Part, waiting: Pending, right: Part): void {
    const level = waiting.level === SUM ? SUM : PRODUCT;
    const number = parts.computed(waiting.symbol || "*", left.number, right.number);
    const product = left.end === right.start ? "*" : " * ";
    const sign = waiting.symbol === "" ? product : waiting.token;
    const content = [held(left, level), sign, held(right, level + 1)];
    this.operands.push(partOf(level, [left.start, right.end], content, "product", number));
  }

  /** Raise to a number, or by `exp` and `log`. */
  private power(base: Part, sign: Token | null, exponent: Part): void {
    const span = [base.start, exponent.end] as const;
    if (base.content[0] === "exp(1)") {
      this.formula(span, "exp({0})", [exponent], "power");
    } else if (exponent.number !== null) {
      const content = [held(base, ATOM), sign ?? " ** ", parts.decimal(exponent)];
      this.operands.push(partOf(POWER, span, content, "power"));
    } else if (base.number !== null && base.number <= 0) {
      throw new Refused("negative_base", ...span);
    } else {
      if (base.number === null) this.needs.push([parts.bare(base), " > 0"]);
      this.formula(span, "exp({1} * log({0}))", [base, exponent], "power");
    }
  }

  // Names and calls

  /** Read a name; true where it is a call, whose argument is to come. */
  private name(token: Token): boolean {
    const [word, after] = [token.text, this.peek()];
    const opens = after.kind === "(" || after.kind === "{";
    const known = token.kind === "name" && !this.bound.has(word) && KNOWN.has(keyOf(word));
    const isFunction = known && (opens || !isLetter(word));
    const small = word === word.toLowerCase();
    if (isFunction && opens) {
      this.open(this.take(), token);
    } else if (isFunction && after.kind === "**" && token.path === "") {
      this.functionPower(token);
    } else if (token.kind === "root" || (isFunction && small && this.begins(after))) {
      this.wait(BARE, "call", token, token);
    } else {
      this.variable(token, after);
      return false;
    }
    return true;
  }

  /** Add a name that is no function, or the number that it stands for. */
  private variable(token: Token, after: Token): void {
    const { text: word, path, start, end } = token;
    const constant = CONSTANTS.get(path === "" ? word : word.toLowerCase());
    if (after.kind === "(" && !this.variables.has(word) && constant === undefined) {
      const named = token.kind === "name" && word.length > 1;
      throw new Refused(named ? "unknown_function" : "two_readings", start, end);
    }
    if (path !== "" && constant === undefined) throw new Refused("attribute", start, end);
    if (path !== "" || (word === "pi" && !this.bound.has(word))) {
      this.leaf({ ...token, text: constant! }, Number(constant));
    } else if (word === "e" && this.euler) {
      this.operands.push(partOf(ATOM, [start, end], ["exp(1)"], "power"));
    } else {
      this.leaf(token, null);
    }
  }

  /** Add a name or a number. */
  private leaf(token: Token, number: number | null): void {
    this.operands.push(partOf(ATOM, [token.start, token.end], [token], "", number));
  }

  /** Read `sin^2(x)` or `sin² x` up to the argument. */
  private functionPower(name: Token): void {
    this.take();
    const { text, end } = this.take();
    if (!/^[0-9]+$/.test(text) || !this.begins(this.peek())) {
      throw new Refused("two_readings", name.start, end);
    }
    if (this.peek().kind === "(") this.open(this.take(), name, text);
    else this.wait(BARE, "call", name, name, text);
  }

  /** Read `.tanh()` behind an operand, which is its first argument. */
  private method(dot: Token): boolean {
    const before = this.tokens[this.position - 2]!;
    const [name, opening] = [this.take(), this.take()];
    if (name.kind !== "name" || opening.kind !== "(" || before.end !== dot.start) {
      throw new Refused("attribute", dot.start, name.end);
    }
    this.open(opening, { ...name, path: "." }, "", 1);
    return this.peek().kind !== ")" || this.close(this.take());
  }

  /** Open a parenthesis or a call, which may have arguments before it. */
  private open(token: Token, name: Token | null = null, power = "", before = 0): void {
    this.wait(OPEN, token.kind, name ?? token, name, power, before);
    this.opened.push(token.kind);
    const { kind, end } = this.peek();
    if (name !== null && before === 0 && kind === CLOSERS.get(token.kind)) {
      throw new Refused("arity", name.start, end);
    }
  }

  /** Finish an argument. */
  private separate({ start, end }: Token): void {
    this.reduce(SUM);
    if (!this.pending.at(-1)?.call) throw new Refused("comma", start, end);
  }

  /** Finish a parenthesis, bars or a call; true where a fraction's denominator is to come. */
  private close(token: Token): boolean {
    this.reduce(SUM);
    const waiting = this.pending.pop();
    if (waiting === undefined) throw new Refused("unopened", token.start, token.end);
    const values = this.operands.slice(waiting.base);
    if (CLOSERS.get(waiting.symbol) !== token.kind) {
      throw new Refused("unexpected", token.start, token.end);
    }
    if (waiting.token.text === "frac" && values.length === 1 && this.peek().kind === "{") {
      this.pending.push(waiting);
      this.take();
      return true;
    }
    this.opened.pop();
    this.operands.length = waiting.base;
    const [span, inner] = [[waiting.token.start, token.end] as const, values[0]!];
    if (waiting.call !== null) {
      this.apply(waiting.call, values, waiting.power, token.end);
    } else if (token.kind === "|") {
      this.formula(span, "abs({0})", values, "bars");
    } else {
      const content = [waiting.token, inner, token];
      this.operands.push(partOf(ATOM, span, content, "", inner.number, parts.bare(inner)));
    }
    return false;
  }

  /** Write a call with what the language has, and the power of `sin^2` behind it. */
  private apply(name: Token, values: readonly Part[], power: string, end: number): void {
    const [key, first] = [keyOf(name.text), values[0]!];
    const span = [Math.min(name.start, first.start), end] as const;
    if (tables.NO_FORMULA.has(key)) throw new Refused("no_formula", name.start, name.end);
    const scalar = ["", "math", "Math"].includes(name.path);
    if (tables.VECTOR.has(key) || (["max", "min"].includes(name.text) && !scalar)) {
      throw new Refused("vector", name.start, name.end);
    }
    if (key === "pow" && values.length === 2) {
      this.power(first, null, values[1]!);
      return;
    }
    this.formula(span, this.template(key, values, span), values, "function");
    const need = tables.NEEDS.get(key);
    if (need !== undefined) this.needs.push([parts.bare(first), need]);
    if (power !== "") {
      const content = [held(this.operands.pop()!, ATOM), ` ** ${power}`];
      this.operands.push(partOf(POWER, span, content, "power"));
    }
  }

  /** Return the formula of a call. */
  private template(key: string, values: readonly Part[], span: readonly [number, number]): string {
    const count = values.length;
    const readings = TWO_READINGS.get(key);
    if (readings !== undefined && count === 1) {
      const reading = readings[readings.length > 0 ? this.either(...span) : 0];
      if (reading === undefined) throw new Refused("two_readings", ...span);
      return reading;
    }
    const slots = values.map((_, place) => `{${place}}`);
    if ((key === "max" || key === "min") && count > 1) {
      const rest = slots.slice(1).map((slot) => `, ${slot})`);
      return `${key}(`.repeat(count - 1) + slots[0]! + rest.join("");
    }
    if (FUNCTIONS.get(key)?.arity === count) return `${key}(${slots.join(", ")})`;
    const numeric = values.map(({ number }) => (number === null ? "x" : "n"));
    for (const letters of [numeric, ["x", "y", "z"].slice(0, count)]) {
      const template = FORMULAS.get(`${key}(${letters.join(", ")})`);
      if (template !== undefined) return template;
    }
    throw new Refused("arity", ...span);
  }

  // Parts and tokens

  /** Add what a formula makes of its arguments. */
  private formula(
    span: readonly [number, number],
    template: string,
    values: readonly Part[],
    reason: string,
  ): void {
    const pieces = template.split(SLOT);
    const content = pieces.map((piece, place) => {
      if (place % 2 === 0) return piece;
      const value = values[Number(piece)]!;
      const alone = /(?:\(|, )$/.test(pieces[place - 1]!) && /^[,)]/.test(pieces[place + 1]!);
      return alone ? parts.bare(value) : held(value, ATOM);
    });
    this.operands.push(partOf(parts.levelOf(template), span, content, reason));
  }

  private wait(
    level: number,
    symbol: string,
    token: Token,
    call: Token | null = null,
    power = "",
    before = 0,
  ): void {
    const base = this.operands.length - before;
    this.pending.push({ level, symbol, token, base, call, power });
  }

  private peek(): Token {
    return this.tokens[this.position]!;
  }

  private take(): Token {
    const token = this.peek();
    this.position += Number(this.position < this.tokens.length - 1);
    return token;
  }
}

/** Return the one name of a function. */
function keyOf(word: string): string {
  const small = word.toLowerCase();
  return TWO_READINGS.has(word) ? word : (tables.ALIASES.get(small) ?? small);
}

/** True for the name of a Greek letter. */
function isLetter(word: string): boolean {
  return Object.hasOwn(TABLES.letters, word);
}
