/**
 * Tokens -> the tree of a program, with one choice of each kind of doubt.
 *
 * The grammar is looser than the language's. Where a text is ambiguous, the reader asks its `Doubt`
 * by the kind of ambiguity; one reading makes the same choice for all doubts of a kind.
 */

import { NEVER, NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { Span } from "../errors.ts";
import { FUNCTIONS } from "../operations.ts";
import * as spelling from "./spelling.ts";
import { FRACTIONS, GREEK, KNOWN, PAIRS, ROOTS, Refused, TABLES } from "./spelling.ts";
import { keyOf, lexemeOf } from "./spelling.ts";
import type { Lexeme, Rows } from "./spelling.ts";
import * as trees from "./trees.ts";
import type { Node } from "./trees.ts";
import { CONSTANTS, DIFFERENTIAL, Doubt, SUFFIXES, Words } from "./words.ts";

/** The deepest nesting of parentheses, powers and calls; the reader recurses through it. */
const DEEPEST = 60;
/** Bounds on the size of a tree, which nested formulas can double with each call. */
const [PARTS, PARTS_PER_CHARACTER] = [400, 20] as const;
/** The order of the root that negative numbers have, too. */
const CUBIC = 3;
const [EULER, PI] = [Number(CONSTANTS.get("e")), Number(CONSTANTS.get("pi"))];
/** A name that may stand next to another one in a product. */
const LETTER = /^[A-Za-z](?:_?[A-Za-z0-9]{1,2}|hat|bar)?(?:_[A-Za-z0-9]+)?$/;
const INDEXED = /^(?:[A-Za-z]_?[0-9]|[A-Za-z]_[A-Za-z0-9]+)$/;
/** The numerator of a derivative: d, dy, dloss. */
const ABOVE = /^(?:d[A-Za-z]?|d[A-Za-z0-9_]{3,})$/;
/** Length from which a word directly after a number is text and not a factor. */
const SHORTEST_UNIT = 5;
/** C's `expf(`; with it, `0.5f` is a number. */
const FLOAT_CALL = /\b[a-z]{3,8}f *\(/;
/** Modules whose `max` takes numbers, not an array. */
const SCALAR_PATHS = ["", "math", "Math", "std", "f32", "f64"];

const NO_CURES: Rows = {};

type Group = [values: Node[], marks: Lexeme[]];

/** Reads a text once. */
export class Reader extends Words {
  /** The conditions of the program, as they are written. */
  readonly needs: (Node | Lexeme)[] = [];
  private readonly deadline: Deadline;
  private readonly cures: Rows;
  private readonly most: number;
  private depth = 0;
  private position = 0;
  private inBars = false;

  constructor(
    text: string,
    names: readonly string[] | null,
    doubt = new Doubt(),
    deadline: Deadline = NEVER,
    cures: Rows | null = null,
  ) {
    super(text, names, doubt, deadline);
    [this.deadline, this.cures] = [deadline, cures ?? NO_CURES];
    this.most = PARTS + PARTS_PER_CHARACTER * this.plain.length;
  }

  private ask(kind: string, first: Span, last: Span): boolean {
    return this.doubt.ask(kind, first, last) > 0;
  }

  // Statements

  /** Read all statements; return the parts of the program. */
  program(): (Node | Lexeme)[] {
    const written: (Node | Lexeme)[] = [];
    const [names, used] = [[] as string[], new Set<string>()];
    const whole = { start: 0, end: this.plain.length };
    let isLast = false;
    for (let first = this.peek(); first.kind !== "end"; first = this.peek()) {
      if (first.kind === "break") {
        written.push(this.take());
        continue;
      }
      if (isLast) throw new Refused("two_results", first, whole);
      isLast = first.kind !== "name" || this.at(1).kind !== "=";
      if (!isLast) written.push(this.take(), this.take());
      const node = this.sum();
      const after = this.peek();
      if (after.kind !== "end" && after.kind !== "break") {
        throw new Refused(TABLES.stray.behind[after.kind] ?? "unexpected", after);
      }
      if (!isLast && node.names.has(first.text) && !names.includes(first.text)) {
        throw new Refused("cyclic", { start: first.start, end: after.start });
      }
      if (!isLast) names.push(first.text);
      for (const name of node.names) used.add(name);
      written.push(node);
    }
    if (written.length === 0) throw new Refused("ended", whole);
    const needed = isLast ? names : names.slice(0, -1);
    if (needed.some((name) => !used.has(name))) throw new Refused("two_results", whole);
    return written;
  }

  /** Read terms, and the denominator if a fraction line follows them. */
  sum(): Node {
    const [nodes, signs] = [[this.product()], [] as Lexeme[]];
    while (["+", "-"].includes(this.peek().kind)) {
      signs.push(this.take());
      nodes.push(this.product());
    }
    const above = trees.series("+", nodes, signs);
    if (this.peek().kind !== "over") return above;
    this.enter(this.take());
    const below = this.sum();
    this.depth -= 1;
    return formula("x / y", [above, below], spanOf(above, below), "function");
  }

  /** Read factors, with or without signs; one after a quotient may be its denominator's. */
  private product(): Node {
    const [nodes, signs] = [[this.factor()], [] as Lexeme[]];
    let token = this.peek();
    for (; token.kind === "*" || token.kind === "/" || this.begins(token); token = this.peek()) {
      if (token.kind === "*" || token.kind === "/") {
        signs.push(this.take());
        nodes.push(this.factor());
        continue;
      }
      const before = this.at(-1);
      this.neighbours(before, token);
      const isBelow = signs.at(-1)?.kind === "/" && this.ask("quotient", before, token);
      const sign = times(nodes.at(-1)!, token);
      if (isBelow) {
        nodes.push(trees.series("*", [nodes.pop()!, this.factor()], [sign]));
      } else {
        signs.push(sign);
        nodes.push(this.factor());
      }
    }
    for (const [place, sign] of signs.entries()) {
      const [above, below] = [nodes[place]!, nodes[place + 1]!];
      if (sign.kind === "/" && this.isDerivative(above, base(below).text)) {
        throw new Refused("derivative", { start: nodes[0]!.start, end: token.start });
      }
    }
    return trees.series("*", nodes, signs);
  }

  /** Return whether a quotient is `d/dx`, however it is written. */
  private isDerivative(above: Node, below: string): boolean {
    const of = letters(above);
    const isSecond = above.kind === "**" && above.parts[0]!.text === "d";
    const isAbove = isSecond || (ABOVE.test(of) && !this.bound.has(of));
    return isAbove && DIFFERENTIAL.test(below) && !this.bound.has(below);
  }

  /** Refuse neighbours that are not factors of a product: numbers, words, differences. */
  private neighbours(before: Lexeme, token: Lexeme): void {
    const isDelta = ["Delta", "delta"].includes(before.text) && !token.gap;
    const isDifference = token.kind === "name" && isDelta;
    if (isDifference) this.ask("difference", before, token);
    const areBars = before.kind === "|" && token.kind === "|";
    if (isDifference || token.kind === "number" || areBars) {
      throw new Refused("two_readings", before, token);
    }
    const isName = before.kind === "name" && (before.run !== token.run || token.run === 0);
    const isUnit = token.gap || token.text.length >= SHORTEST_UNIT;
    if (token.kind !== "name" || !(isName || (before.kind === "number" && isUnit))) return;
    const free = [before, token].filter(({ kind, text }) => {
      const isOther = this.bound.has(text) || GREEK.has(text) || CONSTANTS.has(text);
      return kind === "name" && !isOther && !FRACTIONS.includes(text);
    });
    if (!this.isLatex && !free.every(({ text }) => LETTER.test(text))) {
      throw new Refused("words", before, token);
    }
  }

  /** Return whether an operand begins here. */
  private begins({ kind, gap }: Lexeme): boolean {
    if (kind === "[") {
      return gap || this.isLatex || ["number", ")", "]", "}"].includes(this.at(-1).kind);
    }
    const isBar = kind === "|" && !this.inBars;
    return isBar || ["number", "name", "function", "(", "{"].includes(kind) || kind in ROOTS;
  }

  /** Read a power and the signs before it. */
  private factor(): Node {
    const [first, minus] = [this.peek(), this.minusSigns()];
    const node = this.powers(this.primary());
    const isSheet = this.text.startsWith("=") && minus.length === 1;
    const isPower = isSheet && node.kind === "**" && node.parentheses.length === 0;
    if (!isPower || !this.ask("spreadsheet", first, node)) return trees.negative(minus, node);
    const [left, exponent] = node.parts as [Node, Node]; // there -x^2 is (-x)^2
    return trees.raised(trees.negative(minus, left), POWER, exponent);
  }

  // Powers

  /** Read all exponents after an operand. */
  private powers(left: Node): Node {
    for (let sign = this.peek(); sign.kind === "^"; sign = this.peek()) {
      const isAbove = sign.start === sign.end;
      this.take();
      const [minus, first] = [this.minusSigns(), this.peek()];
      let exponent = this.primary();
      if (!(first.kind in PAIRS) && !isAbove) exponent = this.exponent(left, exponent, first);
      const after = this.peek();
      if (after.kind === "^" && !isAbove && first.kind !== "{") {
        const hasCaret = this.plain[sign.start] !== "*" && after.start !== after.end;
        if (!(hasCaret && this.ask("tower", sign, after))) {
          this.enter(after);
          exponent = this.powers(exponent);
          this.depth -= 1;
        }
      }
      left = this.power(left, sign, trees.negative(minus, exponent));
    }
    return left;
  }

  /** Read the signs before an operand; return each minus. */
  private minusSigns(): Lexeme[] {
    const signs: Lexeme[] = [];
    while (["-", "+"].includes(this.peek().kind)) signs.push(this.take());
    return signs.filter(({ kind }) => kind === "-");
  }

  /** Read what directly follows an exponent and may belong to it. */
  private exponent(left: Node, exponent: Node, first: Lexeme): Node {
    const [next, after] = [this.peek(), this.at(1)];
    const areNumbers = first.kind === "number" && after.kind === "number";
    if (next.kind === "/" && areNumbers && first.text === "1" && this.at(-1) === first) {
      if (!this.ask("exponent", first, after)) return exponent;
      this.take();
      return trees.series("*", [exponent, this.primary()], [next]);
    }
    const [nodes, signs] = [[exponent], [] as Lexeme[]];
    for (let token = next; this.begins(token) && !token.gap; token = this.peek()) {
      if (token.kind === "number") break;
      if (signs.length === 0) {
        const { run } = this.at(-1);
        const isInside = left.number === EULER || (run !== 0 && run === token.run);
        const isCall =
          exponent.kind === "number" && (token.kind === "function" || token.kind in ROOTS);
        if ((isCall && !isInside) || this.ask("exponent", first, token) === isInside) break;
      }
      signs.push(TOUCHING);
      nodes.push(this.primary());
    }
    return trees.series("*", nodes, signs);
  }

  /** Raise to a power: by `**` if it is a number, else by `exp` and `log`. */
  private power(left: Node, sign: Lexeme, exponent: Node): Node {
    const [span, { number }] = [spanOf(left, exponent), exponent];
    const isVector = left.kind === "name" || left.number === PI; // pi may be a policy
    const isTranspose = exponent.text === "T" && isVector && !this.bound.has("T");
    if (isTranspose && this.tokens.filter(({ text }) => text === "T").length === 1) {
      throw new Refused("transpose", sign, exponent);
    }
    const isExp = left.kind === "call" && left.text === "exp" && left.parts[0]!.number === 1;
    const isE = left.text === "E" && number === null && !this.bound.has("E");
    if (left.number === EULER || isExp || (isE && !this.ask("euler", left, exponent))) {
      const isComplex = ["i", "j"].some((n) => exponent.names.has(n) && !this.bound.has(n));
      if (isComplex && !this.ask("imaginary", span, span)) throw new Refused("two_readings", span);
      return formula("exp(x)", [exponent], span, "power");
    }
    const isRoot = number !== null && number % 1 !== 0;
    if (number !== null && !(isRoot && (left.number ?? 0) < 0)) {
      return trees.raised(left, sign, exponent);
    }
    if (left.number !== null && left.number <= 0) throw new Refused("negative_base", span);
    if (!trees.positive(left)) this.needs.push(trees.bare(left), lexemeOf("", " > 0\n"));
    return formula("exp(y * log(x))", [left, exponent], span, "power");
  }

  // Operands

  /** Read a number, a name, a call or parentheses, and the methods after it. */
  private primary(): Node {
    const token = this.take();
    this.enter(token);
    const made = this.methods(this.operand(token));
    if (made.size > this.most) throw new Refused("too_long", made);
    this.depth -= 1;
    return made;
  }

  /** Enter another level of nesting. */
  private enter(token: Lexeme): void {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new Refused("too_deep", token);
  }

  /** Read the operand that a token begins. */
  private operand(token: Lexeme): Node {
    const root = ROOTS[token.kind];
    if (root !== undefined) return this.bare(root, token);
    if (token.kind === "number") return this.number(token);
    if (token.kind === "function") return this.function(token);
    if (token.kind === "name") return this.name(token);
    return token.kind === "|" ? this.bars(token) : this.parentheses(token);
  }

  /** Read an absolute value. */
  private bars(token: Lexeme): Node {
    const outer = this.inBars;
    this.inBars = true;
    const inner = this.sum();
    this.inBars = outer;
    const closing = this.take();
    if (closing.kind !== "|") throw new Refused("unclosed", token);
    return formula("abs(x)", [inner], spanOf(token, closing), "bars");
  }

  /** Read the content of parentheses, brackets or braces. */
  private parentheses(token: Lexeme): Node {
    if (!(token.kind in PAIRS)) {
      throw new Refused(TABLES.stray.operand[token.kind] ?? "unexpected", token);
    }
    const [values, marks] = this.group(token);
    const [inner, closing] = [values[0]!, marks.at(-1)!];
    if (values.length > 1) {
      const isPair = values.every(({ number }) => number !== null) || token.kind === "[";
      throw new Refused(isPair ? "vector" : "comma", token, closing);
    }
    if (token.kind === "{") return { ...inner, ...spanOf(token, closing) };
    return trees.enclosed(token, inner, closing);
  }

  /** Read a number, perhaps with a suffix as in C or Python. */
  private number(token: Lexeme): Node {
    const [after, number] = [this.peek(), Number(token.text)];
    if (number === Infinity) throw new Refused("too_large", token);
    if (after.kind === "name" && !after.gap && !this.given.has(after.text)) {
      this.suffix(token, after);
    }
    return trees.leaf(token, number);
  }

  /** Skip a letter that may be a literal's suffix; every such letter may be a name, too. */
  private suffix(token: Lexeme, after: Lexeme): void {
    const isMore = ["name", "^", "(", "{"].includes(this.at(1).kind);
    const word = isMore ? "" : after.text;
    if (word === "e" && !this.bound.has("e")) throw new Refused("number", token, after);
    const isUnit = ["i", "j"].includes(word) && !this.ask("imaginary", token, after);
    const isLiteral = SUFFIXES.includes(word) && (!"dD".includes(word) || token.text.includes("."));
    if (isUnit || (!isLiteral && token.text.endsWith("."))) {
      throw new Refused("two_readings", token, after);
    }
    if (!isLiteral) return;
    const uses = this.tokens.filter((_, place) => this.tokens[place + 1]?.text === word);
    const literals = uses.filter(({ kind, text }) => kind === "number" && text.includes("."));
    const isCode = literals.length > 1 || FLOAT_CALL.test(this.text);
    if ((isCode && literals.length === uses.length) || !this.ask("suffix", token, after)) {
      this.take();
    }
  }

  // Names and calls

  /** Read a name that is not a function, or the number that it stands for. */
  private name(token: Lexeme): Node {
    const [word, after] = [token.text, this.peek()];
    if (token.path !== "" || this.constants.has(word)) return this.constant(token);
    if (FRACTIONS.includes(word)) return this.fraction(token);
    const isPower = after.kind === "." && keyOf(this.at(1).text) === "pow";
    if (word === "E" && isPower && !this.given.has(word)) {
      return this.constant({ ...token, text: "e" }); // Rust's constant
    }
    const isIndexed = after.kind === "[" && !after.gap && !this.isLatex;
    const hasOperand = ["number", "name"].includes(this.at(1).kind);
    if (isIndexed && hasOperand && ["]", ","].includes(this.at(2).kind)) {
      throw new Refused("vector", token, after);
    }
    if ((after.kind === "(" || isIndexed) && !this.given.has(word)) {
      if (word === "sigma" && !this.ask("sigma", token, token)) {
        return this.call("sigmoid", ...this.group(this.take()), token);
      }
      this.refuseCall(token, after);
    }
    const node = trees.leaf(token);
    return isIndexed ? trees.series("*", [node, this.primary()], [TOUCHING]) : node;
  }

  /** Read pi or e, written as a name, as `math.pi`, or as a call in a spreadsheet. */
  private constant(token: Lexeme): Node {
    const word = token.path === "" ? token.text : token.text.toLowerCase();
    const text = CONSTANTS.get(word);
    if (text === undefined) {
      const isInfinite = word === "inf" || word === "infinity";
      throw new Refused(isInfinite ? "infinite" : "attribute", token);
    }
    if (this.peek().kind === "(" && token.path === "") {
      if (this.at(1).kind === ")") {
        this.take();
        this.take();
      } else if (word === "e" && this.ask("call", token, token)) {
        throw new Refused("unknown_function", token); // or its exponent was lost
      }
    }
    return trees.leaf({ ...token, text }, Number(text));
  }

  /** Refuse a call of a possible function; a letter before parentheses may be a factor. */
  private refuseCall(token: Lexeme, after: Lexeme): void {
    const [word, isBound] = [token.text, this.bound.has(token.text)];
    const isLetter = word.length === 1 || GREEK.has(word) || INDEXED.test(word);
    if (!isLetter && !isBound) throw new Refused("unknown_function", token);
    const isOfOne = [")", ","].includes(this.at(2).kind) && word.length === 1;
    const isCalled = TABLES.called_letters.split(" ").includes(word) || isOfOne;
    const isE = word === "e" && !isBound; // its exponent may have been lost
    if (!isE && (isBound || this.free.has(word) || !isCalled)) return;
    if (this.names !== null) throw new Refused("no_value", token);
    if (this.ask("call", token, after)) throw new Refused("unknown_function", token);
  }

  /** Read a LaTeX fraction: the command, the numerator and the denominator. */
  private fraction(token: Lexeme): Node {
    const [above, below] = [this.primary(), this.primary()];
    if (this.isDerivative(above, letters(below))) {
      throw new Refused("derivative", { start: token.start, end: this.peek().start });
    }
    const values = [trees.bare(above), trees.bare(below)];
    return formula("x / y", values, spanOf(token, below), "function");
  }

  /** Read `.tanh()` after an operand, which is its first argument. */
  private methods(node: Node): Node {
    while (this.peek().kind === ".") {
      const [dot, name, opening] = [this.take(), this.take(), this.peek()];
      const key = ["name", "function"].includes(name.kind) ? keyOf(name.text) : null;
      if (opening.kind !== "(" || key === null || !KNOWN.has(key) || dot.gap) {
        throw new Refused("attribute", dot, name);
      }
      this.take();
      const isEmpty = this.peek().kind === ")";
      const values = isEmpty ? [] : this.group(opening, key)[0];
      if (isEmpty) this.take();
      if ((key === "max" || key === "min") && isEmpty) {
        throw new Refused("vector", name);
      }
      node = this.call(key, [node, ...values], [], { ...name, place: -1 });
    }
    return node;
  }

  /** Read arguments up to the closing parenthesis; return them and the marks around them. */
  private group(opening: Lexeme, key = ""): Group {
    const outer = this.inBars;
    this.inBars = false;
    if (this.peek().kind === PAIRS[opening.kind]) {
      throw new Refused(key === "" ? "ended" : "arity", opening, this.peek());
    }
    const values: Node[] = [];
    const marks = [opening];
    for (let mark = opening; mark === opening || mark.kind === ","; marks.push(mark)) {
      this.keyword(key, values.length);
      if (this.cures !== NO_CURES && this.peek().kind === "[" && key !== "") {
        const [inner] = this.group(this.take(), key);
        values.push(...inner);
        marks.push(...inner.slice(1).map(() => lexemeOf("function", ", ")));
      } else if (["True", "False"].includes(this.peek().text) && values.length > 0) {
        this.take();
        marks.pop();
      } else {
        values.push(this.sum());
      }
      mark = this.take();
    }
    this.inBars = outer;
    const last = marks.at(-1)!;
    if (last.kind !== PAIRS[opening.kind]) {
      throw new Refused(TABLES.stray.inside[last.kind] ?? "unexpected", last);
    }
    return [values, marks];
  }

  /** Skip `max=` before the argument at its position. */
  private keyword(key: string, count: number): void {
    const token = this.peek();
    if (this.at(1).kind !== "=" || !["name", "function"].includes(token.kind)) return;
    const names = (TABLES.keywords[key] ?? "").split(" ");
    if (token.text !== "inplace" && names[count] !== token.text) {
      throw new Refused("equation", token, this.at(1));
    }
    this.take();
    this.take();
  }

  /** Read a call, with or without parentheses or an exponent after its name (`sin^2 x`). */
  private function(token: Lexeme): Node {
    const key = keyOf(token.text) ?? token.text;
    if (token.text === "sqrt" && this.peek().kind === "[" && this.isLatex) return this.root(token);
    const above = this.peek().kind === "^" ? this.powerOfName(token) : null;
    const after = this.peek();
    let made: Node;
    if (after.kind in PAIRS && !(after.kind === "[" && after.gap)) {
      made = this.call(key, ...this.group(this.take(), key), token);
      if (above === null) made = this.methods(made);
    } else if (this.begins(after) || after.kind === "-") {
      const isEnglish = TABLES.spelled.split(" ").includes(key);
      if (isEnglish) throw new Refused("words", token, after);
      made = this.bare(key, token);
    } else {
      return trees.leaf({ ...token, kind: "name" });
    }
    return above === null ? made : trees.raised(made, POWER, above);
  }

  /** Read `^2` between a name and its argument. */
  private powerOfName(token: Lexeme): Node {
    const sign = this.take();
    if (this.peek().kind === "-") {
      throw new Refused("two_readings", token, this.at(1)); // an inverse, or 1 over it
    }
    const node = this.primary();
    const isOperand = this.begins(this.peek()) || this.peek().kind === "[";
    if (node.kind !== "number" || !/^[0-9]+$/.test(node.text) || !isOperand) {
      throw new Refused("two_readings", token, sign);
    }
    return node;
  }

  /** Read a LaTeX root with its order in brackets. */
  private root(token: Lexeme): Node {
    const [[order]] = this.group(this.take()) as [[Node], Lexeme[]];
    const inner = this.primary();
    if (order.number === CUBIC) return this.call("cbrt", [inner], [], token);
    const exponent = formula("1 / x", [order], order, "power");
    return this.power(inner, { ...POWER, ...spanOf(token, token) }, exponent);
  }

  /** Read an argument without parentheses: numbers and one factor; more of it is a doubt. */
  private bare(key: string, token: Lexeme): Node {
    const [first, isRoot] = [this.peek(), key === "sqrt" || key === "cbrt"];
    const minus = first.kind === "-" ? [this.take()] : [];
    const isClosed = first.kind in PAIRS || first.kind === "|";
    const nodes = [isClosed ? this.primary() : this.argument(token)];
    const signs: Lexeme[] = [];
    while (!isClosed && !(isRoot && this.isLatex)) {
      const [after, before] = [this.peek(), this.at(-1)];
      const isCall = ["number", "function"].includes(after.kind) || after.kind in ROOTS;
      const joins = this.begins(after) && !isCall;
      const isNumeric = nodes.every(({ number }) => number !== null);
      if (!(joins && isNumeric && !isRoot)) {
        if (!joins && (isRoot || !["*", "/"].includes(after.kind))) break;
        const isNext = this.at(joins ? 0 : 1).kind === "function";
        const ends = [")", "}", "|"].includes(before.kind) || isNext;
        const isInside = joins && !after.gap && !isRoot;
        if (ends || this.ask("argument", token, after) === isInside) break;
      }
      signs.push(joins ? times(before, after) : this.take());
      nodes.push(this.argument(token));
    }
    const node = trees.negative(minus, trees.series("*", nodes, signs));
    return this.call(key, [node], [], token);
  }

  /** Read a factor of a bare call's argument; an exponent may apply to the call instead. */
  private argument(call: Lexeme): Node {
    const node = this.primary();
    const isRaised = this.peek().kind === "^" && !this.ask("argument", call, this.peek());
    return isRaised ? this.powers(node) : node;
  }

  /** Make a call from the functions that the language has. */
  private call(key: string, values: Node[], marks: Lexeme[], name: Lexeme): Node {
    const start = Math.min(name.start, values[0]!.start);
    const span = { start, end: Math.max(this.at(-1).end, name.end) };
    const isMax = key === "max" || key === "min";
    const isArrays = !SCALAR_PATHS.includes(name.path);
    const ofArray = isMax && (name.text === "max" || name.text === "min") && isArrays;
    const reason = spelling.WITHOUT.get(key) ?? (ofArray ? "vector" : null);
    if (reason !== null && !(spelling.calling(key, values.length) in this.cures)) {
      throw new Refused(reason, name);
    }
    if (/^(?:log|ln)_/.test(key) && !KNOWN.has(key)) {
      const low = key.slice(key.indexOf("_") + 1);
      const number = /^[0-9]+$/.test(low) ? Number(low) : null;
      values = [...values, trees.leaf(lexemeOf("function", low), number)];
      key = "log";
    }
    while (isMax && values.length > "xy".length) {
      const first = formula(`${key}(x, y)`, values.slice(0, 2), span, "function");
      [values, marks] = [[first, ...values.slice(2)], []];
    }
    if (FUNCTIONS.get(key)?.arity === values.length) {
      const written = { ...name, kind: "function", text: key };
      const isInPlace = name.place >= 0 && (marks.length > 0 || !isMax);
      return trees.called(isInPlace ? written : lexemeOf("function", key), values, span, marks);
    }
    return this.byFormula(key, values, span, name);
  }

  /** Replace a function that the language does not have by one of its formulas. */
  private byFormula(key: string, values: readonly Node[], span: Span, name: Lexeme): Node {
    const first = values[0]!;
    const isOrder = ["root", "nthroot", "surd"].includes(key);
    if (isOrder && values[1]?.number === CUBIC) [key, values] = ["cbrt", [first]];
    const call = spelling.calling(key, values.length);
    let found = this.cures[call] ?? spelling.FORMULAS.get(call);
    if (found === undefined) throw new Refused("arity", span);
    if ((key === "logaddexp" || key === "logsumexp") && first.number === 0) {
      [values, found] = [values.slice(1), "softplus(x)"];
    }
    const forms = found.split(" | ");
    const isKnown = forms.length === 1 || (key === "LOG" && this.text.startsWith("="));
    const choice = isKnown ? 0 : this.doubt.ask("function", span, span, forms.length);
    const form = forms[choice]!.trim();
    if (form === "") throw new Refused("two_readings", name);
    if (form === "x ** y") return this.power(first, POWER, values[1]!);
    const need = TABLES.needs[key];
    if (need !== undefined) this.needs.push(trees.bare(first), lexemeOf("", `${need}\n`));
    return formula(form, values, span, "function");
  }

  // Tokens

  /** Return a token near the next one. */
  private at(steps: number): Lexeme {
    return this.tokens[Math.max(0, Math.min(this.position + steps, this.tokens.length - 1))]!;
  }

  /** Return the next token. */
  private peek(): Lexeme {
    return this.tokens[this.position]!;
  }

  /** Return the next token and advance. */
  private take(): Lexeme {
    if (this.position % NODES_PER_CHECK === 0) this.deadline.check();
    const token = this.peek();
    this.position += Number(this.position < this.tokens.length - 1);
    return token;
  }
}

/** Signs that the reader inserts. */
const [POWER, TOUCHING] = [lexemeOf("power", " ** "), lexemeOf("product", "*")];

/** Return the sign to insert into a product that has none. */
function times(before: Span, after: Span): Lexeme {
  return before.end === after.start ? TOUCHING : lexemeOf("product", " * ");
}

function spanOf({ start }: Span, { end }: Span): Span {
  return { start, end };
}

const TEMPLATES = new Map<string, Node>();

/** Fill a formula of the table, whose slots are x, y and z, with arguments. */
function formula(text: string, values: readonly Node[], span: Span, reason: string): Node {
  let template = TEMPLATES.get(text);
  if (template === undefined) {
    template = new Reader(text, ["x", "y", "z"]).sum();
    TEMPLATES.set(text, template);
  }
  const slots = new Map(values.map((each, index) => ["xyz"[index]!, each]));
  return trees.filled(template, slots, span, reason);
}

function base(node: Node): Node {
  return node.kind === "**" || node.kind === "neg" ? base(node.parts[0]!) : node;
}

/** Join the letters of a product into one word: d*x is dx. */
function letters(node: Node): string {
  const factors = node.kind === "*" && !node.text.includes("/") ? node.parts : [node];
  const names = factors.map(base).filter(({ kind }) => kind === "name");
  return names.map(({ text }) => text).join("");
}
