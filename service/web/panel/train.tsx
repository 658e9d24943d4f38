/** Train parameters: choice, step size, weights, the map over two inputs, the loss by step. */

import { computed, signal, useSignalEffect } from "@preact/signals";
import { createRef } from "preact";
import type { GradientError } from "../../../engine_ts/src/errors.ts";
import { differentiate } from "../../../engine_ts/src/introspect.ts";
import { interactionWords } from "../shared.tsx";
import { Chip, NumberField, pathOf, scaleOf, Table } from "../controls.tsx";
import {
  failure,
  goToPoint,
  isAtEnd,
  loadExample,
  pauseTraining,
  pointIndex,
  points,
  refusal,
  rowsOf,
  setRate,
  settings,
  startTraining,
  training,
  TRAINING_EXAMPLES,
} from "../state/descent.ts";
import { clamp } from "../state/helpers.ts";
import { chooseMistake } from "../state/mistakes.ts";
import { dataOf, parameters, rangeOf, shown, toggleParameter, values } from "../state/program.ts";
import type { Range, ShownProgram, Values } from "../state/program.ts";
import { stageSize, tab } from "../state/view.ts";
import { inChosenLanguage, words, wordsOf } from "../words.ts";
import { TRAINING } from "../words/en.ts";
import { faultMessage } from "../words/sentences.ts";
import { Rich, short, WAITING, write } from "../words/text.tsx";

export { KEYS } from "../state/descent.ts";

const text = inChosenLanguage(wordsOf("training", TRAINING));

/** The line of the lessons. */
const LINE = TRAINING_EXAMPLES[0]!;

export function Train() {
  const { expression } = shown.value;
  return (
    <>
      <div class="mistakes wraps" role="group" aria-label={text.lessons}>
        {TRAINING_EXAMPLES.map((lesson) => (
          <Chip
            key={lesson.name}
            isOn={lesson.request.expression === expression}
            press={() => loadExample(lesson)}
          >
            {text.names[lesson.name]}
          </Chip>
        ))}
      </div>
      {refusal.value === null ? <Descent /> : <ParameterChoice refused={refusal.value} />}
    </>
  );
}

/** A choice of parameters, as training needs at least one. */
function ParameterChoice({ refused }: { refused: GradientError }) {
  const { expression, values } = shown.value;
  const isUnmarked = parameters.value.length === 0;
  const why = faultMessage(interactionWords.value.fault, refused, expression);
  return (
    <>
      <h2>{isUnmarked ? text.which : text.stopped}</h2>
      <p class="small">{isUnmarked ? text.mark : <Rich text={why} />}</p>
      <div class="wraps mono">
        {Object.keys(values).map((name) => (
          <Chip
            key={name}
            isOn={parameters.value.includes(name)}
            press={() => toggleParameter(name)}
          >
            {name}
          </Chip>
        ))}
      </div>
    </>
  );
}

function Descent() {
  const here = points.value[pointIndex.value];
  if (here === undefined) return null;
  const { expression } = shown.value;
  const rows = rowsOf(expression);
  const { momentum } = settings.value;
  const facts = [
    [words.value.play.step, String(here.step), ""],
    [text.loss, lossText(here.loss), "d"],
    [text.size, here.gradient_norm === null ? WAITING : short(here.gradient_norm), "g"],
  ] as const;
  return (
    <>
      <dl class="facts">
        {facts.map(([name, number, kind]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={`mono ${kind}`}>{number}</dd>
          </div>
        ))}
      </dl>
      <StepSize />
      {failure.value !== null && (
        <p class="verdict off">
          {text.endedAt(failure.value.step)} <Rich text={whyEnded(failure.value.error)} />
        </p>
      )}
      <DecisionMap />
      {momentum !== 0 && <p class="small">{text.momentum(String(momentum))}</p>}
      {rows.length > 0 && <DataRows rows={rows} />}
      <ul class="weights">
        {Object.keys(here.parameters).map((name) => (
          <Weight key={name} name={name} gradient={rows.length > 0 ? null : gradientBefore(name)} />
        ))}
      </ul>
      {expression === LINE.request.expression && <StepSizeTip />}
      <p class="small">
        <button class="plain" onClick={forgetZeroGrad}>
          {words.value.tabs.break}: {interactionWords.value.broken.chips["second-backward"]}
        </button>
      </p>
    </>
  );
}

/** Format a loss as on its card; no card shows the mean of several rows. */
function lossText(loss: number): string {
  return rowsOf(shown.value.expression).length > 0 ? short(loss) : write(loss);
}

/** Show the pitfall of adding to old gradients, with this program. */
function forgetZeroGrad(): void {
  tab.value = "break";
  chooseMistake("second-backward", false);
}

/** Describe why the descent ended, without the place in the text, which the step shows. */
function whyEnded({ code, message, ...data }: Readonly<Record<string, unknown>>): string {
  const fault = { code: String(code), message: String(message), data, span: null };
  return faultMessage(interactionWords.value.fault, fault);
}

/** Return the gradient of the last step; null before the first step, or with momentum. */
function gradientBefore(name: string): number | null {
  const before = points.value[pointIndex.value - 1];
  if (before === undefined || settings.value.momentum !== 0) return null;
  const { expression, values, parameters: marked, prepared, document } = shown.value;
  const then = new Map(Object.entries({ ...values, ...before.parameters }));
  const request = { expression, values: then, parameters: marked, view: document.view };
  return differentiate(prepared, request).gradients[name]!;
}

function StepSize() {
  return (
    <div class="setting">
      <label for="rate">{text.rate}</label>
      <input
        type="range"
        id="rate"
        min="0"
        max="0.5"
        step="0.01"
        value={settings.value.rate}
        onInput={(event) => setRate(Number(event.currentTarget.value))}
      />
      <NumberField
        class="number"
        label={text.rateNumber}
        text={String(settings.value.rate)}
        accept={setRate}
      />
    </div>
  );
}

/** A tip for the line, where the share of the loss that a step leaves is known in advance. */
function StepSizeTip() {
  return (
    <div class="tip-card">
      <h2>{text.bold}</h2>
      <p>{text.boldly}</p>
      <div class="wraps">
        <button onClick={() => loadExample({ ...LINE, settings: { ...LINE.settings, rate: 0.1 } })}>
          {text.setAndSee("0.1")}
        </button>
        <button onClick={() => loadExample(TRAINING_EXAMPLES.at(-1)!)}>
          {text.setAndSee("XOR")}
        </button>
      </div>
    </div>
  );
}

/** The name of the node that is compared with the target. */
const OUTPUT = "out";

function DataRows({ rows }: { rows: readonly Values[] }) {
  const names = Object.keys(rows[0]!);
  const look = <span class="visually-hidden">{text.look}</span>;
  const { nodes } = shown.value.document;
  const outputAt = dataOf(
    shown.value,
    nodes.findIndex(({ label }) => label === OUTPUT),
  );
  return (
    <Table class="comparison" caption={text.rows} heads={[...names, OUTPUT, look]}>
      {rows.map((row) => {
        const isHere = names.every((name) => shown.value.values[name] === row[name]);
        const numbers = names.map((name) => short(row[name]!));
        return (
          <tr key={numbers} class={isHere ? "now" : ""} aria-current={isHere || undefined}>
            {numbers.map((number) => (
              <td class="mono">{number}</td>
            ))}
            <td class="mono d">{short(outputAt(row)!)}</td>
            <td>
              <button class="plain" onClick={() => (values.value = { ...values.value, ...row })}>
                {text.see(numbers.join(", "))}
              </button>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

const [LINE_WIDTH, LINE_HEIGHT, LINE_PAD] = [112, 34, 4];

function Weight({ name, gradient }: { name: string; gradient: number | null }) {
  const value = points.value[pointIndex.value]!.parameters[name]!;
  const before = points.value[pointIndex.value - 1]?.parameters[name];
  return (
    <li>
      <b class="mono">{name}</b>
      <span class="mono d">{write(value)}</span>
      <ValueHistory name={name} />
      {gradient !== null && before !== undefined && (
        <p class="mono">
          <Rich
            text={
              `${name} = ${write(before)} − ${short(settings.value.rate)} × ` +
              `[g:${write(gradient)}] = [d:${write(value)}]`
            }
          />
        </p>
      )}
    </li>
  );
}

/** A parameter's values by step, as a line. */
function ValueHistory({ name }: { name: string }) {
  const all = points.value.map(({ parameters }) => parameters[name]!);
  const x = scaleOf(0, Math.max(1, all.length - 1), LINE_PAD, LINE_WIDTH - LINE_PAD);
  const y = scaleOf(Math.min(...all), Math.max(...all), LINE_HEIGHT - LINE_PAD, LINE_PAD);
  const line = all.map((value, step) => ({ x: x(step), y: y(value) }));
  const here = line[pointIndex.value]!;
  return (
    <svg class="curve" viewBox={`0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`} aria-hidden="true">
      <path class="plot" d={pathOf(line)} />
      <circle class="here" cx={here.x} cy={here.y} r="3.5" />
    </svg>
  );
}

/* The decision map: the output over two inputs, and the rows to learn. */

/** Points along each input: fewer for a large graph, as each step computes a map. */
const [MAX_POINTS, LEAST_POINTS, BUDGET] = [41, 9, 120_000];
/** Margin on each side of the rows, as a share of their range. */
const BEYOND = 0.25;

interface Dot {
  readonly x: number;
  readonly y: number;
  /** The output there, and the target; null if there is none. */
  readonly output: number | null;
  readonly target: number | null;
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
    ...{ row, x: row[first]!, y: row[second]!, output: ask(row) },
    target: others.length === 1 ? row[others[0]!]! : null,
  }));
  const [across, up] = [inputRange(first, rows), inputRange(second, rows)];
  const most = Math.floor(Math.sqrt(BUDGET / prepared.order.length));
  const side = clamp(most, LEAST_POINTS, MAX_POINTS);
  const at = ({ from, to }: Range, place: number) => from + ((to - from) * place) / (side - 1);
  // Row by row, from the second input's smallest value; null if there is no result.
  const cells = Array.from({ length: side * side }, (_, place) =>
    ask({ [first]: at(across, place % side), [second]: at(up, Math.floor(place / side)) }),
  );
  const sizes = [...cells, ...dots.map(({ target }) => target)].map((each) => Math.abs(each ?? 0));
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

function DecisionMap() {
  const map = decisionGrid.value;
  if (map === null) return null;
  const { inputs, across, up, dots, largest } = map;
  const output = map.output ?? words.value.stage.result;
  const judged = dots.filter(({ target }) => target !== null);
  const right = judged.filter(
    ({ output, target }) => output !== null && output > 0 === target! > 0,
  );
  const cells = map.cells.filter((each) => each !== null);
  const above = cells.filter((each) => each > 0).length / (cells.length || 1);
  const x = scaleOf(across.from, across.to, 0, SIZE);
  const y = scaleOf(up.from, up.to, SIZE, 0);
  return (
    <figure class="decisions">
      <figcaption class="small">
        <Rich text={text.map.caption(output, ...inputs)} />{" "}
        <b>{judged.length > 0 && text.map.right(right.length, judged.length)}</b>
      </figcaption>
      <div
        class="map"
        role="img"
        aria-label={text.map.label(output, ...inputs, Math.round(100 * above))}
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

/** The output at each point as a pixel, enlarged by the style sheet. */
function GridCanvas() {
  useSignalEffect(() => {
    void isDark.value; // the theme changes the colours
    if (decisionGrid.value === null) return;
    const { cells, side, largest } = decisionGrid.value;
    const plane = canvas.current!;
    [plane.width, plane.height] = [side, side]; // this clears it
    const context = plane.getContext("2d")!;
    const style = getComputedStyle(plane);
    const colours = [BELOW, ABOVE].map((token) => style.getPropertyValue(token).trim());
    for (const [place, number] of cells.entries()) {
      if (number === null) continue;
      context.fillStyle = colours[Number(number > 0)]!;
      context.globalAlpha = Math.abs(number) / largest;
      context.fillRect(place % side, side - 1 - Math.floor(place / side), 1, 1);
    }
  });
  return <canvas ref={canvas} aria-hidden="true" />;
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

/** Return classes for a dot's target, and for the dot whose values are shown. */
function dotClass({ target, x, y }: Dot, [first, second]: readonly [string, string]): string {
  const { values } = shown.value;
  const sign = target === null ? "" : target > 0 ? "above" : "below";
  return values[first] === x && values[second] === y ? `${sign} here` : sign;
}

/* The loss by step, below the graph. */

const [LOSS_HEIGHT, LOSS_PAD, LOSS_FLOOR] = [92, 8, 86];
/** The smallest scale of the losses, if all are 0. */
const LEAST = Number.MIN_VALUE;
/** The margins of the box. */
const BOX_MARGIN = 24;

export function Loss() {
  const { of, play, tabs } = words.value;
  const all = points.value;
  const isOff = all.length === 0;
  return (
    <div class="training">
      <div class="lossbox">
        <h2>
          {text.loss} <span class="muted">{text.drag}</span>
        </h2>
        <LossCurve />
        <input
          type="range"
          min="0"
          max={settings.value.steps}
          step="1"
          value={pointIndex.value}
          disabled={isOff}
          aria-label={text.timeline}
          aria-valuetext={of(pointIndex.value, settings.value.steps)}
          onInput={(event) => pauseTraining(Number(event.currentTarget.value))}
        />
      </div>
      <div class="play">
        <button
          class="primary"
          disabled={isOff}
          onClick={() => (training.value ? pauseTraining() : startTraining())}
        >
          {training.value ? play.pause : isAtEnd() && !isOff ? play.again : tabs.train}
        </button>
        <button disabled={isOff} onClick={() => pauseTraining(pointIndex.value - 1)}>
          {play.back}
        </button>
        <button class="step" disabled={isOff} onClick={() => pauseTraining(pointIndex.value + 1)}>
          {play.step}
        </button>
        <button class="plain" disabled={isOff} onClick={() => goToPoint(0)}>
          {text.toStart}
        </button>
        <span class="count">{of(pointIndex.value, settings.value.steps)}</span>
      </div>
    </div>
  );
}

function LossCurve() {
  const all = points.value;
  const here = all[pointIndex.value];
  const width = Math.max(LOSS_PAD * 3, stageSize.value.width - BOX_MARGIN);
  if (here === undefined) return <svg class="loss" viewBox={`0 0 ${width} ${LOSS_HEIGHT}`} />;
  const losses = all.map(({ loss }) => loss);
  const across = scaleOf(0, settings.value.steps, LOSS_PAD, width - LOSS_PAD);
  const up = scaleOf(Math.min(0, ...losses), Math.max(...losses, LEAST), LOSS_FLOOR, LOSS_PAD);
  const line = all.map(({ step, loss }) => ({ x: across(step), y: up(loss) }));
  const { x, y } = line[pointIndex.value]!;
  const label = text.curve(lossText(all[0]!.loss), lossText(here.loss), pointIndex.value);
  return (
    <svg
      class="loss"
      viewBox={`0 0 ${width} ${LOSS_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path class="bed" d={`M0 ${LOSS_FLOOR}H${width}`} />
      <path class="plot rest" d={pathOf(line.slice(pointIndex.value))} />
      <path class="plot" d={pathOf(line.slice(0, pointIndex.value + 1))} />
      <path class="stem" d={`M${x} 0V${LOSS_HEIGHT}`} />
      <circle class="here" cx={x} cy={y} r="6" />
    </svg>
  );
}
