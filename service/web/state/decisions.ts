/** A program of two inputs -> what it gives over both, and the rows that it is to get right. */

import { computed } from "@preact/signals";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { forward } from "../../../engine_ts/src/forward.ts";
import { attempt } from "./attempt.ts";
import { clamp } from "./number.ts";
import { shown } from "./program.ts";
import type { Shown, Values } from "./program.ts";
import { rangeOf } from "./ranges.ts";
import type { Range } from "./ranges.ts";
import { rowsOf } from "./train.ts";

/** Points along each input; fewer of a large graph, as a map is computed at each step. */
const [MOST, LEAST, BUDGET] = [41, 9, 120_000];
/** What lies beyond the rows to each side, as a share of what they span. */
const BEYOND = 0.25;

export interface Dot {
  readonly x: number;
  readonly y: number;
  /** What comes out there, if anything does, and what is wanted, if that is known. */
  readonly gives: number | null;
  readonly wanted: number | null;
}

export interface Decisions {
  /** The output's name; null where it has none. */
  readonly output: string | null;
  readonly inputs: readonly [string, string];
  readonly ranges: readonly [Range, Range];
  readonly side: number;
  /** Row by row, from the second input's least value up; null where there is no result. */
  readonly cells: readonly (number | null)[];
  readonly dots: readonly Dot[];
  /** The largest size of a number that is shown or wanted. */
  readonly most: number;
}

/** The map of what is shown; null where no result depends on just two inputs. */
export const decisions = computed(() => decisionsOf(shown.value, rowsOf(shown.value.expression)));

function decisionsOf(program: Shown, rows: readonly Values[]): Decisions | null {
  const { document, prepared, values } = program;
  const free = Object.keys(values).filter((name) => !program.parameters.includes(name));
  const found = outputOf(program, free);
  if (found === null) return null;
  const { output, inputs } = found;
  const { graph, order, steps } = prepared;
  const all = new Map(Object.entries(values));
  const ask = (some: Values) => {
    for (const [name, value] of Object.entries(some)) all.set(name, value);
    const numbers = attempt(() => forward(graph, order, steps, all));
    return numbers instanceof GradientError ? null : numbers[0][order[output]!]!;
  };
  const [first, second] = inputs;
  const known = rows.length > 0 ? rows : [values];
  const others = free.filter((name) => name !== first && name !== second);
  const dots = known.map((row) => ({
    x: row[first]!,
    y: row[second]!,
    gives: ask(row),
    wanted: others.length === 1 ? row[others[0]!]! : null,
  }));
  const ranges = [first, second].map((name) =>
    around(
      name,
      known.map((row) => row[name]!),
    ),
  );
  const side = clamp(Math.floor(Math.sqrt(BUDGET / order.length)), LEAST, MOST);
  const at = (range: Range, place: number) =>
    range.from + ((range.to - range.from) * place) / (side - 1);
  const cells = Array.from({ length: side * side }, (_, place) =>
    ask({
      [first]: at(ranges[0]!, place % side),
      [second]: at(ranges[1]!, Math.floor(place / side)),
    }),
  );
  const sizes = [...cells, ...dots.map(({ wanted }) => wanted)].map((each) => Math.abs(each ?? 0));
  return {
    output: document.nodes[output]!.label,
    inputs,
    ranges: [ranges[0]!, ranges[1]!],
    side,
    cells,
    dots,
    most: Math.max(...sizes, Number.MIN_VALUE),
  };
}

/** The last result with a name, or the root, that depends on just two variables that are free. */
function outputOf({ document }: Shown, free: readonly string[]) {
  const { nodes, edges, root } = document;
  const inputs = nodes.map(({ kind, label }) => {
    const isInput = kind !== "operation" && label !== null && free.includes(label);
    return isInput ? [label] : [];
  });
  for (const { from, to } of edges)
    // sorted by `to`, so all of `from` is known
    inputs[to] = [...new Set([...inputs[to]!, ...inputs[from]!])].slice(0, 3);
  const output = nodes.findLastIndex(
    ({ kind, label }, id) =>
      kind === "operation" && (id === root || label !== null) && inputs[id]!.length === 2,
  );
  if (output < 0) return null;
  const [first, second] = free.filter((name) => inputs[output]!.includes(name));
  return { output, inputs: [first!, second!] as const };
}

function around(name: string, numbers: readonly number[]): Range {
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  const beyond = (to - from) * BEYOND;
  return from < to ? { from: from - beyond, to: to + beyond } : rangeOf(name, from);
}
