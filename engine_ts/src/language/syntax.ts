/** Token -> syntax error: what was found, what was expected, what to do. */

import {
  ExponentNotLiteral,
  UnexpectedEnd,
  UnexpectedToken,
  UnknownFunction,
  UnusedName,
  WrongArity,
} from "../errors.ts";
import type { GradientError, Span } from "../errors.ts";
import { FUNCTIONS } from "../operations.ts";
import type { Token } from "./tokens.ts";

const OPERATORS = ["+", "-", "*", "/", "**"];
const GO_ON = "to go on in a new line, end the line before with the operator or use parentheses";
const MISPLACED = new Map([
  ["=", "`=` binds one name at the start of a statement; there is no comparison"],
  [",", "a comma only separates the arguments of a function"],
]);
/** Characters of a token that a message repeats. */
const SHOWN = 40;

/** A number, a name or a parenthesis is missing. */
export function operandExpected(token: Token, before?: Token): GradientError {
  if (OPERATORS.includes(token.kind) && before?.text === "\n") return unexpected(token, GO_ON);
  if (token.kind === "end" && token.start === 0) {
    const message = "the text is empty; write an expression such as `(a + b) * c`";
    return new UnexpectedEnd(message, spanOf(token));
  }
  if (token.kind === "=") {
    return unexpected(token, "one `=` binds a name, as in `y = x + 1`; there is no comparison");
  }
  return unexpected(token, "a number, a name or `(` must come here");
}

/** Something follows an operand that cannot follow one; `after` comes behind it. */
export function operatorExpected(token: Token, before: Token, after: Token): GradientError {
  const misplaced = MISPLACED.get(token.kind);
  if (misplaced !== undefined) return unexpected(token, misplaced);
  if (FUNCTIONS.has(before.text)) {
    const one = FUNCTIONS.get(before.text)!.arity === 1 && ["name", "number"].includes(token.kind);
    const ends = ["end", ";", ")", ",", "+", "-"].includes(after.kind);
    const call = one && ends ? `${before.text}(${shown(token)})` : callOf(before.text);
    return unexpected(token, `write \`${call}\` to call the function`);
  }
  const meant = before.kind === "name" ? hintForFunction(before.text.toLowerCase()) : undefined;
  if (meant !== undefined) return unexpected(token, meant);
  if (before.kind === "number" && token.kind === "number") {
    return unexpected(token, "an operator is missing between the two numbers");
  }
  if (before.kind === "number" && token.text.startsWith("_") && token.start === before.end) {
    return unexpected(token, "write the digits of a number without `_` between them");
  }
  const hint = `put \`*\` between \`${shown(before)}\` and \`${shown(token)}\` to multiply`;
  return unexpected(token, hint);
}

/** The exponent, which has these texts and those behind it, is not a literal, or not there. */
export function exponentExpected(token: Token, texts: readonly string[] = []): GradientError {
  if (!["name", "number", "(", "-", "+", "**"].includes(token.kind)) {
    return unexpected(token, "a number must follow `**`");
  }
  let message =
    `the exponent of \`**\` must be one number, not ${found(token)}, because power ` +
    "differentiates only its base";
  if (token.kind === "name" || token.kind === "(") {
    message += `; ${hintForExponent(texts)}`;
  }
  return new ExponentNotLiteral(message, spanOf(token));
}

/** A call of something that is not a function. */
export function unknownFunction(name: Token): GradientError {
  const message = `\`${shown(name)}\` is not a function; ${hintForCall(name.text.toLowerCase())}`;
  return new UnknownFunction(message, spanOf(name), { name: name.text });
}

/** Too few or too many arguments; the error points at the whole call. */
export function wrongArity(name: Token, closing: Token, actual: number): GradientError {
  const expected = FUNCTIONS.get(name.text)!.arity;
  const noun = expected === 1 ? "argument" : "arguments";
  let instead = callOf(name.text);
  if (expected === 2 && actual > expected) instead = `${name.text}(${instead}, ...)`;
  if (name.text === "log" && actual > 1) instead = "log(...) / log(base)";
  return new WrongArity(
    `${name.text} takes ${expected} ${noun}, not ${actual}; write ${instead}`,
    { start: name.start, end: closing.end },
    { name: name.text, expected, actual },
  );
}

/** A statement ends inside a parenthesis. */
export function unclosed(token: Token, opened: Token): GradientError {
  const what = opened.kind === "name" ? "call" : "parenthesis";
  return unexpected(token, `close the ${what} that begins at offset ${opened.start} with \`)\``);
}

/** A closing parenthesis too many. */
export function unopened(token: Token): GradientError {
  return unexpected(token, "no parenthesis is open; take it away or open one before");
}

/** A statement follows an expression, whose first token is this, behind the one before it. */
export function notTheLast(token: Token, first?: Token, before?: Token): GradientError {
  if (first !== undefined && OPERATORS.includes(first.kind) && before?.text === "\n") {
    const begun = `\`${first.text}\` at offset ${first.start} began a new statement`;
    return unexpected(token, `${begun}; ${GO_ON}`);
  }
  if (OPERATORS.includes(token.kind)) return unexpected(token, GO_ON);
  return unexpected(token, "only the last statement may go without a name; write `name = ...`");
}

/** A statement that the result does not depend on, perhaps because a new line ended it. */
export function unusedName(name: string, span: Span, tokens: readonly Token[]): GradientError {
  const unused = `the result does not depend on \`${name}\``;
  const end = tokens.findIndex(
    ({ kind, start }) => (kind === ";" || kind === "end") && start >= span.end,
  );
  const sign = tokens[end]!.text === "\n" ? tokens[end + 1]! : null;
  const message =
    sign !== null && OPERATORS.includes(sign.kind)
      ? `${unused}: \`${sign.text}\` at offset ${sign.start} begins a new statement; ${GO_ON}`
      : `${unused}; use it or take it away`;
  return new UnusedName(message, span, { name });
}

/** Where the token stands. */
export function spanOf(token: Token): Span {
  return { start: token.start, end: token.end };
}

/** How a call is written; the arguments are left open, so that none is taken for the answer. */
function callOf(name: string): string {
  return `${name}(${Array<string>(FUNCTIONS.get(name)!.arity).fill("...").join(", ")})`;
}

function unexpected(token: Token, hint: string): GradientError {
  const Unexpected = token.kind === "end" ? UnexpectedEnd : UnexpectedToken;
  const message = `${found(token)} at offset ${token.start} is unexpected; ${hint}`;
  return new Unexpected(message, spanOf(token));
}

function found(token: Token): string {
  return token.kind === "end" ? "the end of the text" : `\`${shown(token)}\``;
}

/** Repeat a token in a message, the beginning of a long one. */
function shown(token: Token): string {
  return token.text.length <= SHOWN ? token.text : `${token.text.slice(0, SHOWN)}...`;
}

// What beginners write, and what to write in its place

/** What is called, and what to write for it; a hint ends when its word becomes a function. */
const CALLS = new Map([
  ["cosh(x)", "(exp(x) + exp(-x)) / 2"],
  ["ln(x)", "log(x)"],
  ["log10(x)", "log(x) / log(10)"],
  ["log2(x)", "log(x) / log(2)"],
  ["logistic(x)", "sigmoid(x)"],
  ["maximum(x, y)", "max(x, y)"],
  ["minimum(x, y)", "min(x, y)"],
  ["pow(x, 2)", "x ** 2"],
  ["sgn(x)", "x / abs(x)"],
  ["sign(x)", "x / abs(x)"],
  ["sinh(x)", "(exp(x) - exp(-x)) / 2"],
  ["square(x)", "x ** 2"],
  ["tan(x)", "sin(x) / cos(x)"],
]);

/** Functions of other languages that one slip would make of one of this language. */
const ELSEWHERE = new Set(
  (
    "acos amax amin asin atanh cabs ccos celu cexp clog cosd cot csin csqrt ctanh elu exp2 expi fabs" +
    " fmax fmin gelu isqrt labs lg logb logn mae mid prelu relu6 rrelu rsqrt selu sinc sind sqr tand"
  ).split(" "),
);

const CONSTANTS = new Map([
  ["e", "write `exp(1)`, and `exp(x)` for `e ** x`"],
  ["pi", "write 3.141592653589793"],
]);

/** So many functions are named where none is like the word: all that there are. */
const NAMED = 20;

/** A number, or two with an operator between them: `( 1 / 2 )`. */
const SHORT =
  /^([-+] )?\( ((?:[-+] )?\d{0,4}\.?\d{0,4})(?: ([-+*/]) ((?:[-+] )?\d{0,4}\.?\d{0,4}))? \)/;
const NUMBERS = /^([-+] )?\(( ([-+*/]|[\d.]\S*))+ \)/;
/**
 * Characters of a double's shortest text that is the exact result: another decimal of so few, or a
 * fraction of such numbers that is none, would be farther from the double than its roundings.
 */
const LONGEST = 6;

/** Return what to write for a function of other languages; undefined for any other word. */
function hintForFunction(word: string): string | undefined {
  for (const [call, instead] of CALLS) {
    if (call.startsWith(`${word}(`)) return `write \`${instead}\` for \`${call}\``;
  }
  return ELSEWHERE.has(word) ? `the language has no function \`${word}\`` : undefined;
}

/** Return what to write for a call of something that is not a function. */
function hintForCall(word: string): string {
  if (FUNCTIONS.has(word)) return `did you mean \`${word}\`?`;
  const meant = hintForFunction(word);
  if (meant !== undefined) return meant;
  const functions = [...FUNCTIONS.keys()];
  const near = functions.find((each) => oneSlip(word, each));
  if (near !== undefined) return `did you mean \`${near}\`?`;
  const more = functions.length > NAMED ? ` and ${functions.length - NAMED} more` : "";
  const known = `${functions.slice(0, NAMED).join(", ")}${more}`;
  return `the functions are ${known}; put \`*\` before the parenthesis to multiply`;
}

/** True where one letter is wrong, missing or too many, or two neighbours changed places. */
function oneSlip(word: string, known: string): boolean {
  while (word !== "" && word[0] === known[0]) [word, known] = [word.slice(1), known.slice(1)];
  while (word !== "" && word.at(-1) === known.at(-1)) {
    [word, known] = [word.slice(0, -1), known.slice(0, -1)];
  }
  const swapped = word.length === 2 && known.length === 2 && word === known[1]! + known[0]!;
  return swapped || (word.length <= 1 && known.length <= 1);
}

/**
 * Return what to write for `x ** (...)` or `x ** y`.
 *
 * @param texts of the tokens, from the sign or the first token of the exponent on
 */
function hintForExponent(texts: readonly string[]): string {
  const text = texts.join(" ");
  if (!NUMBERS.test(text)) return "where x > 0, write `exp(y * log(x))` for `x ** y`";
  const found = SHORT.exec(text);
  const number = found && shortest(found);
  return number ? `write \`x ** ${number}\`` : "write a number, as in `x ** 0.5`";
}

/** Write the result; null where its text is long. */
function shortest([, sign, left, operator, right]: readonly string[]): string | null {
  const [a, b] = [numberOf(left), numberOf(right)];
  const results: Record<string, number> = { "+": a + b, "-": a - b, "*": a * b, "/": a / b };
  const result = results[operator!] ?? a;
  const text = String(sign === "- " ? -result : result);
  return text.length <= LONGEST && !/[eIN]/.test(text) ? text : null;
}

function numberOf(text = "1"): number {
  return Number(text.replace(" ", ""));
}

/** Return what to do about variables without values. */
export function hintForMissingValues(names: readonly string[]): string {
  const hints = names.flatMap((name) => {
    const hint = hintForName(name);
    return hint === undefined ? [] : [names.length === 1 ? hint : `for \`${name}\` ${hint}`];
  });
  if (names.length === 1) return ["add it to values", ...hints].join(", or ");
  return ["add them to values", ...hints].join("; ");
}

function hintForName(name: string): string | undefined {
  if (FUNCTIONS.has(name)) return "put ( and ) around what follows it to call it";
  return CONSTANTS.get(name.toLowerCase());
}
