/** One class per error code; code, span and data are the contract, the message is for people. */

/** Offsets into the text in code points, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The data of an error, for programs; its members depend on the code. */
export type ErrorData = Readonly<Record<string, unknown>>;

/** A request that cannot be computed. `span` is where in the expression, `data` why. */
export abstract class GradientError extends Error {
  abstract readonly code: string;
  readonly span: Span | null;
  readonly data: ErrorData;

  /** Keep the message for people and the rest for programs. */
  constructor(message: string, span: Span | null = null, data: ErrorData = {}) {
    super(message);
    this.span = span;
    this.data = data;
  }

  /** The class's name, by the code, because minifiers rename classes: `InvalidRequest`. */
  override get name(): string {
    const code = this.code ?? "gradient_error"; // none yet while it is made
    return code.replace(/(?:^|_)./g, (letter) => letter.slice(-1).toUpperCase());
  }

  /** Return the error as `error.schema.json` describes it. */
  toJSON(): Record<string, unknown> {
    return { code: this.code, message: this.message, span: this.span, ...this.data };
  }
}

/** A member of the request has the wrong shape. Data: pointer. */
export class InvalidRequest extends GradientError {
  override readonly code = "invalid_request";
}

/** A value is not a finite number, or its name is not a name. Data: name, pointer. */
export class InvalidValue extends GradientError {
  override readonly code = "invalid_value";
}

/** The request is larger than a limit. Data: name, limit, actual. */
export class LimitExceeded extends GradientError {
  override readonly code = "limit_exceeded";
}

/** A character that starts no token. */
export class UnexpectedCharacter extends GradientError {
  override readonly code = "unexpected_character";
}

/** A token that is not allowed at its position. */
export class UnexpectedToken extends GradientError {
  override readonly code = "unexpected_token";
}

/** The program ends too early. */
export class UnexpectedEnd extends GradientError {
  override readonly code = "unexpected_end";
}

/** A call of something that is not a function. Data: name. */
export class UnknownFunction extends GradientError {
  override readonly code = "unknown_function";
}

/** A call with too few or too many arguments. Data: name, expected, actual. */
export class WrongArity extends GradientError {
  override readonly code = "wrong_arity";
}

/** An exponent that is not a number: power differentiates only its base. */
export class ExponentNotLiteral extends GradientError {
  override readonly code = "exponent_not_literal";
}

/** A name that is bound twice, or bound after its use as a variable. Data: name. */
export class DuplicateName extends GradientError {
  override readonly code = "duplicate_name";
}

/** A statement that the result does not depend on. Data: name. */
export class UnusedName extends GradientError {
  override readonly code = "unused_name";
}

/** Variables without a value. Data: name, the first; names, all of them. */
export class MissingValue extends GradientError {
  override readonly code = "missing_value";
}

/** An operation outside its domain. Data: node, operation, operands. */
export class DomainError extends GradientError {
  override readonly code = "domain_error";
}

/** A custom operation that would have to be recomputed. Data: node, name, operands. */
export class StaleCustom extends GradientError {
  override readonly code = "stale_custom";
}

/** The first infinity or NaN. Data: stage, node, operation, operands, slot. */
export class NonFinite extends GradientError {
  override readonly code = "non_finite";
}
