/**
 * A text and values -> the state of a front end: the variables, the document, curves and fields, or
 * what is wrong, where, and which programs may be meant.
 */

import type { GradientDocument } from "../document.ts";
import { GradientError } from "../errors.ts";
import type { Span } from "../errors.ts";
import type { View } from "../request.ts";
import { grid } from "../sweeps/axes.ts";
import { prepare } from "../sweeps/program.ts";
import type { Columns, GridRequest, Program } from "../sweeps/program.ts";

/** The newest text and values; `problem`, `agrees` and `isStale` narrow the document. */
export type ProgramState = Common & (Answered | Refused);

/** The members of every state. */
interface Common {
  readonly expression: string;
  /** The values, with the option `missing` for those that were not given. */
  readonly values: Values;
  /** In the order of their first use; of an invalid text, those of the last valid one. */
  readonly variables: readonly string[];
  /** Programs that an invalid text may mean, the likeliest first. They arrive after the problem. */
  readonly suggestions: readonly string[];
  /** The browser, until the service has returned the same document. */
  readonly answeredBy: "browser" | "service";
  /**
   * Compute results and gradients along a variable, at these values of the others.
   *
   * Returns null if the program or a value is invalid, or if the range has too many points. The same
   * arguments give the same object until the text or another value changes.
   */
  readonly curve: (x: string, range: GridRequest) => Curve | null;
  /** Compute them over two variables, as `curve` does over one; `rangeY` is `range` by default. */
  readonly field: (x: string, y: string, range: GridRequest, rangeY?: GridRequest) => Field | null;
}

/** These values have a document. */
export interface Answered {
  readonly document: GradientDocument;
  readonly problem: null;
  readonly place: null;
  readonly isStale: false;
  /** Whether the service's document is bit-identical; null until that is known. */
  readonly agrees: boolean | null;
  /** Why the service returned no document: a Problem, or the error that `fetch` threw. */
  readonly failure: unknown;
}

/** These values have no document. */
export type Refused = {
  /** Why they have none. */
  readonly problem: GradientError;
  /** The invalid part of the text, as `slice` and `setSelectionRange` take it, or null. */
  readonly place: Span | null;
  readonly agrees: null;
  readonly failure: null;
} & (
  | {
      /** The last document, which belongs to earlier values. */
      readonly document: GradientDocument;
      readonly isStale: true;
    }
  | { readonly document: null; readonly isStale: false }
);

/** One entry per point, NaN where there is no result. */
export interface Curve extends Pick<Columns, "results" | "gradients"> {
  readonly x: Float64Array;
}

/** Row by row, one row per value of `y`: point `row * x.length + column`. */
export interface Field extends Curve {
  readonly y: Float64Array;
}

type Values = Readonly<Record<string, number>>;

export interface StateOptions {
  /** The variables to mark as parameters in the document. */
  readonly parameters?: readonly string[];
  readonly view?: View;
  /** The value of variables that have none; without it, they are an error. */
  readonly missing?: number;
}

/** The maximum number of characters of a text that is rewritten at each change. */
const LONGEST_REWRITTEN = 1_000;
/** The maximum number of curves and fields that are kept. */
const MAX_KEPT = 8;

/** A parsed text, or what is wrong with it, and its latest curves and fields. */
interface Text {
  readonly expression: string;
  readonly view: View;
  readonly parsed: Program | GradientError;
  readonly kept: Map<string, Field | null>;
}

/** Parse a text. */
export function readText(expression: string, view: View = "folded"): Text {
  const parsed = attempt(() => prepare(expression, { view }));
  return { expression, view, parsed, kept: new Map() };
}

/** Return the state of a text and values; without a document, it has that of the `last` state. */
export function stateOf(
  text: Text,
  given: Values,
  { parameters = [], missing }: StateOptions,
  last: ProgramState | null,
): ProgramState {
  const { expression, parsed } = text;
  const isProgram = !(parsed instanceof GradientError);
  const variables = isProgram ? parsed.variables : (last?.variables ?? []);
  const lacking = missing === undefined ? [] : variables;
  const values = { ...Object.fromEntries(lacking.map((name) => [name, missing!])), ...given };
  const common = {
    ...{ expression, values, variables, suggestions: [], answeredBy: "browser" as const },
    ...samplesOf(text, values),
    ...{ agrees: null, failure: null },
  };
  const found = isProgram ? attempt(() => parsed.introspect(values, { parameters })) : parsed;
  if (!(found instanceof GradientError)) {
    return { ...common, document: found, problem: null, place: null, isStale: false };
  }
  const refused = { ...common, problem: found, place: placeIn(expression, found.span) };
  const document = last?.document ?? null;
  return document === null
    ? { ...refused, document, isStale: false }
    : { ...refused, document, isStale: true };
}

function attempt<T>(compute: () => T): T | GradientError {
  try {
    return compute();
  } catch (error) {
    if (error instanceof GradientError) return error;
    throw error;
  }
}

/** Convert offsets in code points into those of JavaScript's texts. */
function placeIn(text: string, span: Span | null): Span | null {
  if (span === null) return null;
  const before = (offset: number): number => [...text].slice(0, offset).join("").length;
  return { start: before(span.start), end: before(span.end) };
}

// Curves and fields

function samplesOf({ parsed, kept }: Text, values: Values): Pick<Common, "curve" | "field"> {
  /** Return what was kept for these ranges and the other values; the oldest is dropped. */
  function sampled(ranges: Readonly<Record<string, GridRequest>>): Field | null {
    const key = JSON.stringify([Object.keys(ranges), { ...values, ...ranges }]);
    if (!kept.has(key)) {
      const found =
        parsed instanceof GradientError ? parsed : attempt(() => sample(parsed, values, ranges));
      kept.set(key, found instanceof GradientError ? null : found);
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
    }
    return kept.get(key)!;
  }

  return {
    curve: (x, range) => sampled({ [x]: range }),
    field: (x, y, range, rangeY = range) => (x === y ? null : sampled({ [x]: range, [y]: rangeY })),
  };
}

/** Compute at all points of one range or of two, of which the first changes fastest. */
function sample(
  program: Program,
  values: Values,
  ranges: Readonly<Record<string, GridRequest>>,
): Field {
  const { results, gradients } = program.columns({ ...values, ...ranges });
  const [x, y = new Float64Array(0)] = Object.values(ranges).map(pointsOf) as [Float64Array];
  const [first, second = ""] = Object.keys(ranges);
  if (second < first!) return { x, y, results, gradients };
  // In a sweep the names are sorted, and the last one changes fastest.
  const turned = (from: Float64Array): Float64Array =>
    from.map((_, point) => from[(point % x.length) * y.length + Math.floor(point / x.length)]!);
  const named = Object.entries(gradients).map(([name, column]) => [name, turned(column)] as const);
  return { x, y, results: turned(results), gradients: Object.fromEntries(named) };
}

function pointsOf({ from, to, count }: GridRequest): Float64Array {
  return Float64Array.from(grid(from, to, count));
}

// Programs that are meant

/** Return other texts that a text with an error may mean, the likeliest first. */
export async function suggestionsFor({
  expression,
  values,
  problem,
}: ProgramState): Promise<string[]> {
  if (problem === null || expression.length > LONGEST_REWRITTEN) return [];
  const names = problem.code === "missing_value" ? Object.keys(values) : null;
  // Most programs are valid, so the rules are loaded at the first error.
  const { rewrite } = await import("../language/rewrite.ts");
  const found = attempt(() => rewrite(expression, names));
  if (found instanceof GradientError) return [];
  const meant = [found.expression, ...found.readings, found.refused?.program ?? null];
  return meant.filter((text) => text !== null && text !== expression) as string[];
}
