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
const GO_ON = "to continue on a new line, end the line before with the operator or use parentheses";
const MISPLACED = new Map([
  ["=", "`=` binds one name at the start of a statement; there is no comparison"],
  [",", "a comma only separates the arguments of a function"],
]);
/** The maximum number of characters of a token that a message quotes. */
const SHOWN = 40;
/** Length of the shortest function name that is recognized with one letter missing. */
const LONG = 6;

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

/** Something follows an operand that cannot follow one. */
export function operatorExpected(token: Token, before: Token): GradientError {
  const misplaced = MISPLACED.get(token.kind);
  if (misplaced !== undefined) return unexpected(token, misplaced);
  if (FUNCTIONS.has(before.text)) {
    return unexpected(token, `write \`${callOf(before.text)}\` to call the function`);
  }
  const hint = `an operator is missing between \`${shown(before)}\` and \`${shown(token)}\``;
  return unexpected(token, hint);
}

/** The exponent is missing or not a literal. */
export function exponentExpected(token: Token): GradientError {
  if (!["name", "number", "(", "-", "+", "**"].includes(token.kind)) {
    return unexpected(token, "a number must follow `**`");
  }
  const message =
    `the exponent of \`**\` must be one number, not ${found(token)}, because power ` +
    "differentiates only its base";
  return new ExponentNotLiteral(message, spanOf(token));
}

/** A call of something that is not a function. */
export function unknownFunction(name: Token): GradientError {
  const functions = [...FUNCTIONS.keys()];
  const meant = functions.find((each) => isSlip(name.text, each));
  const cure =
    meant === undefined
      ? `the functions are ${functions.join(", ")}`
      : `did you mean \`${meant}\`?`;
  const message = `\`${shown(name)}\` is not a function; ${cure}`;
  return new UnknownFunction(message, spanOf(name), { name: name.text });
}

/**
 * Return whether two letters are swapped, one is doubled, or one of a long name is missing.
 *
 * Any other name may be a function of another library, such as `acos` or `gelu`.
 */
function isSlip(written: string, name: string): boolean {
  return [...name].some((letter, at) => {
    const [before, after] = [name.slice(0, at), name.slice(at + 1)];
    const swapped = before + after.slice(0, 1) + letter + after.slice(1);
    const isShorter = name.length >= LONG && written === before + after;
    return isShorter || written === swapped || written === before + letter + letter + after;
  });
}

/** Too few or too many arguments; the error points at the whole call. */
export function wrongArity(name: Token, closing: Token, actual: number): GradientError {
  const expected = FUNCTIONS.get(name.text)!.arity;
  const noun = expected === 1 ? "argument" : "arguments";
  return new WrongArity(
    `\`${name.text}\` takes ${expected} ${noun}, not ${actual}`,
    { start: name.start, end: closing.end },
    { name: name.text, expected, actual },
  );
}

/** A statement ends inside a parenthesis. */
export function unclosed(token: Token, opened: Token): GradientError {
  const construct = opened.kind === "name" ? "call" : "parenthesis";
  return unexpected(
    token,
    `close the ${construct} that begins at offset ${opened.start} with \`)\``,
  );
}

/** A closing parenthesis without an open one. */
export function unopened(token: Token): GradientError {
  return unexpected(token, "no parenthesis is open; remove it or open one before it");
}

/** `token` begins a statement after an expression, which only the last statement may be. */
export function notTheLast(token: Token, first: Token, before?: Token): GradientError {
  if (OPERATORS.includes(first.kind) && before?.text === "\n") {
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
      : `${unused}; use it or remove it`;
  return new UnusedName(message, span, { name });
}

/** Position of the token. */
export function spanOf(token: Token): Span {
  return { start: token.start, end: token.end };
}

/** Show how to call a function, with placeholders that are not mistaken for the answer. */
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

/** Quote a token in a message, a long one truncated. */
function shown(token: Token): string {
  return token.text.length <= SHOWN ? token.text : `${token.text.slice(0, SHOWN)}...`;
}
