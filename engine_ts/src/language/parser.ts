/**
 * Tokens -> graph, by explicit stacks: nesting is bounded by the limits, not by recursion.
 *
 * `operands` holds finished expressions; `pending` holds what still waits for one: binary operators
 * with a left side, prefix signs, open parentheses and calls. After `a * -(b` they are
 *
 *     operands   a  b
 *     pending    *  neg  (
 */

import { DuplicateName, NonFinite } from "../errors.ts";
import type { Span } from "../errors.ts";
import { Graph } from "../graph.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { FUNCTIONS, operationOf } from "../operations.ts";
import type { View } from "../request.ts";
import { cached } from "../numerics/builtins.ts";
import { EXPANSIONS } from "../tables.ts";
import * as syntax from "./syntax.ts";
import { tokenize } from "./tokens.ts";
import type { Token } from "./tokens.ts";

/** How tightly a pending operator binds; nothing binds across an open parenthesis. */
const [OPEN, SUM, PRODUCT, PREFIX] = [0, 1, 2, 3];

const BINARY = new Map([
  ["+", SUM],
  ["-", SUM],
  ["*", PRODUCT],
  ["/", PRODUCT],
]);

/** A finished expression. Parentheses widen the text it covers, not its node's span. */
interface Operand extends Span {
  readonly node: number;
}

/**
 * An operator, call or parenthesis that waits for its last operand. `base` counts the operands
 * below an open parenthesis.
 */
interface Pending {
  readonly symbol: string;
  readonly precedence: number;
  readonly token: Token;
  readonly base: number;
}

/** A statement `name = expression`. */
interface Binding {
  readonly name: string;
  readonly node: number;
  readonly span: Span;
}

/** The graph of a text. The root is the node of the last statement. */
export interface Parsed {
  readonly graph: Graph;
  readonly root: number;
  readonly bindings: readonly Binding[];
}

/** Build the graph as it is written, every operand before its operation. */
export function parse(tokens: readonly Token[], view: View, limits: Limits): Parsed {
  const parser = new Parser(tokens, view, limits);
  const root = parser.program();
  return { graph: parser.graph, root, bindings: parser.bindings };
}

/** A derived operation's expansion of x, y and primitives (schemas/operations.json). */
export const expansionOf = cached(
  (symbol: string) => parse(tokenize(EXPANSIONS[symbol]!), "folded", DEFAULT_LIMITS).graph,
);

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;
  readonly #view: View;
  readonly graph: Graph;
  readonly bindings: Binding[] = [];
  readonly #names = new Map<string, number>(); // bound names and variables alike
  readonly #operands: Operand[] = [];
  readonly #pending: Pending[] = [];

  constructor(tokens: readonly Token[], view: View, limits: Limits) {
    this.#tokens = tokens;
    this.#view = view;
    this.graph = new Graph(limits);
  }

  /** Read all statements; only the last may lack a name. */
  program(): number {
    this.#skipSeparators();
    for (;;) {
      const before = this.#tokens[this.#position - 1];
      const name = this.#peek();
      const bound = name.kind === "name" && this.#peek(1).kind === "=";
      this.#position += bound ? 2 : 0;
      const root = this.#expression();
      if (bound) this.#bind(name, root);
      this.#skipSeparators();
      if (this.#peek().kind === "end") return root;
      if (!bound) throw syntax.notTheLast(this.#peek(), name, before);
    }
  }

  /** Bind a name to a node; a variable keeps its own name as label. */
  #bind(name: Token, node: number): void {
    if (this.#names.has(name.text)) {
      const message = `\`${name.text}\` already has a meaning; bind another name`;
      throw new DuplicateName(message, syntax.spanOf(name), { name: name.text });
    }
    this.#names.set(name.text, node);
    this.bindings.push({ name: name.text, node, span: syntax.spanOf(name) });
    this.graph.labels[node] ??= name.text;
  }

  /** Read an operand, then operators and operands while an operator requires another. */
  #expression(): number {
    this.#readOperand();
    while (this.#readOperators()) this.#readOperand();
    this.#reduce(SUM);
    const open = this.#pending.at(-1);
    if (open !== undefined) throw syntax.unclosed(this.#peek(), open.token);
    return this.#operands.pop()!.node;
  }

  /** Read one leaf; signs, calls and parentheses before it become pending. */
  #readOperand(): void {
    for (;;) {
      const token = this.#take();
      if (token.kind === "number") return this.#pushConstant(token, token);
      if (token.kind === "name" && this.#peek().kind === "(") {
        this.#openCall(token);
      } else if (token.kind === "name") {
        return this.#pushVariable(token);
      } else if (token.kind === "(") {
        this.#pushPending("(", OPEN, token);
      } else if (token.kind === "-" && this.#negativeLiteralFollows()) {
        return this.#pushConstant(token, this.#take());
      } else if (token.kind === "-" || token.kind === "+") {
        this.#pushPending(token.kind === "-" ? "neg" : "+", PREFIX, token);
      } else {
        throw syntax.operandExpected(token, this.#tokens[this.#position - 2]);
      }
    }
  }

  /** Read what may follow an operand; return whether another operand must follow. */
  #readOperators(): boolean {
    for (;;) {
      const token = this.#peek();
      if (token.kind === "end" || token.kind === ";") return false;
      this.#position += 1;
      const precedence = BINARY.get(token.kind);
      if (token.kind === "**") {
        this.#raiseToExponent();
      } else if (token.kind === ")") {
        this.#close(token);
      } else if (precedence !== undefined) {
        this.#reduce(precedence);
        this.#pushPending(token.kind, precedence, token);
        return true;
      } else if (token.kind === "," && this.#inCall()) {
        return true;
      } else {
        throw syntax.operatorExpected(token, this.#tokens[this.#position - 2]!);
      }
    }
  }

  // Leaves

  /** Return whether a minus is part of a number; it is not if that is the base of a power. */
  #negativeLiteralFollows(): boolean {
    return this.#peek().kind === "number" && this.#peek(1).kind !== "**";
  }

  /** Add a number, with the sign token before it, if any. */
  #pushConstant(first: Token, number: Token): void {
    const span = { start: first.start, end: number.end };
    const size = Number(number.text);
    if (!Number.isFinite(size)) {
      const message = "the number is beyond the largest double, 1.7976931348623157e308";
      const nowhere = { node: null, operation: null, operands: [], slot: null };
      throw new NonFinite(message, span, { stage: "literal", ...nowhere });
    }
    const literal = first.kind === "-" ? -size : size;
    const node = this.graph.addConstant(literal, span);
    this.#operands.push({ node, start: span.start, end: span.end });
  }

  /** Push the node of this name; the first use of a variable creates it. */
  #pushVariable(name: Token): void {
    const span = syntax.spanOf(name);
    let node = this.#names.get(name.text);
    if (node === undefined) {
      node = this.graph.addVariable(name.text, span);
      this.#names.set(name.text, node);
    }
    this.#operands.push({ node, start: span.start, end: span.end });
  }

  // Operations

  /** Finish all pending operations that bind at least as tightly as `precedence`. */
  #reduce(precedence: number): void {
    for (let top = this.#pending.at(-1); top !== undefined; top = this.#pending.at(-1)) {
      if (top.precedence < precedence) return;
      this.#pending.pop();
      const right = this.#operands.pop()!;
      if (top.precedence !== PREFIX) {
        const left = this.#operands.pop()!;
        this.#pushOperation(top.symbol, [left.node, right.node], left.start, right.end);
      } else if (top.symbol === "neg") {
        this.#pushOperation("neg", [right.node], top.token.start, right.end);
      } else {
        this.#operands.push({ node: right.node, start: top.token.start, end: right.end });
      }
    }
  }

  /** Add an operation; in the primitive view, its expansion. */
  #pushOperation(symbol: string, nodes: readonly number[], start: number, end: number): void {
    const operation = operationOf(symbol);
    const span = { start, end };
    const node =
      this.#view === "primitive" && operation.derived
        ? this.graph.addExpansion(expansionOf(symbol), nodes, span)
        : this.graph.addOperation(operation, nodes, span);
    this.#operands.push({ node, start, end });
  }

  /** `**` binds tightest, so its base is the last operand; its exponent comes next. */
  #raiseToExponent(): void {
    const sign = ["-", "+"].includes(this.#peek().kind) ? this.#take() : this.#peek();
    const number = this.#take();
    if (number.kind !== "number") throw syntax.exponentExpected(number);
    if (this.#peek().kind === "**") throw syntax.exponentExpected(this.#peek());
    const base = this.#operands.pop()!;
    this.#pushConstant(sign, number);
    const exponent = this.#operands.pop()!;
    this.#pushOperation("**", [base.node, exponent.node], base.start, exponent.end);
  }

  /** Read the function's name and its parenthesis. */
  #openCall(name: Token): void {
    if (!FUNCTIONS.has(name.text)) throw syntax.unknownFunction(name);
    this.#position += 1;
    this.#pushPending(name.text, OPEN, name);
    if (this.#peek().kind === ")") throw syntax.wrongArity(name, this.#peek(), 0);
  }

  /** Finish the argument before a comma; false where no call is open. */
  #inCall(): boolean {
    this.#reduce(SUM);
    return FUNCTIONS.has(this.#pending.at(-1)?.symbol ?? "");
  }

  /** Finish a parenthesis or a call. */
  #close(token: Token): void {
    this.#reduce(SUM);
    const opened = this.#pending.pop();
    if (opened === undefined) throw syntax.unopened(token);
    const nodes = this.#operands.slice(opened.base).map(({ node }) => node);
    this.#operands.length = opened.base;
    if (opened.symbol === "(") {
      this.#operands.push({ node: nodes[0]!, start: opened.token.start, end: token.end });
    } else if (nodes.length === operationOf(opened.symbol).arity) {
      this.#pushOperation(opened.symbol, nodes, opened.token.start, token.end);
    } else {
      throw syntax.wrongArity(opened.token, token, nodes.length);
    }
  }

  #pushPending(symbol: string, precedence: number, token: Token): void {
    this.#pending.push({ symbol, precedence, token, base: this.#operands.length });
  }

  // Tokens

  /** Return a later token without taking it; beyond the last there is only the end. */
  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)]!;
  }

  /** Read a token. */
  #take(): Token {
    const token = this.#peek();
    this.#position += 1;
    return token;
  }

  /** Skip empty statements. */
  #skipSeparators(): void {
    while (this.#peek().kind === ";") this.#position += 1;
  }
}
