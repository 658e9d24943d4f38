/** Train parameters: which ones, the step size, the loss by step, and each weight. */

import type { GradientError } from "../../../engine_ts/src/errors.ts";
import { differentiate } from "../../../engine_ts/src/introspect.ts";
import { interactionWords } from "../asked.tsx";
import { Chip, NumberField, pathOf, scaleOf, Table } from "../controls.tsx";
import { DecisionMap, trainingWords as text } from "./decision_map.tsx";
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
import type { Row } from "../state/descent.ts";
import { chooseMistake } from "../state/mistakes.ts";
import { dataOf, parameters, shown, toggleParameter, values } from "../state/program.ts";
import { stageSize, tab } from "../state/view.ts";
import { words } from "../words.ts";
import { faultMessage } from "../words/sentences.ts";
import { Rich, short, WAITING } from "../words/text.tsx";

export { KEYS } from "../state/descent.ts";

/** The lessons' line. */
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

/** Without parameters nothing moves, so ask for them. */
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
  const facts = [
    [words.value.play.step, String(here.step), ""],
    [text.loss, short(here.loss), "d"],
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
      {rows.length > 0 && <DataRows rows={rows} />}
      <ul class="weights">
        {Object.keys(here.parameters).map((name) => (
          <Weight key={name} name={name} gradient={rows.length > 0 ? null : gradientBefore(name)} />
        ))}
      </ul>
      {expression === LINE.request.expression && <StepSizeTip />}
      <p class="small">
        <button class="plain" onClick={forgetZeroGrad}>
          {interactionWords.value.broken.chips["second-backward"]}
        </button>
      </p>
    </>
  );
}

/** Show what gradients add up to when nothing sets them to 0. */
function forgetZeroGrad(): void {
  tab.value = "break";
  chooseMistake("second-backward");
}

/** Say why the descent ended; the step shows the place in the text. */
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

/** For the line: the share of the loss that each step keeps is known in advance. */
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

/** The node that is compared with the target. */
const OUTPUT = "out";

function DataRows({ rows }: { rows: readonly Row[] }) {
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
      <span class="mono d">{short(value)}</span>
      <ValueHistory name={name} />
      {gradient !== null && before !== undefined && (
        <p class="mono">
          <Rich
            text={
              `${name} = ${short(before)} − ${short(settings.value.rate)} × ` +
              `[g:${short(gradient)}] = [d:${short(value)}]`
            }
          />
        </p>
      )}
    </li>
  );
}

/** Its values by step, as a line. */
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

const [LOSS_HEIGHT, LOSS_PAD, LOSS_FLOOR] = [92, 8, 86];
/** The least size of the highest loss. */
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
  const label = text.curve(short(all[0]!.loss), short(here.loss), pointIndex.value);
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
