/**
 * What people write -> a program that means the same, where it has one reading (CONTRACT.md R42).
 *
 * The text is read by a looser grammar than the language's, with the two stacks of its parser. Where
 * it has two readings it is read twice.
 */

import { NEVER, NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import { GradientError } from "../errors.ts";
import type { Span } from "../errors.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { checkExpression, checkParameters } from "../request.ts";
import { parse } from "./parser.ts";
import * as parts from "./parts.ts";
import { ATOM, BARE, OPEN, POWER, PREFIX, PRODUCT, SUM, filled, held, partOf } from "./parts.ts";
import type { Change, Part } from "./parts.ts";
import * as spelling from "./spelling.ts";
import { FORMULAS, KNOWN, LETTERS, Refused, TABLES, keyOf, lexemeOf } from "./spelling.ts";
import type { Lexeme } from "./spelling.ts";
import { tokenize } from "./tokens.ts";

const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "{": "}", "|": "|" };
const CLOSING = Object.values(CLOSERS);
const BEGIN = ["name", "letter", "root", "number", ...Object.keys(CLOSERS)];
const LETTER = /^[A-Za-z](?:_?[0-9]+)?$/;
/** A name that may be a product of letters. */
const SHORT = /^[A-Za-z]{2,3}$/;
/** Characters of a name that is read as a product of names. */
const LONGEST_SPLIT = 40;
const EXPONENTIAL = new RegExp(TABLES.exponential);
const MATHEMATICAL = new RegExp(TABLES.mathematical);
const STRAY: Readonly<Record<string, string>> = {
  "=": "comparison",
  end: "ended",
  ".": "attribute",
};
const CONSTANTS = new Map(Object.entries(TABLES.constants));
const EULER = Number(CONSTANTS.get("e"));

/** A program, what changes, and what it needs. */
type Found = Pick<Rewritten, "changes" | "needs"> & { readonly expression: string };

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
 * @param deadline when it has to be done
 * @throws GradientError the text is none or too long, or the names are none or too many
 * @throws DeadlineExceeded the deadline has passed
 */
export function rewrite(
  text: string,
  names: readonly string[] | null = null,
  limits: Limits = DEFAULT_LIMITS,
  deadline: Deadline = NEVER,
): Rewritten {
  checkExpression(text, limits);
  if (names !== null) checkParameters(names, limits, "names");
  const found: Found[] = [];
  const doubts: Refused[] = [];
  const variables = variablesOf(text, limits);
  if (variables !== null && (names === null || variables.every((name) => names.includes(name)))) {
    found.push({ expression: text, changes: [], needs: [] });
  }
  for (const second of [false, true]) {
    if (found.length > 0 && doubts.length === 0)
      return { ...found[0]!, refused: null, readings: [] };
    try {
      found.push(new Reader(text, names, doubts, deadline, second).program(limits));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      doubts.push(error);
    }
  }
  const { reason, span } = doubts[0]!;
  const readings = [...new Set(found.map(({ expression }) => expression))];
  return { expression: null, changes: [], needs: [], refused: { reason, span }, readings };
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

/**
 * What waits for its last operand. `base` counts the operands below an open parenthesis.
 *
 * The token is the operator, the parenthesis, or the name of a call.
 */
interface Pending {
  readonly level: number;
  readonly symbol: string;
  readonly token: Lexeme;
  readonly base: number;
}

/** Reads a text: where it has two readings, the first or the second, noting the doubt. */
class Reader {
  private readonly characters: readonly string[];
  private readonly names: readonly string[] | null;
  private readonly doubts: Refused[];
  private readonly deadline: Deadline;
  private readonly second: boolean;
  private readonly plain: string;
  private readonly tokens: readonly Lexeme[];
  private readonly bound: ReadonlySet<string>;
  private readonly mathematical: boolean;
  private readonly variables: ReadonlySet<string>;
  private readonly constants: ReadonlySet<string>;
  private position = 0;
  private readonly operands: Part[] = [];
  private readonly pending: Pending[] = [];
  private readonly opened: string[] = [];
  private readonly needs: (Part | Lexeme)[] = [];

  constructor(
    text: string,
    names: readonly string[] | null,
    doubts: Refused[],
    deadline: Deadline,
    second: boolean,
  ) {
    [this.names, this.doubts, this.deadline, this.second] = [names, doubts, deadline, second];
    this.characters = [...text];
    this.plain = spelling.spell(this.characters);
    const tokens = spelling.scan(this.plain, deadline);
    const named = tokens.filter((_, place) => tokens[place + 1]?.kind === "=");
    this.bound = new Set([...(names ?? []), ...named.map((name) => name.text)]);
    this.mathematical = names === null && MATHEMATICAL.test(text);
    const pieces = tokens.flatMap((name, place) => this.letters(name, tokens[place + 1]?.kind));
    this.tokens = pieces.map((token, place) => ({ ...token, place }));
    const free = pieces.filter((_, place) => !/^[({]?$/.test(pieces[place + 1]?.kind ?? ""));
    const words = free.map((name) => name.text).filter((word) => !KNOWN.has(word));
    this.variables = new Set([...this.bound, ...words]);
    const exponential = names !== null || EXPONENTIAL.test(this.plain);
    const constants = ["pi", ...(exponential ? ["e"] : [])];
    this.constants = new Set(constants.filter((word) => !this.bound.has(word)));
  }

  /** Return whether to take the second reading of what has two. */
  private either(start: number, end: number): boolean {
    this.doubts.push(new Refused("two_readings", start, end));
    return this.second;
  }

  /** Split a name without a value into names that have one, or into letters. */
  private letters(token: Lexeme, after?: string): Lexeme[] {
    const { kind, text: word, path, start, end } = token;
    const known = this.bound.has(word) || KNOWN.has(keyOf(word)) || LETTERS.has(word);
    if (kind !== "name" || path !== "" || known || word.length > LONGEST_SPLIT) return [token];
    if (this.names === null) {
      const short = this.mathematical && after !== "(" && SHORT.test(word);
      return short && this.either(start, end) ? spelling.split(token, word) : [token];
    }
    const ways: string[][][] = [[[]]];
    for (let length = 1; length <= word.length; length += 1) {
      const found = ways.flatMap((before, place) => {
        const last = word.slice(place, length);
        return this.bound.has(last) ? before.map((way) => [...way, last]) : [];
      });
      ways.push(found.slice(0, 2));
    }
    const [way, another] = ways.at(-1)!;
    if (another !== undefined) throw new Refused("two_readings", start, end);
    return way === undefined ? [token] : spelling.split(token, way);
  }

  // Statements and expressions

  /** Read all statements, the last one being the result, and write the program. */
  program(limits: Limits): Found {
    const { characters, plain, tokens, deadline } = this;
    const whole = { start: 0, end: characters.length };
    const program = partOf(SUM, whole, [...this.statements()]);
    const written = parts.lexemesOf(program, limits.characters, deadline);
    const [expression, changes] = parts.aligned(characters, plain, tokens, written);
    if (variablesOf(expression, limits) === null) throw new Refused("no_program", 0, whole.end);
    const needed = partOf(SUM, whole, this.needs);
    const text = Array.from(
      parts.lexemesOf(needed, limits.characters, deadline),
      (token) => token.text,
    );
    return { expression, changes, needs: [...new Set(text.join("").split("\n").slice(0, -1))] };
  }

  /** Read each, with what is before and behind it. */
  private *statements(): Generator<Part | Lexeme> {
    let named = true;
    for (let token = this.peek(); token.kind !== "end"; token = this.peek()) {
      if (token.kind === ";") {
        yield this.take();
        continue;
      }
      if (!named) throw new Refused("two_results", token.start, token.end);
      const binds = this.tokens[this.position + 1]?.kind === "=";
      named = binds && ["name", "letter"].includes(token.kind);
      if (named) yield* [this.take(), this.take()];
      yield this.expression();
    }
  }

  /** An operand, then operators for as long as another must follow. */
  private expression(): Part {
    let expected = true;
    while (expected || !["end", ";"].includes(this.peek().kind)) {
      if (expected) expected = this.readOperand(this.take());
      else if (this.begins(this.peek())) expected = this.product("", this.peek());
      else expected = this.readOperator(this.take());
    }
    this.finish(SUM);
    const { start, end } = this.peek();
    if (this.pending.length > 0) throw new Refused("unclosed", start, end);
    return this.operands.pop()!;
  }

  /** True where an operand begins. */
  private begins({ kind }: Lexeme): boolean {
    return BEGIN.includes(kind) && (kind !== "|" || this.opened.at(-1) !== "|");
  }

  /** Read a leaf, or what comes before one, and tell whether one is still expected. */
  private readOperand(token: Lexeme): boolean {
    const { kind, text, start, end } = token;
    if (["name", "letter", "root"].includes(kind)) return this.name(token);
    if (kind === "number" || kind === "raised") return this.leaf(token, Number(text));
    if (kind in CLOSERS) return this.open(token, token);
    if (kind !== "-" && kind !== "+") throw new Refused(STRAY[kind] ?? "unexpected", start, end);
    return this.wait(this.pending.at(-1)?.level === POWER ? POWER : PREFIX, "sign", token);
  }

  /** Read what may follow an operand, and tell whether another one must come. */
  private readOperator(token: Lexeme): boolean {
    const { kind, start, end } = token;
    if (kind === "*" || kind === "/") return this.product(kind, token);
    if (kind === "**") return this.raiseTo(token);
    if (kind === ".") return this.method(token);
    if (CLOSING.includes(kind)) return this.close(token);
    if (!["+", "-", ","].includes(kind)) throw new Refused(STRAY[kind] ?? "unexpected", start, end);
    this.finish(SUM);
    if (kind !== ",") return this.wait(SUM, kind, token);
    if (this.pending.at(-1)?.token.kind !== "name") throw new Refused("comma", start, end);
    return true;
  }

  /** Keep what needs an operand to come, and may have some before. */
  private wait(level: number, symbol: string, token: Lexeme, before = 0): true {
    this.pending.push({ level, symbol, token, base: this.operands.length - before });
    return true;
  }

  /** Add a name or a number; no operand is expected behind it. */
  private leaf(token: Lexeme, number: number | null): false {
    this.operands.push(partOf(ATOM, token, [token], number));
    return false;
  }

  // Operators

  /** Read `*`, `/` or a product without a sign, which what holds the operand may take in. */
  private product(symbol: string, token: Lexeme): true {
    const before = this.tokens[this.position - 1 - symbol.length]!;
    const after = this.peek();
    let level: number = PRODUCT;
    for (let holder = this.pending.at(-1); holder; holder = this.pending.at(-1)) {
      if (holder.level < PRODUCT) break;
      if (this.takes(holder, symbol, before, after)) {
        level = holder.level + 1;
        break;
      }
      this.finishLast();
    }
    if (
      symbol === "" &&
      before.kind === "name" &&
      after.kind === "name" &&
      !KNOWN.has(after.text)
    ) {
      const free = [before.text, after.text].filter((word) => !this.bound.has(word));
      const letters = free.every((word) => LETTERS.has(word) || LETTER.test(word));
      if (!letters) this.either(before.start, after.end);
    }
    const bars = before.kind === "|" && after.kind === "|";
    if (symbol === "" && (after.kind === "number" || bars)) {
      throw new Refused("two_readings", before.start, after.end);
    }
    return this.wait(level, symbol, token);
  }

  /** Tell whether a factor belongs to an exponent, to a bare call, or below a quotient. */
  private takes(holder: Pending, symbol: string, before: Lexeme, after: Lexeme): boolean {
    const signless = symbol === "";
    if (holder.level === BARE) {
      if (KNOWN.has(after.text) || (!signless && holder.token.kind === "root")) return false;
      const numeric = this.operands.at(-1)!.number !== null && !CLOSING.includes(before.kind);
      const root = ["sqrt", "cbrt"].includes(holder.token.text);
      return (numeric && signless && !root) || this.either(holder.token.start, after.end);
    }
    let asked = signless && holder.level === PRODUCT && holder.symbol === "/";
    if (holder.level === POWER) {
      const touching = signless && before.kind === "number" && before.end === after.start;
      asked = touching || (symbol === "/" && before.text === "1" && after.kind === "number");
    }
    const end = signless ? after.end : before.end;
    return asked && this.either(this.operands.at(-2)!.start, end);
  }

  /** Read `**`, `^` or a number above the line; what stands before it is its base. */
  private raiseTo(token: Lexeme): true {
    const holder = this.pending.at(-1);
    if (holder?.level === BARE || holder?.level === BARE + 1) {
      const call = this.pending.at(holder.level === BARE ? -1 : -2)!.token;
      if (this.either(call.start, token.end)) this.finish(BARE);
    } else if (holder?.level === POWER && this.characters[token.start] !== "*") {
      if (this.either(this.operands.at(-1)!.start, token.end)) this.finish(POWER);
    } else if (holder?.symbol === "sign" && this.characters[0] === "=") {
      throw new Refused("two_readings", holder.token.start, token.end); // where -x^2 is a square
    }
    return this.wait(POWER, "**", token);
  }

  /** Finish all that holds its operand at least as tightly as what comes. */
  private finish(level: number): void {
    while ((this.pending.at(-1)?.level ?? OPEN) >= level) this.finishLast();
  }

  /** Finish what waits for the last operand. */
  private finishLast(): void {
    const { symbol, token } = this.pending.pop()!;
    const right = this.operands.pop()!;
    if (symbol === "call") {
      this.call(token, [right], right.end);
    } else if (symbol === "raised") {
      const raised = [held(right, ATOM), lexemeOf("power", ` ** ${token.text}`)];
      this.operands.push(partOf(POWER, right, raised));
    } else if (symbol === "sign") {
      const number = parts.computed(token.kind, 0, right.number);
      const span = { start: token.start, end: right.end };
      this.operands.push(partOf(PREFIX, span, [token, held(right, PREFIX)], number));
    } else if (symbol === "**") {
      this.power(this.operands.pop()!, token, right);
    } else {
      this.infix(this.operands.pop()!, token, right);
    }
  }

  /** Join two operands; a product without a sign gets one. */
  private infix(left: Part, token: Lexeme, right: Part): void {
    const level = ["+", "-"].includes(token.kind) ? SUM : PRODUCT;
    if (!["+", "-", "*", "/"].includes(token.kind)) {
      token = lexemeOf("product", left.end === right.start ? "*" : " * ");
    }
    const number = parts.computed(token.text.trim(), left.number, right.number);
    const content = [held(left, level), token, held(right, level + 1)];
    this.operands.push(partOf(level, { start: left.start, end: right.end }, content, number));
  }

  /** Raise to a number, or by `exp` and `log`. */
  private power(base: Part, sign: Lexeme, exponent: Part): void {
    const span = { start: base.start, end: exponent.end };
    if (base.number === EULER) {
      this.operands.push(filled("exp(x)", [exponent], span, "power"));
    } else if (exponent.number !== null) {
      const content = [held(base, ATOM), sign, lexemeOf("power", parts.decimal(exponent))];
      this.operands.push(partOf(POWER, span, content));
    } else if (base.number !== null && base.number <= 0) {
      throw new Refused("negative_base", span.start, span.end);
    } else {
      if (base.number === null) this.needs.push(parts.bare(base), lexemeOf("", " > 0\n"));
      this.operands.push(filled("exp(y * log(x))", [base, exponent], span, "power"));
    }
  }

  // Names and calls

  /** Read a name; true where it is a call, whose argument is to come. */
  private name(token: Lexeme): boolean {
    const [word, after] = [token.text, this.peek()];
    const opens = after.kind === "(" || after.kind === "{";
    const known = token.kind === "name" && !this.bound.has(word) && KNOWN.has(keyOf(word));
    const isFunction = known && (opens || !LETTERS.has(word));
    if (isFunction && opens) return this.open(this.take(), token);
    if (isFunction && after.kind === "**" && token.path === "") {
      this.take();
      const raised = this.take();
      if (!/^[0-9]+$/.test(raised.text) || !this.begins(this.peek())) {
        throw new Refused("two_readings", token.start, raised.end);
      }
      this.wait(POWER + 1, "raised", raised);
      return this.name(token);
    }
    const bare = isFunction && word === word.toLowerCase() && this.begins(after);
    return token.kind === "root" || bare
      ? this.wait(BARE, "call", token)
      : this.variable(token, after);
  }

  /** Add a name that is no function, or the number that it stands for. */
  private variable(token: Lexeme, after: Lexeme): false {
    const { kind, text: word, path, start, end } = token;
    const calls = after.kind === "(";
    if (path !== "" || this.constants.has(word)) {
      const constant = CONSTANTS.get(path === "" ? word : word.toLowerCase());
      if (constant === undefined) {
        throw new Refused(calls ? "unknown_function" : "attribute", start, end);
      }
      return this.leaf({ ...token, text: constant }, Number(constant));
    }
    if (calls && !this.variables.has(word)) {
      const named = kind === "name" && word.length > 1;
      throw new Refused(named ? "unknown_function" : "two_readings", start, end);
    }
    return this.leaf(token, null);
  }

  /** Read `.tanh()` behind an operand, which is its first argument. */
  private method(dot: Lexeme): boolean {
    const before = this.tokens[this.position - 2]!;
    const [name, opening] = [this.take(), this.take()];
    if (name.kind !== "name" || opening.kind !== "(" || before.end !== dot.start) {
      throw new Refused("attribute", dot.start, name.end);
    }
    this.open(opening, { ...name, path: "." }, 1);
    return this.peek().kind !== ")" || this.close(this.take());
  }

  /** Open a parenthesis or a call, which may have an argument before it. */
  private open({ kind }: Lexeme, name: Lexeme, before = 0): true {
    const after = this.peek();
    if (name.kind === "name" && before === 0 && after.kind === CLOSERS[kind]) {
      throw new Refused("arity", name.start, after.end);
    }
    this.opened.push(kind);
    return this.wait(OPEN, kind, name, before);
  }

  /** Finish a parenthesis, bars or a call. */
  private close(token: Lexeme): false {
    this.finish(SUM);
    const waiting = this.pending.pop();
    if (waiting === undefined) throw new Refused("unopened", token.start, token.end);
    if (CLOSERS[this.opened.pop()!] !== token.kind) {
      throw new Refused("unexpected", token.start, token.end);
    }
    const values = this.operands.splice(waiting.base);
    const [span, inner] = [{ start: waiting.token.start, end: token.end }, values[0]!];
    if (waiting.token.kind === "name") {
      this.call(waiting.token, values, token.end);
    } else if (token.kind === "|") {
      this.operands.push(filled("abs(x)", values, span, "bars"));
    } else {
      const content = [waiting.token, inner, token];
      this.operands.push(partOf(ATOM, span, content, inner.number, parts.bare(inner)));
    }
    return false;
  }

  /** Write a call with what the language has. */
  private call(name: Lexeme, values: readonly Part[], end: number): void {
    const key = keyOf(name.text);
    let first = values[0]!;
    const span = { start: Math.min(name.start, first.start), end };
    const ofArray = ["max", "min"].includes(name.text) && !["", "math", "Math"].includes(name.path);
    if (spelling.WITHOUT.has(key) || ofArray) {
      throw new Refused(spelling.WITHOUT.get(key) ?? "vector", name.start, name.end);
    }
    if (key === "max" || key === "min") {
      for (const next of values.slice(1, -1)) {
        first = filled(`${key}(x, y)`, [first, next], span, "function");
      }
      values = [first, ...values.slice(1).slice(-1)];
    }
    const formula = FORMULAS.get(spelling.calling(key, values.length));
    if (formula === undefined) throw new Refused("arity", span.start, span.end);
    const readings = formula.split(" | ");
    const doubtful = readings.length > 1 && this.either(span.start, span.end);
    const template = readings[doubtful ? 1 : 0]!;
    if (template === "") throw new Refused("two_readings", span.start, span.end);
    if (template === "x ** y") {
      this.power(first, lexemeOf("power", " ** "), values[1]!);
      return;
    }
    this.operands.push(filled(template, values, span, "function"));
    const need = TABLES.needs[key];
    if (need !== undefined) this.needs.push(parts.bare(first), lexemeOf("", `${need}\n`));
  }

  // Tokens

  private peek(): Lexeme {
    return this.tokens[this.position]!;
  }

  private take(): Lexeme {
    if (this.position % NODES_PER_CHECK === 0) this.deadline.check();
    const token = this.peek();
    this.position += Number(this.position < this.tokens.length - 1);
    return token;
  }
}
