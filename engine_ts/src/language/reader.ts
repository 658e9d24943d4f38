/**
 * Tokens -> the tree of a program, with one choice of each kind of doubt.
 *
 * The grammar is looser than the language's. Where a person could mean something else it asks: each
 * kind of doubt is asked by its name, and one reading takes one choice for all doubts of a kind.
 */

import { NEVER, NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import { FUNCTIONS } from "../operations.ts";
import { FORMULAS, FRACTIONS, GREEK, KNOWN, PAIRS, ROOTS, TABLES, WITHOUT } from "./spelling.ts";
import { Refused, calling, keyOf, lexemeOf } from "./spelling.ts";
import type { Rows, Lexeme } from "./spelling.ts";
import * as trees from "./trees.ts";
import type { Item, Node, Slots } from "./trees.ts";
import { CONSTANTS, DIFFERENTIAL, Doubt, Words } from "./words.ts";

/** Parentheses, powers and calls in one another, which the reader recurs through. */
const DEEPEST = 60;
/** How large a tree a text may have: formulas in one another double theirs with each call. */
const [PARTS, PARTS_PER_CHARACTER] = [400, 20] as const;
/** The order of the root that a negative number has, too. */
const CUBIC = 3;
/** Functions that are words of English, and take parentheses. */
const SPELLED = new Set(TABLES.spelled.split(" "));
const EULER = Number(CONSTANTS.get("e"));
/** A name that may stand next to another one in a product. */
const LETTER = /^[A-Za-z](?:_?[A-Za-z0-9]{1,2}|hat|bar)?(?:_[A-Za-z0-9]+)?$/;
const INDEXED = /^(?:[A-Za-z]_?[0-9]|[A-Za-z]_[A-Za-z0-9]+)$/;
/** What is above the line of a derivative: d, dy, dloss. */
const ABOVE = /^(?:d[A-Za-z]?|d[A-Za-z0-9_]{3,})$/;
/** Letters of a word that is none of a formula, behind a number that it touches. */
const SHORTEST_UNIT = 5;
/** `expf(` of C, where `0.5f` is a number. */
const FLOAT_CALL = /\b[a-z]{3,8}f *\(/;
const CALLED_LETTERS = ["f", "g", "h", "F", "G", "H", "u", "phi", "psi", "sigma"];
const SUFFIXES = ["f", "F", "L", "d", "D"];
/** Where `max` takes numbers, and no array. */
const SCALAR_PATHS = ["", "math", "Math", "std", "f32", "f64"];
const STRAY = new Map(
  Object.entries({ "=": "equation", end: "ended", break: "ended", ",": "comma" }),
);
const UNOPENED = { ")": "unopened", "]": "unopened", "}": "unopened" };
const BEHIND = new Map(
  Object.entries({ ",": "comma", ".": "attribute", "[": "vector", "=": "equation", ...UNOPENED }),
);
const UNCLOSED = new Map(Object.entries({ "=": "equation", end: "unclosed", break: "unclosed" }));

type Span = Pick<Node, "start" | "end">;
type Group = [values: Node[], marks: Lexeme[]];

/** Reads a text once. */
export class Reader {
  readonly words: Words;
  /** What must hold, as it is written. */
  readonly needs: (Node | Lexeme)[] = [];
  private readonly text: string;
  private readonly names: readonly string[] | null;
  private readonly doubt: Doubt;
  private readonly deadline: Deadline;
  private readonly cures: Rows | null;
  private readonly tokens: readonly Lexeme[];
  private readonly isLatex: boolean;
  private readonly hasOneT: boolean;
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
    this.words = new Words(text, names, doubt, deadline);
    [this.text, this.names, this.doubt] = [text, names, doubt];
    [this.deadline, this.cures] = [deadline, cures];
    [this.tokens, this.isLatex] = [this.words.tokens, this.words.isLatex];
    this.most = PARTS + PARTS_PER_CHARACTER * this.words.plain.length;
    this.hasOneT = this.tokens.filter((each) => each.text === "T").length === 1;
  }

  private ask(kind: string, start: number, end: number): boolean {
    return this.doubt.ask(kind, start, end) > 0;
  }

  private isBound(word: string): boolean {
    return this.words.bound.has(word);
  }

  // Statements

  /** Read all statements; return what is written for them. */
  program(): (Node | Lexeme)[] {
    const written: (Node | Lexeme)[] = [];
    const [names, used] = [[] as string[], new Set<string>()];
    const length = this.words.plain.length;
    let isLast = false;
    for (let first = this.peek(); first.kind !== "end"; first = this.peek()) {
      if (first.kind === "break") {
        written.push(this.take());
        continue;
      }
      if (isLast) throw new Refused("two_results", first.start, length);
      isLast = first.kind !== "name" || this.at(1).kind !== "=";
      if (!isLast) written.push(this.take(), this.take());
      const node = this.sum();
      const after = this.peek();
      if (after.kind !== "end" && after.kind !== "break") {
        throw new Refused(BEHIND.get(after.kind) ?? "unexpected", after.start, after.end);
      }
      if (!isLast && node.names.has(first.text) && !names.includes(first.text)) {
        throw new Refused("cyclic", first.start, after.start);
      }
      if (!isLast) names.push(first.text);
      for (const name of node.names) used.add(name);
      written.push(node);
    }
    if (written.length === 0) throw new Refused("ended", 0, length);
    const needed = isLast ? names : names.slice(0, -1);
    if (needed.some((name) => !used.has(name))) throw new Refused("two_results", 0, length);
    return written;
  }

  /** Terms. */
  sum(): Node {
    const items: Item[] = [["+", this.peek(), this.product()]];
    while (["+", "-"].includes(this.peek().kind)) {
      const sign = this.take();
      items.push([sign.kind, sign, this.product()]);
    }
    const node = items.length > 1 ? trees.series("+", items) : items[0]![2];
    return this.peek().kind === "over" ? this.over(node, this.take()) : node;
  }

  /** Read what is below the line. */
  private over(above: Node, sign: Lexeme): Node {
    this.enter(sign);
    const below = this.sum();
    this.depth -= 1;
    const span = { start: above.start, end: below.end };
    return formula("x / y", [above, below], span, "function");
  }

  /** Factors with and without signs; one behind a quotient may be below it. */
  private product(): Node {
    const items: Item[] = [["*", this.peek(), this.factor()]];
    let token = this.peek();
    for (; token.kind === "*" || token.kind === "/" || this.begins(token); token = this.peek()) {
      if (token.kind === "*" || token.kind === "/") {
        this.take();
        items.push([token.kind, token, this.factor()]);
        continue;
      }
      const before = this.at(-1);
      this.neighbours(before, token);
      const [kind, written, last] = items.at(-1)!;
      const isBelow = kind === "/" && this.ask("quotient", before.start, token.end);
      const sign = lexemeOf("product", last.end === token.start ? "*" : " * ");
      const item: Item = ["*", sign, this.factor()];
      if (isBelow) {
        items[items.length - 1] = [kind, written, trees.series("*", [["*", token, last], item])];
      } else {
        items.push(item);
      }
    }
    const [[, , first]] = items as [Item];
    if (items.length === 1) return first;
    for (const [place, [kind, , below]] of items.entries()) {
      const above = items[place - 1];
      if (kind === "/" && this.isDerivative(above![2], base(below).text)) {
        throw new Refused("derivative", first.start, token.start);
      }
    }
    return trees.series("*", items);
  }

  /** Return whether a quotient is `d/dx`, however it is written. */
  private isDerivative(above: Node, below: string): boolean {
    const of = letters(above);
    const isSecond = above.kind === "**" && above.parts[0]!.text === "d";
    const isAbove = isSecond || (ABOVE.test(of) && !this.isBound(of));
    return isAbove && DIFFERENTIAL.test(below) && !this.isBound(below);
  }

  /** Refuse what stands side by side, but is no product: numbers, words, differences. */
  private neighbours(before: Lexeme, token: Lexeme): void {
    const [start, end] = [before.start, token.end];
    if (token.kind === "number" || (before.kind === "|" && token.kind === "|")) {
      throw new Refused("two_readings", start, end);
    }
    if (token.kind !== "name") return;
    if (["Delta", "delta"].includes(before.text) && !token.gap) {
      this.ask("difference", start, end);
      throw new Refused("two_readings", start, end);
    }
    const isName = before.kind === "name" && (before.run !== token.run || token.run === 0);
    const isUnit = token.gap || token.text.length >= SHORTEST_UNIT;
    if (!isName && !(before.kind === "number" && isUnit)) return;
    const free = [before, token].filter(({ kind, text }) => {
      const isOther = this.isBound(text) || GREEK.has(text) || CONSTANTS.has(text);
      return kind === "name" && !isOther && !FRACTIONS.includes(text);
    });
    if (!this.isLatex && !free.every(({ text }) => LETTER.test(text))) {
      throw new Refused("words", start, end);
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

  /** A power with signs before it. */
  private factor(): Node {
    const first = this.peek();
    const minus = this.minusSigns();
    let node = this.powers(this.primary());
    const isSheet = this.text.startsWith("=") && minus.length === 1;
    const isPower = isSheet && node.kind === "**" && node.inside === null;
    if (isPower && this.ask("spreadsheet", first.start, node.end)) {
      // where -x^2 is a square
      const negative = trees.negative(minus[0]!, node.parts[0]!);
      return trees.raised(negative, lexemeOf("power", " ** "), node.parts[1]!);
    }
    for (const token of minus.toReversed()) node = trees.negative(token, node);
    return node;
  }

  // Powers

  /** Read all exponents behind an operand. */
  private powers(left: Node): Node {
    for (let sign = this.peek(); sign.kind === "^"; sign = this.peek()) {
      const isAbove = sign.start === sign.end;
      this.take();
      const minus = this.minusSigns();
      const first = this.peek();
      let exponent = this.primary();
      if (!(first.kind in PAIRS) && !isAbove) exponent = this.exponent(left, exponent, first);
      const after = this.peek();
      if (after.kind === "^" && !isAbove && first.kind !== "{") {
        const hasCaret = this.words.plain[sign.start] !== "*" && after.start !== after.end;
        if (!(hasCaret && this.ask("tower", sign.start, after.end))) {
          this.enter(after);
          exponent = this.powers(exponent);
          this.depth -= 1;
        }
      }
      for (const token of minus.toReversed()) exponent = trees.negative(token, exponent);
      left = this.power(left, sign, exponent);
    }
    return left;
  }

  /** Read the signs before an operand; return each minus. */
  private minusSigns(): Lexeme[] {
    const minus: Lexeme[] = [];
    while (["-", "+"].includes(this.peek().kind)) {
      const token = this.take();
      if (token.kind === "-") minus.push(token);
    }
    return minus;
  }

  /** What touches an exponent may belong to it. */
  private exponent(left: Node, exponent: Node, first: Lexeme): Node {
    let [token, after] = [this.peek(), this.at(1)];
    const areNumbers = first.kind === "number" && after.kind === "number";
    if (token.kind === "/" && areNumbers && first.text === "1" && this.at(-1) === first) {
      if (!this.ask("exponent", first.start, after.end)) return exponent;
      const sign = this.take();
      return trees.series("*", [
        ["*", token, exponent],
        ["/", sign, this.primary()],
      ]);
    }
    const items: Item[] = [["*", token, exponent]];
    for (token = this.peek(); this.begins(token) && !token.gap; token = this.peek()) {
      if (token.kind === "number") break;
      if (items.length === 1) {
        const { run } = this.at(-1);
        const isInside = left.number === EULER || (run !== 0 && run === token.run);
        if (this.ask("exponent", first.start, token.end) === isInside) break;
      }
      items.push(["*", lexemeOf("product", "*"), this.primary()]);
    }
    return items.length > 1 ? trees.series("*", items) : exponent;
  }

  /** Raise to a number, or by `exp` and `log`. */
  private power(left: Node, sign: Lexeme, exponent: Node): Node {
    const span = { start: left.start, end: exponent.end };
    const isTranspose = exponent.text === "T" && left.kind === "name" && this.hasOneT;
    if (isTranspose && !this.isBound("T")) {
      throw new Refused("transpose", sign.start, exponent.end);
    }
    const isExp = left.kind === "call" && left.text === "exp" && left.parts[0]!.number === 1;
    if (left.number === EULER || isExp) {
      const isComplex = ["i", "j"].some((each) => exponent.names.has(each) && !this.isBound(each));
      if (isComplex && !this.ask("imaginary", span.start, span.end)) {
        throw new Refused("two_readings", span.start, span.end);
      }
      return formula("exp(x)", [trees.bare(exponent)], span, "power");
    }
    const isRoot = exponent.number !== null && exponent.number % 1 !== 0;
    if (exponent.number !== null && !(isRoot && (left.number ?? 0) < 0)) {
      return trees.raised(left, sign, exponent);
    }
    if (left.number !== null && left.number <= 0) {
      throw new Refused("negative_base", span.start, span.end);
    }
    if (!trees.positive(left)) this.needs.push(trees.bare(left), lexemeOf("", " > 0\n"));
    return formula("exp(y * log(x))", [left, exponent], span, "power");
  }

  // Operands

  /** A number, a name, a call, or what parentheses hold, with the methods behind it. */
  private primary(): Node {
    const token = this.take();
    this.enter(token);
    const made = this.methods(this.operand(token));
    if (made.size > this.most) throw new Refused("too_long", made.start, made.end);
    this.depth -= 1;
    return made;
  }

  /** Count what is read in one another. */
  private enter({ start, end }: Lexeme): void {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new Refused("too_deep", start, end);
  }

  /** Read what a token begins. */
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
    if (closing.kind !== "|") throw new Refused("unclosed", token.start, token.end);
    return formula("abs(x)", [inner], { start: token.start, end: closing.end }, "bars");
  }

  /** Read what parentheses, brackets or braces hold. */
  private parentheses(token: Lexeme): Node {
    if (!(token.kind in PAIRS)) {
      throw new Refused(STRAY.get(token.kind) ?? "unexpected", token.start, token.end);
    }
    const [values, marks] = this.group(token);
    const [inner, closing] = [values[0]!, marks.at(-1)!];
    const span = { start: token.start, end: closing.end };
    if (values.length > 1) {
      const isPair = values.every(({ number }) => number !== null) || token.kind === "[";
      throw new Refused(isPair ? "vector" : "comma", span.start, span.end);
    }
    return token.kind === "{" ? { ...inner, ...span } : trees.enclosed(token, inner, closing, span);
  }

  /** Read a number, perhaps with the suffix that a literal of C or Python has. */
  private number(token: Lexeme): Node {
    const [after, number] = [this.peek(), Number(token.text)];
    if (number === Infinity) throw new Refused("too_large", token.start, token.end);
    if (after.kind === "name" && !after.gap && !this.words.given.has(after.text)) {
      this.suffix(token, after);
    }
    return trees.leaf(token, number);
  }

  /** Skip a letter that may be a literal's suffix; each of them may be a name, too. */
  private suffix(token: Lexeme, after: Lexeme): void {
    const [word, start, end] = [after.text, token.start, after.end];
    const joins = ["name", "^", "(", "{"].includes(this.at(1).kind);
    if (word === "e" && !this.isBound("e") && !joins) throw new Refused("number", start, end);
    const isUnit = (word === "i" || word === "j") && !joins;
    if (isUnit && !this.ask("imaginary", start, end)) throw new Refused("two_readings", start, end);
    const isDouble = word === "d" || word === "D";
    const isLiteral = SUFFIXES.includes(word) && !joins;
    if (!isLiteral || (isDouble && !token.text.includes("."))) {
      if (token.text.endsWith(".")) throw new Refused("two_readings", start, end);
      return;
    }
    const uses = this.tokens.slice(0, -1).filter((_, place) => {
      return this.tokens[place + 1]!.text === word;
    });
    const literals = uses.filter(({ kind, text }) => kind === "number" && text.includes("."));
    const isCode = literals.length > 1 || FLOAT_CALL.test(this.text);
    if ((isCode && literals.length === uses.length) || !this.ask("suffix", start, end)) this.take();
  }

  // Names and calls

  /** Read a name that is no function, or the number that it stands for. */
  private name(token: Lexeme): Node {
    const [word, after] = [token.text, this.peek()];
    if (token.path !== "" || this.words.constants.has(word)) return this.constant(token);
    if (FRACTIONS.includes(word)) return this.fraction(token);
    const isPower = after.kind === "." && keyOf(this.at(1).text) === "pow";
    if (word === "E" && isPower && !this.words.given.has(word)) {
      return this.constant({ ...token, text: "e" }); // a constant of Rust
    }
    const isIndexed = after.kind === "[" && !after.gap && !this.isLatex;
    if (isIndexed && this.isIndex()) throw new Refused("vector", token.start, after.end);
    if ((after.kind === "(" || isIndexed) && !this.words.given.has(word)) {
      if (word === "sigma" && !this.ask("sigma", token.start, token.end)) {
        return this.call("sigmoid", ...this.group(this.take()), token);
      }
      this.refuseCall(token, after);
    }
    if (!isIndexed) return trees.leaf(token);
    const sign = lexemeOf("product", "*");
    return trees.series("*", [
      ["*", sign, trees.leaf(token)],
      ["*", sign, this.primary()],
    ]);
  }

  /** Read pi or e, as a name, of a module, or as a call of a spreadsheet. */
  private constant(token: Lexeme): Node {
    const word = token.path === "" ? token.text : token.text.toLowerCase();
    const text = CONSTANTS.get(word);
    if (text === undefined) {
      const isInfinite = word === "inf" || word === "infinity";
      throw new Refused(isInfinite ? "infinite" : "attribute", token.start, token.end);
    }
    if (this.peek().kind === "(" && token.path === "") {
      if (this.at(1).kind === ")") {
        this.take();
        this.take();
      } else if (word === "e" && this.ask("call", token.start, token.end)) {
        throw new Refused("unknown_function", token.start, token.end); // or its exponent is lost
      }
    }
    return trees.leaf({ ...token, text }, Number(text));
  }

  /** Return whether brackets hold an index: one number or name, or several. */
  private isIndex(): boolean {
    const [first, after] = [this.at(1).kind, this.at(2).kind];
    return (first === "number" || first === "name") && (after === "]" || after === ",");
  }

  /** Refuse a call of a possible function; a letter before parentheses may be a factor. */
  private refuseCall(token: Lexeme, after: Lexeme): void {
    const { text: word, start, end } = token;
    const isFactor = this.isBound(word) || this.words.free.has(word);
    const isLetter = word.length === 1 || GREEK.has(word) || INDEXED.test(word);
    if (!isLetter && !this.isBound(word)) throw new Refused("unknown_function", start, end);
    const isOfOne = [")", ","].includes(this.at(2).kind) && word.length === 1;
    const isE = word === "e" && !this.isBound("e"); // whose exponent may be lost
    if (!isE && (isFactor || !(CALLED_LETTERS.includes(word) || isOfOne))) return;
    if (this.names !== null) throw new Refused("no_value", start, end);
    if (this.ask("call", start, after.end)) throw new Refused("unknown_function", start, end);
  }

  /** Read a command of LaTeX with what is above the line and below it. */
  private fraction(token: Lexeme): Node {
    const [above, below] = [this.primary(), this.primary()];
    if (this.isDerivative(above, letters(below))) {
      throw new Refused("derivative", token.start, this.peek().start);
    }
    const span = { start: token.start, end: below.end };
    return formula("x / y", [trees.bare(above), trees.bare(below)], span, "function");
  }

  /** Read `.tanh()` behind an operand, which is its first argument. */
  private methods(node: Node): Node {
    while (this.peek().kind === ".") {
      const [dot, name, opening] = [this.take(), this.take(), this.peek()];
      const key = ["name", "function"].includes(name.kind) ? keyOf(name.text) : null;
      if (opening.kind !== "(" || key === null || !KNOWN.has(key) || dot.gap) {
        throw new Refused("attribute", dot.start, name.end);
      }
      this.take();
      const isEmpty = this.peek().kind === ")";
      const values = isEmpty ? [] : this.group(opening, key)[0];
      if (isEmpty) this.take();
      if ((key === "max" || key === "min") && isEmpty) {
        throw new Refused("vector", name.start, name.end);
      }
      node = this.call(key, [node, ...values], [], { ...name, place: -1 });
    }
    return node;
  }

  /** Read arguments up to the closing parenthesis; return them, and the marks around them. */
  private group(opening: Lexeme, key = ""): Group {
    const outer = this.inBars;
    this.inBars = false;
    if (this.peek().kind === PAIRS[opening.kind]) {
      throw new Refused(key === "" ? "ended" : "arity", opening.start, this.peek().end);
    }
    const values: Node[] = [];
    const marks = [opening];
    for (let mark = opening; mark === opening || mark.kind === ","; marks.push(mark)) {
      this.keyword(key, values.length);
      if (this.cures !== null && this.peek().kind === "[" && key !== "") {
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
    const { kind, start, end } = marks.at(-1)!;
    if (kind !== PAIRS[opening.kind]) {
      throw new Refused(UNCLOSED.get(kind) ?? "unexpected", start, end);
    }
    return [values, marks];
  }

  /** Skip `max=` before the argument that has its place. */
  private keyword(key: string, count: number): void {
    const token = this.peek();
    if (this.at(1).kind !== "=" || !["name", "function"].includes(token.kind)) return;
    const names = (TABLES.keywords[key] ?? "").split(" ");
    if (token.text !== "inplace" && names[count] !== token.text) {
      throw new Refused("equation", token.start, this.at(1).end);
    }
    this.take();
    this.take();
  }

  /** Read a call, with an exponent at its name (`sin^2 x`), with and without parentheses. */
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
      if (SPELLED.has(key)) throw new Refused("words", token.start, after.end);
      made = this.bare(key, token);
    } else {
      return trees.leaf({ ...token, kind: "name" });
    }
    return above === null ? made : trees.raised(made, lexemeOf("power", " ** "), above);
  }

  /** Read `^2` between a name and its argument. */
  private powerOfName(token: Lexeme): Node {
    const sign = this.take();
    if (this.peek().kind === "-") {
      throw new Refused("two_readings", token.start, this.at(1).end); // an inverse, or 1 over it
    }
    const node = this.primary();
    const isOperand = this.begins(this.peek()) || this.peek().kind === "[";
    if (node.kind !== "number" || !/^[0-9]+$/.test(node.text) || !isOperand) {
      throw new Refused("two_readings", token.start, sign.end);
    }
    return node;
  }

  /** Read a root of LaTeX with its order in brackets. */
  private root(token: Lexeme): Node {
    const [[order]] = this.group(this.take()) as [[Node], Lexeme[]];
    const inner = this.primary();
    if (order.number === CUBIC) return this.call("cbrt", [inner], [], token);
    const exponent = formula("1 / x", [order], order, "power");
    return this.power(inner, lexemeOf("power", " ** ", token.start, token.end), exponent);
  }

  /** Read an argument without parentheses: numbers and one factor; what follows is asked. */
  private bare(key: string, token: Lexeme): Node {
    const [first, isRoot] = [this.peek(), key === "sqrt" || key === "cbrt"];
    const minus = first.kind === "-" ? this.take() : null;
    const isClosed = first.kind in PAIRS || first.kind === "|";
    let node = isClosed ? this.primary() : this.argument(token);
    const items: Item[] = [["*", first, node]];
    let isNumeric = node.number !== null;
    while (!isClosed && !(isRoot && this.isLatex)) {
      const [after, before] = [this.peek(), this.at(-1)];
      const isCall = ["number", "function"].includes(after.kind) || after.kind in ROOTS;
      const joins = this.begins(after) && !isCall;
      if (!(joins && isNumeric && !isRoot)) {
        if (!joins && (isRoot || !["*", "/"].includes(after.kind))) break;
        const isNext = this.at(joins ? 0 : 1).kind === "function";
        const ends = [")", "}", "|"].includes(before.kind) || isNext;
        const isInside = joins && !after.gap && !isRoot;
        if (ends || this.ask("argument", token.start, after.end) === isInside) break;
      }
      const touching = lexemeOf("product", before.end === after.start ? "*" : " * ");
      const sign = joins ? touching : this.take();
      const more = this.argument(token);
      isNumeric = isNumeric && more.number !== null;
      items.push([joins ? "*" : sign.kind, sign, more]);
    }
    if (items.length > 1) node = trees.series("*", items);
    if (minus !== null) node = trees.negative(minus, node);
    return this.call(key, [node], [], token);
  }

  /** Read a factor of the argument of a bare call; a power may be one of the call. */
  private argument(call: Lexeme): Node {
    const node = this.primary();
    const isRaised = this.peek().kind === "^";
    return isRaised && !this.ask("argument", call.start, this.peek().end)
      ? this.powers(node)
      : node;
  }

  /** Write a call with what the language has. */
  private call(key: string, values: Node[], marks: Lexeme[], name: Lexeme): Node {
    const start = Math.min(name.start, values[0]!.start);
    const span = { start, end: Math.max(this.at(-1).end, name.end) };
    const isMax = key === "max" || key === "min";
    const isArrays = !SCALAR_PATHS.includes(name.path);
    const ofArray = isMax && (name.text === "max" || name.text === "min") && isArrays;
    const isCure = this.cures !== null && calling(key, values.length) in this.cures;
    if ((WITHOUT.has(key) || ofArray) && !isCure) {
      throw new Refused(WITHOUT.get(key) ?? "vector", name.start, name.end);
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

  /** Write a function that the language does not have by one of its formulas. */
  private byFormula(key: string, values: readonly Node[], span: Span, name: Lexeme): Node {
    const first = values[0]!;
    const isOrder = ["root", "nthroot", "surd"].includes(key);
    if (isOrder && values[1]?.number === CUBIC) [key, values] = ["cbrt", [first]];
    const call = calling(key, values.length);
    let found = (this.cures !== null ? this.cures[call] : undefined) ?? FORMULAS.get(call);
    if (found === undefined) throw new Refused("arity", span.start, span.end);
    if ((key === "logaddexp" || key === "logsumexp") && first.number === 0) {
      [values, found] = [values.slice(1), "softplus(x)"];
    }
    const forms = found.split(" | ");
    const isKnown = forms.length === 1 || (key === "LOG" && this.text.startsWith("="));
    const choice = isKnown ? 0 : this.doubt.ask("function", span.start, span.end, forms.length);
    const form = forms[choice]!.trim();
    if (form === "") throw new Refused("two_readings", name.start, name.end);
    if (form === "x ** y") return this.power(first, lexemeOf("power", " ** "), values[1]!);
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

  /** Return the next token, and go on to the one behind it. */
  private take(): Lexeme {
    if (this.position % NODES_PER_CHECK === 0) this.deadline.check();
    const token = this.peek();
    this.position += Number(this.position < this.tokens.length - 1);
    return token;
  }
}

const TEMPLATES = new Map<string, Node>();

/** Return what a formula of the table, whose slots are x, y and z, makes of its arguments. */
function formula(text: string, values: readonly Node[], span: Span, reason: string): Node {
  let template = TEMPLATES.get(text);
  if (template === undefined) {
    template = new Reader(text, ["x", "y", "z"]).sum();
    TEMPLATES.set(text, template);
  }
  const slots: Slots = new Map(values.map((each, index) => ["xyz"[index]!, each]));
  return trees.filled(template, slots, span, reason);
}

function base(node: Node): Node {
  return node.kind === "**" || node.kind === "neg" ? base(node.parts[0]!) : node;
}

/** Return the letters of a product as one word: d*x is dx. */
function letters(node: Node): string {
  const factors = node.kind === "*" && !node.text.includes("/") ? node.parts : [node];
  const bases = factors.map(base).filter(({ kind }) => kind === "name");
  return bases.map(({ text }) => text).join("");
}
