/** The decision map of a program of two inputs: its output over both, and the rows to learn. */

import { computed, signal, useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { scaleOf } from "../controls.tsx";
import { inChosenLanguage } from "../words.ts";
import { rowsOf } from "../state/descent.ts";
import { clamp } from "../state/helpers.ts";
import { dataOf, rangeOf, shown } from "../state/program.ts";
import type { Range, ShownProgram, Values } from "../state/program.ts";
import { wordsOf, words } from "../words.ts";
import { TRAINING } from "../words/en.ts";
import { Rich, short } from "../words/text.tsx";

export const trainingWords = inChosenLanguage(wordsOf("training", TRAINING));

/** Points along each input; fewer for a large graph, since a map is computed at each step. */
const [MOST_POINTS, LEAST_POINTS, BUDGET] = [41, 9, 120_000];
/** Margin on each side of the rows, as a share of their range. */
const BEYOND = 0.25;

interface Dot {
  readonly x: number;
  readonly y: number;
  /** The output there, and the target; null if there is none. */
  readonly gives: number | null;
  readonly wanted: number | null;
}

type DecisionGrid = NonNullable<ReturnType<typeof decisionGridOf>>;

/** The map of the program shown; null if no result depends on exactly two inputs. */
const decisionGrid = computed(() => decisionGridOf(shown.value));

function decisionGridOf(program: ShownProgram) {
  const { document, prepared, values } = program;
  const free = Object.keys(values).filter((name) => !program.parameters.includes(name));
  const found = outputOf(program, free);
  if (found === null) return null;
  const { output, inputs } = found;
  const [first, second] = inputs;
  const ask = dataOf(program, output);
  const given = rowsOf(program.expression);
  const rows: readonly Values[] = given.length > 0 ? given : [values];
  const others = free.filter((name) => !inputs.includes(name));
  const dots = rows.map((row): Dot => ({
    ...{ row, x: row[first]!, y: row[second]!, gives: ask(row) },
    wanted: others.length === 1 ? row[others[0]!]! : null,
  }));
  const [across, up] = [inputRange(first, rows), inputRange(second, rows)];
  const most = Math.floor(Math.sqrt(BUDGET / prepared.order.length));
  const side = clamp(most, LEAST_POINTS, MOST_POINTS);
  const at = ({ from, to }: Range, place: number) => from + ((to - from) * place) / (side - 1);
  // Row by row, from the second input's least value; null where there is no result.
  const cells = Array.from({ length: side * side }, (_, place) =>
    ask({ [first]: at(across, place % side), [second]: at(up, Math.floor(place / side)) }),
  );
  const sizes = [...cells, ...dots.map(({ wanted }) => wanted)].map((each) => Math.abs(each ?? 0));
  // The largest magnitude of an output or a target.
  const largest = Math.max(...sizes, Number.MIN_VALUE);
  return { output: document.nodes[output]!.label, inputs, across, up, side, cells, dots, largest };
}

/** Find the last named result, or the root, that depends on exactly two free variables. */
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
  return { output, inputs: [first!, second!] as [string, string] };
}

function inputRange(name: string, rows: readonly Values[]): Range {
  const numbers = rows.map((row) => row[name]!);
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
  const text = trainingWords.map;
  const { inputs, across, up, dots, largest } = map;
  const output = map.output ?? words.value.stage.result;
  const judged = dots.filter(({ wanted }) => wanted !== null);
  const right = judged.filter(({ gives, wanted }) => gives !== null && gives > 0 === wanted! > 0);
  const cells = map.cells.filter((each) => each !== null);
  const above = cells.filter((each) => each > 0).length / (cells.length || 1);
  const x = scaleOf(across.from, across.to, 0, SIZE);
  const y = scaleOf(up.from, up.to, SIZE, 0);
  return (
    <figure class="decisions">
      <figcaption class="small">
        <Rich text={text.caption(output, ...inputs)} />{" "}
        <b>{judged.length > 0 && text.right(right.length, judged.length)}</b>
      </figcaption>
      <div
        class="map"
        role="img"
        aria-label={text.told(output, ...inputs, Math.round(100 * above))}
      >
        <Axis name={inputs[1]} range={up} />
        <div class="plane">
          <GridCanvas />
          <svg viewBox={`0 0 ${SIZE} ${SIZE}`} width={SIZE} height={SIZE}>
            <path class="zero" d={boundaryPath(map)} />
            {dots.map((dot) => (
              <circle
                key={`${dot.x} ${dot.y}`}
                class={dotClass(dot, inputs)}
                cx={x(dot.x)}
                cy={y(dot.y)}
                r="7"
              />
            ))}
          </svg>
        </div>
        <Axis name={inputs[0]} range={across} />
      </div>
      <p class="scale small mono">
        <span>{short(-largest)}</span>
        <i />
        <span>{short(largest)}</span>
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

const darkTheme = matchMedia("(prefers-color-scheme: dark)");
const isDark = signal(darkTheme.matches);
darkTheme.addEventListener("change", () => (isDark.value = darkTheme.matches));

function GridCanvas() {
  useSignalEffect(() => {
    void isDark.value; // colours are others then
    const sharp = Math.min(2, devicePixelRatio);
    const side = Math.round(SIZE * sharp);
    const context = canvas.current!.getContext("2d")!;
    context.clearRect(0, 0, side, side);
    if (decisionGrid.value === null) return;
    const { cells, side: count, largest } = decisionGrid.value;
    const style = getComputedStyle(canvas.current!);
    const colours = [BELOW, ABOVE].map((token) => style.getPropertyValue(token).trim());
    // On whole pixels, so that no seam is visible between cells.
    const edge = (place: number) => Math.round((place * side) / count);
    for (const [place, number] of cells.entries()) {
      if (number === null) continue;
      const [column, row] = [place % count, count - 1 - Math.floor(place / count)];
      const [left, top] = [edge(column), edge(row)];
      context.fillStyle = colours[Number(number > 0)]!;
      context.globalAlpha = Math.abs(number) / largest;
      context.fillRect(left, top, edge(column + 1) - left, edge(row + 1) - top);
    }
  });
  const side = Math.round(SIZE * Math.min(2, devicePixelRatio));
  return (
    <canvas
      ref={canvas}
      width={side}
      height={side}
      style={`width:${SIZE}px;height:${SIZE}px`}
      aria-hidden="true"
    />
  );
}

/** The border between cells above 0 and the others. */
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

/** A dot's target, and whether its values are the ones shown. */
function dotClass({ wanted, x, y }: Dot, [first, second]: readonly [string, string]): string {
  const { values } = shown.value;
  const sign = wanted === null ? "" : wanted > 0 ? "above" : "below";
  return values[first] === x && values[second] === y ? `${sign} here` : sign;
}
