/**
 * Text as people write it -> the program that it means, if that is only one (CONTRACT.md R42).
 *
 * A text is read with the most likely choice for every doubt, then with each other choice for each
 * kind of doubt. The readings are compared by their values: a text with several meanings is
 * refused.
 */

import { NEVER } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import { GradientError } from "../errors.ts";
import type { Span } from "../errors.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { Limits } from "../limits.ts";
import { checkExpression, checkParameters } from "../request.ts";
import * as cures from "./cures.ts";
import { parse } from "./parser.ts";
import type { Parsed } from "./parser.ts";
import { Reader } from "./reader.ts";
import { Refused, asDouble } from "./spelling.ts";
import type { Rows } from "./spelling.ts";
import { tokenize } from "./tokens.ts";
import * as trees from "./trees.ts";
import type { Change } from "./trees.ts";
import { CONSTANTS, Doubt, gluedPieces } from "./words.ts";

/** The maximum number of readings that are returned, and of times that a text is read. */
const [MAX_READINGS, MAX_RUNS] = [3, 10] as const;

/** A reading refused for one of these reasons does not count as one. */
const OF_GRAMMAR = ["arity", "comma", "unclosed", "unopened", "unexpected", "ended", "no_value"];

/** Next to one of these functions, `pi` is never a variable. */
const OF_CIRCLE = ["sin", "cos"];

/** The program, or why there is none; `readings` are the programs that it may be. */
export interface Rewritten {
  readonly expression: string | null;
  readonly changes: readonly Change[];
  readonly needs: readonly string[];
  /** Why there is no program, and where; `program` may be the one that was meant. */
  readonly refused: {
    readonly reason: string;
    readonly span: Span;
    readonly program: string | null;
  } | null;
  readonly readings: readonly string[];
}

/** One reading: its program and its graph. */
interface Read extends Pick<Rewritten, "changes" | "needs"> {
  readonly parsed: Parsed;
  readonly expression: string;
}

/** The arguments of `rewrite`. */
interface Asked {
  readonly text: string;
  readonly names: readonly string[] | null;
  readonly limits: Limits;
  readonly deadline: Deadline;
}

/** The outcome of all readings: the programs, the refusals, and the first doubt. */
interface Found {
  readonly readings: readonly Read[];
  readonly refused: readonly (readonly [run: number, error: Refused])[];
  readonly doubted: Refused | null;
}

/**
 * Return the program that a text means, and the changes; a program is returned as it is.
 *
 * @param text what was written, such as `2x^2`
 * @param names the names that have values; null if unknown
 * @param limits how large the text and the program may be
 * @param deadline bounds the time
 * @throws GradientError the text is not a string or too long, or the names are invalid or too many
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
  const asked = { text, names, limits, deadline };
  const [found, error] = meaning(asked);
  if (error === null) {
    const { expression, changes, needs } = found[0]!;
    return { expression, changes, needs, refused: null, readings: [] };
  }
  const { reason, span } = error;
  const isDoubt = reason === "two_readings";
  const programs = isDoubt ? [...new Set(found.map(({ expression }) => expression))] : [];
  const readings = programs.slice(0, MAX_READINGS);
  const refused = { reason, span, program: isDoubt ? null : cure(asked, error) };
  return { expression: null, changes: [], needs: [], refused, readings };
}

/** Return the one reading, or all readings and why the text is refused. */
function meaning(asked: Asked): [readings: readonly Read[], error: Refused | null] {
  const { text, names, limits } = asked;
  const parsed = parsedOf(text, limits);
  const variables = [...(parsed?.graph.variables.keys() ?? [])];
  const isOwn = variables.every((name) => names?.includes(name) ?? true);
  const own = parsed !== null && isOwn ? [asItIs(asked, parsed)] : [];
  const isGlued = names === null && variables.some((name) => gluedPieces(name, false).length > 0);
  if (own.length > 0 && !isGlued) return [own, null];
  const { readings, refused, doubted } = readEveryWay(asked);
  const others = readings.filter(({ expression }) => expression !== own[0]?.expression);
  const distinct = [...own, ...others];
  const meant = refused.filter(([, { reason }]) => !OF_GRAMMAR.includes(reason));
  if (distinct.length === 1 && meant.length === 0) return [distinct, null];
  if (distinct.length > 0 && doubted !== null && meant[0]?.[0] !== 0) return [distinct, doubted];
  const error = (meant[0] ?? refused[0])?.[1] ?? doubted; // the most likely reading has no program
  return [distinct, error ?? new Refused("no_program", { start: 0, end: [...text].length })];
}

/** Read with each choice of each doubt. */
function readEveryWay(asked: Asked): Found {
  const waiting = [new Map<string, number>()];
  const seen = new Set([""]);
  const readings: Read[] = [];
  const refused: (readonly [number, Refused])[] = [];
  let doubted: Refused | null = null;
  for (let run = 0; run < Math.min(MAX_RUNS, waiting.length); run++) {
    if (readings.length === MAX_READINGS) break;
    const doubt = new Doubt(waiting[run]);
    try {
      const made = readOnce(asked, doubt);
      if (!readings.some(({ parsed }) => trees.agree(made.parsed, parsed))) readings.push(made);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.push([run, error]);
    }
    for (const [kind, [count, span]] of doubt.asked) {
      doubted ??= new Refused("two_readings", span);
      if (doubt.fixed.has(kind)) continue;
      for (let choice = 1; choice < count; choice++) {
        const fixed = new Map([...doubt.fixed, [kind, choice]]);
        const mark = Array.from(fixed, (pair) => pair.join(" "))
          .toSorted()
          .join();
        if (!seen.has(mark)) waiting.push(fixed);
        seen.add(mark);
      }
    }
  }
  // a reading that was not tried may differ
  if (waiting.length > MAX_RUNS && doubted !== null) refused.push([MAX_RUNS, doubted]);
  return { readings, refused, doubted };
}

/**
 * Read a text with one choice for each doubt, and write its program.
 *
 * @throws Refused with these choices there is no program
 */
function readOnce(asked: Asked, doubt: Doubt, instead: Rows | null = null): Read {
  const { text, names, limits, deadline } = asked;
  const reader = new Reader(text, names, doubt, deadline, instead);
  const { plain, tokens, defined } = reader;
  const written = trees.written(reader.program(), limits.characters, deadline);
  const [expression, changes] = trees.aligned([...text], plain, tokens, written);
  const parsed = parsedOf(expression, limits);
  if (parsed === null) throw new Refused("no_program", { start: 0, end: plain.length });
  const variables = [...parsed.graph.variables.keys()];
  const [least] = names === null ? [] : variables.filter((n) => !names.includes(n)).toSorted();
  if (least !== undefined) {
    throw new Refused("no_value", tokens.find(({ text }) => text === least) ?? tokens.at(-1)!);
  }
  if (defined !== "") {
    const call = { ...asked, text: defined.replace(/^\0+|[&:= \t\n\r]+$/g, ""), names: null };
    if (!trees.agree(parsed, readOnce(call, new Doubt()).parsed)) {
      throw new Refused("equation", { start: 0, end: defined.length });
    }
  }
  const needed = trees.written(reader.needs, limits.characters, deadline);
  const needs = needed.map((each) => each.text).join("");
  return { parsed, expression, changes, needs: [...new Set(needs.split("\n").slice(0, -1))] };
}

/** Parse a program; return null if the text is not one. */
function parsedOf(text: string, limits: Limits): Parsed | null {
  try {
    return parse(tokenize(text), "folded", limits);
  } catch (error) {
    if (error instanceof GradientError) return null;
    throw error;
  }
}

/** Write a program's numbers as they are computed; next to sin or cos, pi is a number. */
function asItIs({ text, names }: Asked, parsed: Parsed): Read {
  const { operations, variables } = parsed.graph;
  let pi = names === null ? ["pi", "PI"].filter((name) => variables.has(name)) : [];
  if (pi.length > 0 && !operations.some((each) => OF_CIRCLE.includes(each?.symbol ?? ""))) pi = [];
  const [characters, changes] = [[...text], [] as Change[]];
  let [expression, at] = ["", 0];
  for (const { kind, text: piece, start, end } of tokenize(text)) {
    const held = kind === "number" ? asDouble(piece) : piece;
    const replacement = pi.includes(piece) ? CONSTANTS.get(piece)! : held;
    if (replacement === piece) continue;
    changes.push({ span: { start, end }, replacement, reason: kind });
    expression += characters.slice(at, start).join("") + replacement;
    at = end;
  }
  expression += characters.slice(at).join("");
  return { parsed, expression, changes, needs: [] };
}

/** Return the program that a refused text may mean. */
function cure(asked: Asked, { reason }: Refused): string | null {
  const program = (text: string): Parsed =>
    readOnce({ ...asked, text, names: null }, new Doubt()).parsed;
  for (const [changed, instead] of cures.textsOf(asked.text, reason, program)) {
    if ([...changed].length > asked.limits.characters) continue;
    const each = { ...asked, text: changed.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, "") };
    try {
      const [found, error] =
        instead === null ? meaning(each) : [[readOnce(each, new Doubt(), instead)], null];
      if (error === null) return found[0]!.expression;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  return null;
}
