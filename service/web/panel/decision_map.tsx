/** The decision map of a program of two inputs: its output over both, and the rows that it is to get right. */

import { computed, useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { GradientError } from "../../../engine_ts/src/errors.ts";
import { forward } from "../../../engine_ts/src/forward.ts";
import { drawOn, rectCorners } from "../canvas.ts";
import { rangeOf } from "../state/curves.ts";
import type { Range } from "../state/curves.ts";
import { attempt, clamp } from "../state/helpers.ts";
import { shown } from "../state/program.ts";
import type { ShownProgram, Values } from "../state/program.ts";
import { rowsOf } from "../state/train.ts";
import { Rich, short } from "../words/text.tsx";
import { TRAINING } from "../words/en.ts";
import { translation, words } from "../words.ts";

export const trainingWords = computed(() => translation.value?.training ?? TRAINING);

/** Points along each input; fewer of a large graph, as a map is computed at each step. */
const [MOST_POINTS, LEAST_POINTS, BUDGET] = [41, 9, 120_000];
/** What lies beyond the rows to each side, as a share of what they span. */
const BEYOND = 0.25;

interface Dot {
  readonly x: number;
  readonly y: number;
  /** What comes out there, if anything does, and what is wanted, if that is known. */
  readonly gives: number | null;
  readonly wanted: number | null;
}

interface DecisionGrid {
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
const decisionGrid = computed(() => decisionGridOf(shown.value, rowsOf(shown.value.expression)));

function decisionGridOf(program: ShownProgram, rows: readonly Values[]): DecisionGrid | null {
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
  const shownRows = rows.length > 0 ? rows : [values];
  const others = free.filter((name) => name !== first && name !== second);
  const dots = shownRows.map((row) => ({
    x: row[first]!,
    y: row[second]!,
    gives: ask(row),
    wanted: others.length === 1 ? row[others[0]!]! : null,
  }));
  const ranges = [first, second].map((name) =>
    inputRange(
      name,
      shownRows.map((row) => row[name]!),
    ),
  );
  const side = clamp(Math.floor(Math.sqrt(BUDGET / order.length)), LEAST_POINTS, MOST_POINTS);
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
function outputOf({ document }: ShownProgram, free: readonly string[]) {
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

function inputRange(name: string, numbers: readonly number[]): Range {
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  const beyond = (to - from) * BEYOND;
  return from < to ? { from: from - beyond, to: to + beyond } : rangeOf(name, from);
}

const SIZE = 240;
const [ABOVE, BELOW] = ["--data", "--neg"];

const canvas = createRef<HTMLCanvasElement>();

export function DecisionMap() {
  const map = decisionGrid.value;
  if (map === null) return null;
  const text = trainingWords.value.map;
  const { inputs, ranges, dots, most } = map;
  const [first, second] = inputs;
  const output = map.output ?? words.value.stage.result;
  const judged = dots.filter(({ wanted }) => wanted !== null);
  const right = judged.filter(({ gives, wanted }) => gives !== null && gives > 0 === wanted! > 0);
  const told = judged.length > 0 ? text.right(right.length, judged.length) : "";
  const cells = map.cells.filter((each) => each !== null);
  const above = cells.filter((each) => each > 0).length / (cells.length || 1);
  return (
    <figure class="decisions">
      <figcaption class="small">
        <Rich text={text.caption(output, first, second)} /> <b>{told}</b>
      </figcaption>
      <div
        class="map"
        role="img"
        aria-label={text.told(output, first, second, Math.round(100 * above))}
      >
        <Axis name={second} range={ranges[1]} />
        <div class="plane">
          <GridCanvas />
          <svg viewBox={`0 0 ${SIZE} ${SIZE}`} width={SIZE} height={SIZE}>
            <path class="zero" d={boundaryPath(map)} />
            {dots.map((dot) => (
              <circle
                key={`${dot.x} ${dot.y}`}
                class={`${signOf(dot)}${isHere(dot, inputs) ? " here" : ""}`}
                cx={scaleTo(dot.x, ranges[0])}
                cy={SIZE - scaleTo(dot.y, ranges[1])}
                r="7"
              />
            ))}
          </svg>
        </div>
        <Axis name={first} range={ranges[0]} />
      </div>
      <p class="scale small mono">
        <span>{short(-most)}</span>
        <i />
        <span>{short(most)}</span>
      </p>
    </figure>
  );
}

function Axis({ name, range }: { name: string; range: Range }) {
  return (
    <p class="small mono">
      <span>{short(range.from)}</span>
      <b>{name}</b>
      <span>{short(range.to)}</span>
    </p>
  );
}

function GridCanvas() {
  useSignalEffect(() => {
    const draw = drawOn(canvas.current!, SIZE, SIZE);
    if (decisionGrid.value === null) return;
    const { cells, side, most } = decisionGrid.value;
    // On whole pixels, so that no seam shows between two cells.
    const edge = (place: number) => Math.round((place * SIZE) / side);
    for (const [place, number] of cells.entries()) {
      if (number === null) continue;
      const [column, row] = [place % side, side - 1 - Math.floor(place / side)];
      const [left, right] = [edge(column), edge(column + 1)];
      const [top, bottom] = [edge(row), edge(row + 1)];
      const corners = rectCorners({ left, right, top, bottom });
      draw.fill(number > 0 ? ABOVE : BELOW, corners, Math.abs(number) / most);
    }
  });
  return <canvas ref={canvas} aria-hidden="true" />;
}

/** Between cells of which one is above 0 and the other is not. */
function boundaryPath({ cells, side }: DecisionGrid): string {
  const edge = (place: number) => ((place * SIZE) / side).toFixed(1);
  const isAbove = (column: number, row: number) => {
    const number = column < side && row < side ? cells[row * side + column]! : null;
    return number === null ? null : number > 0;
  };
  let path = "";
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const here = isAbove(column, row);
      const [next, above] = [isAbove(column + 1, row), isAbove(column, row + 1)];
      const [x, y] = [edge(column + 1), edge(side - row - 1)];
      if (here !== null && next !== null && here !== next) path += `M${x} ${y}V${edge(side - row)}`;
      if (here !== null && above !== null && here !== above) path += `M${x} ${y}H${edge(column)}`;
    }
  return path;
}

function scaleTo(value: number, { from, to }: Range): number {
  return ((value - from) / (to - from)) * SIZE;
}

function signOf({ wanted }: Dot): string {
  return wanted === null ? "" : wanted > 0 ? "above" : "below";
}

function isHere({ x, y }: Dot, [first, second]: readonly [string, string]): boolean {
  const { values } = shown.value;
  return values[first] === x && values[second] === y;
}
