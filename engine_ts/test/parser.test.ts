import assert from "node:assert/strict";
import { test } from "node:test";
import type { Limits } from "../src/limits.ts";
import { FUNCTIONS, OPERATIONS } from "../src/operations.ts";
import type { Program } from "../src/parser.ts";
import type { View } from "../src/request.ts";
import type { Computed, Operation } from "../src/rows.ts";
import { assertRefusal, programOf, refusal, shapeOf, shapesOf } from "./helpers.ts";
import type { Json } from "./helpers.ts";

const PLENTY = { characters: 1e7, nodes: 1e7 };

const SHAPES = {
  a: "a",
  "2.5": "2.5",
  "a + b + c": "(+ (+ a b) c)",
  "a - b - c": "(- (- a b) c)",
  "a - b + c": "(+ (- a b) c)",
  "a * b * c": "(* (* a b) c)",
  "a / b / c": "(/ (/ a b) c)",
  "a / b * c": "(* (/ a b) c)",
  "a + b * c": "(+ a (* b c))",
  "a * b + c": "(+ (* a b) c)",
  "a - b / c - d": "(- (- a (/ b c)) d)",
  "(a + b) * c": "(* (+ a b) c)",
  "a * (b + c)": "(* a (+ b c))",
  "a - (b - c)": "(- a (- b c))",
  "((a))": "a",
  "a ** 2": "(** a 2)",
  "a ** -2": "(** a -2)",
  "a ** - 2": "(** a -2)",
  "a ** +2": "(** a 2)",
  "a * b ** 2": "(* a (** b 2))",
  "a ** 2 * b": "(* (** a 2) b)",
  "2 ** 3": "(** 2 3)",
  "(a + b) ** 2": "(** (+ a b) 2)",
  "(a ** 2) ** 3": "(** (** a 2) 3)",
  "relu(a) ** 2": "(** (relu a) 2)",
  "a ** 2 + b": "(+ (** a 2) b)",
};

const SIGNS = {
  "-a": "(neg a)",
  "--a": "(neg (neg a))",
  "-a * b": "(* (neg a) b)",
  "a * -b": "(* a (neg b))",
  "a - -b": "(- a (neg b))",
  "-a + b": "(+ (neg a) b)",
  "-(a + b)": "(neg (+ a b))",
  "-a ** 2": "(neg (** a 2))",
  "(-a) ** 2": "(** (neg a) 2)",
  "a * -b ** 2": "(* a (neg (** b 2)))",
  "-relu(a) ** 2": "(neg (** (relu a) 2))",
  "+a": "a",
  "a + +b": "(+ a b)",
  "-+-a": "(neg (neg a))",
  "+a ** 2": "(** a 2)",
};

const NEGATIVE_LITERALS = {
  "-3": "-3",
  "- 3": "-3",
  "a * -3": "(* a -3)",
  "-3 * a": "(* -3 a)",
  "a -2": "(- a 2)",
  "2 -3": "(- 2 3)",
  "a - -2": "(- a -2)",
  "--3": "(neg -3)",
  "+-3": "-3",
  "-+3": "(neg 3)",
  "-(3)": "(neg 3)",
  "(-3) ** 2": "(** -3 2)",
  "-3 ** 2": "(neg (** 3 2))",
  "a * -3 ** 2": "(* a (neg (** 3 2)))",
  "-3 + 2 ** 2": "(+ -3 (** 2 2))",
};

const CALLS = {
  "relu(a)": "(relu a)",
  "exp (a)": "(exp a)",
  "log((a))": "(log a)",
  "tanh(a + b)": "(tanh (+ a b))",
  "relu(exp(-a))": "(relu (exp (neg a)))",
  "2 * exp(a) + b": "(+ (* 2 (exp a)) b)",
  exp: "exp",
  "exp + exp(exp)": "(+ exp (exp exp))",
};

const PROGRAMS = {
  "b = a + 1; b * b": "(* (+ a 1) (+ a 1))",
  "b = a + 1\nb * b": "(* (+ a 1) (+ a 1))",
  "b = a; c = b; c * a": "(* a a)",
  "d = a": "a",
  ";;\n; a ;;\n": "a",
  "b = a +\n1;;\n\nb": "(+ a 1)",
  "b =\n(a\n+ 1\n)\nb": "(+ a 1)",
  "exp = a; exp(exp)": "(exp a)",
};

const FAULTS: Record<string, [code: string, start: number, end: number]> = {
  "": ["unexpected_end", 0, 0],
  " ;\n ": ["unexpected_end", 4, 4],
  "a +": ["unexpected_end", 3, 3],
  "a + ": ["unexpected_end", 4, 4],
  "b = ": ["unexpected_end", 4, 4],
  "(a": ["unexpected_end", 2, 2],
  "relu(a": ["unexpected_end", 6, 6],
  "a **": ["unexpected_end", 4, 4],
  "a ** -": ["unexpected_end", 6, 6],
  "-": ["unexpected_end", 1, 1],
  "a)": ["unexpected_token", 1, 2],
  "()": ["unexpected_token", 1, 2],
  "(a; b)": ["unexpected_token", 2, 3],
  "a b": ["unexpected_token", 2, 3],
  "2x": ["unexpected_token", 1, 2],
  "2 -3 4": ["unexpected_token", 5, 6],
  "a(b)": ["unknown_function", 0, 1],
  "2(b)": ["unexpected_token", 1, 2],
  "(a)(b)": ["unexpected_token", 3, 4],
  "* a": ["unexpected_token", 0, 1],
  "a + * b": ["unexpected_token", 4, 5],
  "a ** * b": ["unexpected_token", 5, 6],
  "a ** )": ["unexpected_token", 5, 6],
  "a == b": ["unexpected_token", 3, 4],
  "= a": ["unexpected_token", 0, 1],
  "2 = a": ["unexpected_token", 2, 3],
  "(a = 2)": ["unexpected_token", 3, 4],
  "a, b": ["unexpected_token", 1, 2],
  "(a, b)": ["unexpected_token", 2, 3],
  "relu((a, b))": ["unexpected_token", 7, 8],
  "relu(, a)": ["unexpected_token", 5, 6],
  "relu(a,)": ["unexpected_token", 7, 8],
  "relu a": ["unexpected_token", 5, 6],
  "b = c = a": ["unexpected_token", 6, 7],
  "a; b": ["unexpected_token", 3, 4],
  "a\nb": ["unexpected_token", 2, 3],
  "a; b = 2": ["unexpected_token", 3, 4],
  "a ** b": ["exponent_not_literal", 5, 6],
  "a ** (2)": ["exponent_not_literal", 5, 6],
  "a ** relu(b)": ["exponent_not_literal", 5, 9],
  "a ** -b": ["exponent_not_literal", 6, 7],
  "a ** --2": ["exponent_not_literal", 6, 7],
  "a**2**3": ["exponent_not_literal", 4, 6],
  "a ** ** 3": ["exponent_not_literal", 5, 7],
  "a****3": ["exponent_not_literal", 3, 5],
  "a ** 1e999 ** 2": ["exponent_not_literal", 11, 13],
  "b = 1; b = 2 +": ["unexpected_end", 14, 14],
};

/** Give the text of every node's span. */
function slices(text: string): string[] {
  return programOf(text).graph.spans.map((span) => text.slice(span!.start, span!.end));
}

function spansOf(program: Program): [start: number, end: number][] {
  return program.graph.spans.map((span) => [span!.start, span!.end]);
}

function size(program: Program): number {
  return program.graph.operations.length;
}

test("operators bind as in the contract", () => {
  assert.deepEqual(shapesOf(SHAPES), SHAPES);
});

test("prefix signs bind between product and power", () => {
  assert.deepEqual(shapesOf(SIGNS), SIGNS);
});

test("a minus before a number makes a negative literal", () => {
  assert.deepEqual(shapesOf(NEGATIVE_LITERALS), NEGATIVE_LITERALS);
});

test("a name before a parenthesis is a call", () => {
  assert.deepEqual(shapesOf(CALLS), CALLS);
});

test("statements name nodes", () => {
  assert.deepEqual(shapesOf(PROGRAMS), PROGRAMS);
});

test("a variable has one leaf and every number its own", () => {
  const { graph } = programOf("a * 2 + a * 2");
  assert.deepEqual(graph.labels, ["a", null, null, null, null, null]);
  assert.deepEqual(graph.operands, [[], [], [0, 1], [], [0, 3], [2, 4]]);
  assert.deepEqual(graph.literals, [0, 2, 0, 2, 0, 0]);
});

test("a bound name is the very node", () => {
  const { graph } = programOf("b = a + 1; b * b");
  assert.deepEqual(graph.operands, [[], [], [0, 1], [2, 2]]);
});

test("the first name of an operation or constant is its label", () => {
  const program = programOf("b = a + 1; c = b; k = 2; r = c * k");
  assert.deepEqual(program.graph.labels, ["a", null, "b", "k", "r"]);
  const bindings = program.bindings.map(({ name, node, span }) => [name, node, span.start]);
  assert.deepEqual(bindings, [
    ["b", 2, 0],
    ["c", 2, 11],
    ["k", 3, 18],
    ["r", 4, 25],
  ]);
  assert.ok(program.bindings.every(({ span }) => span.end === span.start + 1));
});

test("a variable keeps its own name", () => {
  const { graph } = programOf("b = a; b + 1");
  assert.deepEqual(graph.labels, ["a", null, null]);
  assert.deepEqual(Object.fromEntries(graph.variables), { a: 0 });
});

test("a name is bound once and never after its use", () => {
  function duplicate(start: number, name = "b"): Json {
    const span = { start, end: start + name.length };
    return { code: "duplicate_name", span, name };
  }

  assertRefusal(duplicate(7), () => programOf("b = 1; b = 2; b"));
  assertRefusal(duplicate(11), () => programOf("c = b + 1; b = 2; b + c"));
  assertRefusal(duplicate(0, "bb"), () => programOf("bb = bb + 1; bb"));
  assertRefusal(duplicate(7, "a"), () => programOf("b = a; a = 1; a + b"));
  assertRefusal(duplicate(7), () => programOf("b = a; b = a"));
});

test("a program without a meaning is refused where it goes wrong", () => {
  const found: typeof FAULTS = {};
  for (const text of Object.keys(FAULTS)) {
    const error = refusal(() => programOf(text));
    found[text] = [error.code, error.span.start, error.span.end];
  }
  assert.deepEqual(found, FAULTS);
});

test("the first fault from the left is reported", () => {
  for (const text of ["a b ** c foo(", "a) + 1e400", "a b; a = 2"]) {
    assert.equal(refusal(() => programOf(text)).code, "unexpected_token");
  }
  assert.equal(refusal(() => programOf("1e400 + foo(a)")).code, "non_finite");
  assert.equal(refusal(() => programOf("foo(a) + 1e400")).code, "unknown_function");
  assert.equal(refusal(() => programOf("b = 1; b = 2; c d")).code, "duplicate_name");
});

test("a call needs a function and its arguments", () => {
  const unknown = { code: "unknown_function", span: { start: 4, end: 7 }, name: "foo" };
  assertRefusal(unknown, () => programOf("a + foo(b)"));
  const calls = { "relu()": 0, "exp (a, b)": 2, "log(a, b + 1, exp(c))": 3 };
  for (const [call, actual] of Object.entries(calls)) {
    const expected = {
      code: "wrong_arity",
      span: { start: 4, end: 4 + call.length },
      name: call.split("(")[0]!.trim(),
      expected: 1,
      actual,
    };
    assertRefusal(expected, () => programOf(`2 * ${call} * 3`));
  }
});

test("a call takes as many arguments as its row says", (context) => {
  const rule = (x: number, y: number): Computed => [x > y ? x : y, 1, 1];
  const row = {
    symbol: "larger",
    name: "larger",
    form: "call",
    arity: 2,
    rule,
    write: () => {},
  } as const;
  const rest = { formulas: () => [1, 1], expansion: null, kink: null, turns: false };
  const larger = { ...row, ...rest, derived: false };
  for (const table of [FUNCTIONS, OPERATIONS] as Map<string, Operation>[]) {
    table.set("larger", larger);
    context.after(() => table.delete("larger"));
  }
  const shapes = {
    "larger(a, b)": "(larger a b)",
    "larger(a + 1, -b) * 2": "(* (larger (+ a 1) (neg b)) 2)",
    "larger(larger(a, 2), (b))": "(larger (larger a 2) b)",
    "exp(larger(a,\nb))": "(exp (larger a b))",
  };
  assert.deepEqual(shapesOf(shapes), shapes);
  assert.deepEqual(slices("1 + larger( a , b )").slice(3), [
    "larger( a , b )",
    "1 + larger( a , b )",
  ]);
  const calls = { "larger()": 0, "larger(a)": 1, "larger(a, b, c + 1)": 3 };
  for (const [call, actual] of Object.entries(calls)) {
    const span = { start: 4, end: 4 + call.length };
    const data = { name: "larger", expected: 2, actual };
    assertRefusal({ code: "wrong_arity", span, ...data }, () => programOf(`2 * ${call} * 3`));
    const message = `larger takes 2 arguments, not ${actual}; write larger(x, y)`;
    assert.throws(() => programOf(call), { message });
  }
  assert.equal(refusal(() => programOf("larger(a, (b, c))")).code, "unexpected_token");
  assert.deepEqual(refusal(() => programOf("larger(a,)")).span, { start: 9, end: 10 });
  assert.throws(() => programOf("larger a"), /write `larger\(x, y\)` to call the function/);
});

test("a number beyond the doubles is refused", () => {
  const texts = { "a + 1e400": [4, 9], "-1e400": [0, 6], "a ** - 1e999": [5, 12] };
  for (const [text, [start, end]] of Object.entries(texts)) {
    const expected = {
      code: "non_finite",
      span: { start, end },
      stage: "literal",
      node: null,
      operation: null,
      operands: [],
      slot: null,
    };
    assertRefusal(expected, () => programOf(text));
  }
  const largest = 1.7976931348623157e308;
  assert.deepEqual(programOf("1.7976931348623157e308").graph.literals, [largest]);
  assert.deepEqual(programOf("1e-400").graph.literals, [0]);
  assert.deepEqual(programOf("4.9e-324").graph.literals, [5e-324]);
});

test("a span covers operands with their parentheses but not its own", () => {
  assert.deepEqual(slices("(a + b) * c"), ["a", "b", "a + b", "c", "(a + b) * c"]);
  assert.deepEqual(slices("(( a )) + b "), ["a", "b", "(( a )) + b"]);
  assert.deepEqual(slices("( a - b )"), ["a", "b", "a - b"]);
  assert.deepEqual(slices("a * (b + c)"), ["a", "b", "c", "b + c", "a * (b + c)"]);
  assert.deepEqual(slices("relu( a ) ** 3"), ["a", "relu( a )", "3", "relu( a ) ** 3"]);
  assert.deepEqual(slices("a - b / c"), ["a", "b", "c", "b / c", "a - b / c"]);
});

test("a span begins at a prefix sign", () => {
  assert.deepEqual(slices("b * - 3"), ["b", "- 3", "b * - 3"]);
  assert.deepEqual(slices("a ** - 2"), ["a", "- 2", "a ** - 2"]);
  assert.deepEqual(slices("b - -(a)"), ["b", "a", "-(a)", "b - -(a)"]);
  assert.deepEqual(slices("-a ** 2"), ["a", "2", "a ** 2", "-a ** 2"]);
  assert.deepEqual(slices("+a * b"), ["a", "b", "+a * b"]);
  assert.deepEqual(slices("+a ** 2"), ["a", "2", "a ** 2"]);
});

test("the span of a leaf is its first use", () => {
  assert.equal(slices("b = a; b + a")[0], "a");
  assert.deepEqual(spansOf(programOf("1 + a * a"))[1], [4, 5]);
  assert.deepEqual(spansOf(programOf("b = a; b + a"))[0], [4, 5]);
});

test("the limit of nodes is met at the construct that needs one more", () => {
  function limited(text: string, nodes: number, view: View = "folded"): string {
    const { code, span, ...data } = refusal(() => programOf(text, view, { nodes }));
    assert.equal(code, "limit_exceeded");
    assert.deepEqual(data, { name: "nodes", limit: nodes, actual: nodes + 1 });
    return text.slice(span.start, span.end);
  }

  assert.equal(size(programOf("a + a * b", "folded", { nodes: 4 })), 4);
  assert.equal(limited("a + a * b", 3), "a + a * b");
  assert.equal(limited("a + a * b", 2), "a * b");
  assert.equal(limited("a + a * b", 1), "b");
  assert.equal(limited("a", 0), "a");
  assert.equal(limited("a ** -2", 1), "-2");
  assert.equal(limited("a ** -2", 2), "a ** -2");
  assert.equal(size(programOf("a - b", "primitive", { nodes: 5 })), 5);
  assert.equal(limited("(a - b) + c", 4, "primitive"), "a - b");
});

test("the primitive view builds minus and division from other operations", () => {
  const shapes = {
    "a - b": "(+ a (* b -1))",
    "a / b": "(* a (** b -1))",
    "-a": "(* a -1)",
    "-3": "-3",
    "-3 ** 2": "(* (** 3 2) -1)",
    "a - b / -c": "(+ a (* (* b (** (* c -1) -1)) -1))",
  };
  assert.deepEqual(shapesOf(shapes, "primitive"), shapes);
  assert.equal(shapeOf("a - b", "folded"), "(- a b)");
  assert.deepEqual(spansOf(programOf("(a - b)", "primitive")), [
    [1, 2],
    [5, 6],
    [1, 6],
    [1, 6],
    [1, 6],
  ]);
});

test("the primitive view shares what the text shares", () => {
  const { graph } = programOf("a - a", "primitive");
  assert.deepEqual(graph.operands, [[], [], [0, 1], [0, 2]]);
});

test("depth and length are bounded by the limits alone", () => {
  function parsed(text: string, limits: Partial<Limits> = PLENTY): number {
    return size(programOf(text, "folded", limits));
  }

  assert.equal(parsed("(".repeat(70_000) + "a" + ")".repeat(70_000)), 1);
  assert.equal(parsed("a" + " + a".repeat(20_000)), 20_001);
  assert.equal(parsed("-".repeat(20_000) + "a"), 20_001);
  assert.equal(parsed("+-".repeat(20_000) + "3"), 20_000);
  assert.equal(parsed("relu(".repeat(20_000) + "a" + ")".repeat(20_000)), 20_001);
  assert.equal(parsed("(1 + ".repeat(20_000) + "a" + ")".repeat(20_000)), 40_001);
  const statements = Array.from({ length: 5_000 }, (_, i) => `; v${i + 1} = v${i} + a`);
  assert.equal(parsed("v0 = a + 1" + statements.join("")), 5_003);
  assert.equal(refusal(() => parsed("(".repeat(70_000) + "a")).code, "unexpected_end");
});

test("a deep program meets the limit of nodes", () => {
  const error = refusal(() => programOf("-".repeat(60_000) + "a"));
  assert.deepEqual([error.code, error.limit], ["limit_exceeded", 10_000]);
});
