/**
 * The problems of a service, a union by `code`; problem.schema.json says what each member means.
 *
 * `python -m parity_tests.packaging.problem_types` writes `MembersByCode`.
 */

import type { Span } from "../errors.ts";
import type { Rewritten } from "../language/rewrite.ts";
import type { Node } from "../template.ts";

/** The members that every problem has. */
interface ProblemMembers {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly span: Span | null;
  /** In a batch, the `id` of the request. */
  readonly id?: string | number;
  /** Everything that is wrong with the members of the request; the first is the problem itself. */
  readonly errors?: readonly {
    readonly code: ProblemCode;
    readonly message: string;
    readonly pointer: string;
    readonly name?: string;
  }[];
}

/** The other members of the problems with each code. */
interface MembersByCode {
  readonly invalid_request: { readonly pointer: string };
  readonly invalid_value: { readonly name: string; readonly pointer: string };
  readonly limit_exceeded: {
    readonly name: string;
    readonly limit: number;
    readonly actual: number | null;
  };
  readonly unexpected_character: { readonly rewrite?: Rewritten };
  readonly unexpected_token: { readonly rewrite?: Rewritten };
  readonly unexpected_end: { readonly rewrite?: Rewritten };
  readonly unknown_function: { readonly name: string; readonly rewrite?: Rewritten };
  readonly wrong_arity: {
    readonly name: string;
    readonly expected: number;
    readonly actual: number | null;
    readonly rewrite?: Rewritten;
  };
  readonly exponent_not_literal: { readonly rewrite?: Rewritten };
  readonly duplicate_name: { readonly name: string; readonly rewrite?: Rewritten };
  readonly unused_name: { readonly name: string; readonly rewrite?: Rewritten };
  readonly missing_value: {
    readonly name: string;
    readonly names: readonly string[];
    readonly rewrite?: Rewritten;
  };
  readonly domain_error: {
    readonly node: number | null;
    readonly operation: Node["operation"];
    readonly operands: readonly number[];
  };
  readonly non_finite: {
    readonly stage: "literal" | "data" | "local_grad" | "contribution" | "grad" | "tangent";
    readonly node: number | null;
    readonly operation: Node["operation"];
    readonly operands: readonly number[];
    readonly slot: number | null;
  };
  readonly invalid_json: {};
  readonly malformed_request: {};
  readonly not_found: {};
  readonly method_not_allowed: { readonly allowed: readonly string[] };
  readonly not_acceptable: { readonly allowed: readonly string[] };
  readonly payload_too_large: { readonly limit: number; readonly actual: number | null };
  readonly unsupported_media_type: {};
  readonly internal_error: {};
  readonly overloaded: { readonly limit: number; readonly actual: number | null };
  readonly compute_timeout: { readonly limit: number };
  readonly not_ready: {};
}

export type ProblemCode = keyof MembersByCode;

export type ProblemBody = {
  [Code in ProblemCode]: ProblemMembers & { readonly code: Code } & MembersByCode[Code];
}[ProblemCode];
