/** The decision map: what comes out over two inputs, where it changes its sign, and the rows. */

import { useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import { loaded } from "../lazy.tsx";
import { decisions } from "../state/decisions.ts";
import type { Decisions, Dot } from "../state/decisions.ts";
import { shown } from "../state/program.ts";
import type { Range } from "../state/ranges.ts";
import { trainingWords } from "../training_words.ts";
import { short } from "../words/numbers.ts";
import { Rich } from "../words/rich.tsx";

const SIZE = 240;
const [ABOVE, BELOW] = ["--data", "--neg"];

const canvas = createRef<HTMLCanvasElement>();

export function DecisionMap() {
  const map = decisions.value;
  if (map === null) return null;
  const text = trainingWords.value.map;
  const { inputs, ranges, dots, most } = map;
  const [first, second] = inputs;
  const output = map.output ?? text.result;
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
          <Field />
          <svg viewBox={`0 0 ${SIZE} ${SIZE}`} width={SIZE} height={SIZE}>
            <path class="zero" d={border(map)} />
            {dots.map((dot) => (
              <circle
                key={`${dot.x} ${dot.y}`}
                class={`${signOf(dot)}${isHere(dot, inputs) ? " here" : ""}`}
                cx={across(dot.x, ranges[0])}
                cy={SIZE - across(dot.y, ranges[1])}
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

function Field() {
  useSignalEffect(() => {
    const draw = loaded.value?.pencil(canvas.current!, SIZE, SIZE);
    if (decisions.value === null || draw === undefined) return;
    const { cells, side, most } = decisions.value;
    // On whole pixels, so that no seam shows between two cells.
    const edge = (place: number) => Math.round((place * SIZE) / side);
    for (const [place, number] of cells.entries()) {
      if (number === null) continue;
      const [column, row] = [place % side, side - 1 - Math.floor(place / side)];
      const [left, right] = [edge(column), edge(column + 1)];
      const [top, bottom] = [edge(row), edge(row + 1)];
      const corners = [
        { x: left, y: top },
        { x: right, y: top },
        { x: right, y: bottom },
        { x: left, y: bottom },
      ];
      draw.fill(number > 0 ? ABOVE : BELOW, corners, Math.abs(number) / most);
    }
  });
  return <canvas ref={canvas} aria-hidden="true" />;
}

/** Between cells of which one is above 0 and the other is not. */
function border({ cells, side }: Decisions): string {
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

function across(value: number, { from, to }: Range): number {
  return ((value - from) / (to - from)) * SIZE;
}

function signOf({ wanted }: Dot): string {
  return wanted === null ? "" : wanted > 0 ? "above" : "below";
}

function isHere({ x, y }: Dot, [first, second]: readonly [string, string]): boolean {
  const { values } = shown.value;
  return values[first] === x && values[second] === y;
}
