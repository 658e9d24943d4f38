/** Parameters that learn: what to train, the step size, the loss by step, and what each weight does. */

import { forward } from "../../../engine_ts/src/forward.ts";
import { differentiate } from "../../../engine_ts/src/introspect.ts";
import { pathOf } from "../canvas.ts";
import { NumberField, TableHead } from "../controls.tsx";
import { deferredWords } from "../deferred_words.ts";
import { parameters, shown, toggleParameter, values } from "../state/program.ts";
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
} from "../state/train.ts";
import type { Row } from "../state/train.ts";
import { stageSize } from "../state/view.ts";
import { words } from "../words.ts";
import { faultMessage } from "../words/sentences.ts";
import type { FaultData } from "../words/sentences.ts";
import { Rich, short } from "../words/text.tsx";
import { DecisionMap, trainingWords } from "./decision_map.tsx";

export function Train() {
  const text = trainingWords.value;
  const { expression } = shown.value;
  return (
    <>
      <div class="mistakes wraps" role="group" aria-label={text.lessons}>
        {TRAINING_EXAMPLES.map((lesson) => (
          <button
            key={lesson.name}
            class="chip"
            aria-pressed={lesson.request.expression === expression}
            onClick={() => loadExample(lesson)}
          >
            {text.names[lesson.name]}
          </button>
        ))}
      </div>
      {refusal.value === null ? <Descent /> : <ParameterChoice />}
    </>
  );
}

/** Without parameters nothing moves, so ask which variables may. */
function ParameterChoice() {
  const text = trainingWords.value;
  const names = Object.keys(shown.value.values);
  const isUnmarked = parameters.value.length === 0;
  return (
    <>
      <h2>{isUnmarked ? text.which : text.stopped}</h2>
      {isUnmarked ? (
        <p class="small">{text.mark}</p>
      ) : (
        <p class="small">
          <Rich
            text={faultMessage(deferredWords.value.fault, refusal.value!, shown.value.expression)}
          />
        </p>
      )}
      <div class="wraps">
        {names.map((name) => (
          <button
            key={name}
            class="chip mono"
            aria-pressed={parameters.value.includes(name)}
            onClick={() => toggleParameter(name)}
          >
            {name}
          </button>
        ))}
      </div>
    </>
  );
}

function Descent() {
  const text = trainingWords.value;
  const here = points.value[pointIndex.value];
  if (here === undefined) return null;
  const rows = rowsOf(shown.value.expression);
  const facts = [
    [words.value.play.step, String(here.step), ""],
    [text.loss, short(here.loss), "d"],
    [text.size, here.gradient_norm === null ? "--" : short(here.gradient_norm), "g"],
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
          {text.endedAt(failure.value.step)}{" "}
          <Rich text={faultMessage(deferredWords.value.fault, faultOf(failure.value.error))} />
        </p>
      )}
      <DecisionMap />
      {rows.length > 0 && <DataRows rows={rows} />}
      <ul class="weights">
        {Object.keys(here.parameters).map((name) => (
          <Weight key={name} name={name} gradient={rows.length > 0 ? null : gradientBefore(name)} />
        ))}
      </ul>
      {shown.value.expression === TRAINING_EXAMPLES[0]!.request.expression && <StepSizeTip />}
    </>
  );
}

/** What ended the descent; its place in the text is said by the step. */
function faultOf({ code, message, ...data }: Readonly<Record<string, unknown>>): FaultData {
  return { code: String(code), message: String(message), data, span: null };
}

/** The gradient by which the last step was made; null where there was none, or it had a momentum. */
function gradientBefore(name: string): number | null {
  const before = points.value[pointIndex.value - 1];
  if (before === undefined || settings.value.momentum !== 0) return null;
  const { expression, values, parameters: marked, prepared, document } = shown.value;
  const then = new Map(Object.entries({ ...values, ...before.parameters }));
  const request = { expression, values: then, parameters: marked, view: document.view };
  return differentiate(prepared, request).gradients[name]!;
}

function StepSize() {
  const text = trainingWords.value;
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

/** The lessons' line: each step keeps a part of its loss that can be told beforehand. */
function StepSizeTip() {
  const text = trainingWords.value;
  return (
    <div class="tip-card">
      <h2>{text.bold}</h2>
      <p>{text.boldly}</p>
      <div class="wraps">
        <button
          onClick={() =>
            loadExample({
              ...TRAINING_EXAMPLES[0]!,
              settings: { ...TRAINING_EXAMPLES[0]!.settings, rate: 0.1 },
            })
          }
        >
          {text.setAndSee("0.1")}
        </button>
        <button onClick={() => loadExample(TRAINING_EXAMPLES.at(-1)!)}>
          {text.setAndSee("XOR")}
        </button>
      </div>
    </div>
  );
}

/** The node that is compared with what is wanted. */
const OUTPUT = "out";

function DataRows({ rows }: { rows: readonly Row[] }) {
  const text = trainingWords.value;
  const names = Object.keys(rows[0]!);
  return (
    <table class="comparison">
      <caption>{text.rows}</caption>
      <TableHead of={[...names, OUTPUT, <span class="visually-hidden">{text.look}</span>]} />
      <tbody>
        {rows.map((row) => {
          const isHere = names.every((name) => shown.value.values[name] === row[name]);
          const told = names.map((name) => short(row[name]!)).join(", ");
          return (
            <tr key={told} class={isHere ? "now" : ""} aria-current={isHere || undefined}>
              {names.map((name) => (
                <td class="mono">{short(row[name]!)}</td>
              ))}
              <td class="mono d">{short(outputOf(row))}</td>
              <td>
                <button class="plain" onClick={() => (values.value = { ...values.value, ...row })}>
                  {text.see(told)}
                </button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function outputOf(row: Row): number {
  const { prepared, values: now, document } = shown.value;
  const node = document.nodes.findIndex(({ label }) => label === OUTPUT);
  const all = new Map(Object.entries({ ...now, ...row }));
  const { graph, order, steps } = prepared;
  return forward(graph, order, steps, all)[0][order[node]!]!;
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
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const last = Math.max(1, all.length - 1);
  const line = all.map((value, step) => {
    const share = most > least ? (value - least) / (most - least) : 0.5;
    return {
      x: LINE_PAD + (step / last) * (LINE_WIDTH - 2 * LINE_PAD),
      y: LINE_HEIGHT - LINE_PAD - share * (LINE_HEIGHT - 2 * LINE_PAD),
    };
  });
  const { x, y } = line[pointIndex.value]!;
  return (
    <svg class="curve" viewBox={`0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`} aria-hidden="true">
      <path class="plot" d={pathOf(line)} />
      <circle class="here" cx={x} cy={y} r="3.5" />
    </svg>
  );
}

const [LOSS_HEIGHT, LOSS_PAD, LOSS_FLOOR] = [92, 8, 86];
/** The margins of the box. */
const BOX_MARGIN = 24;

export function Loss() {
  const text = trainingWords.value;
  const { play, tabs } = words.value;
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
          aria-valuetext={words.value.of(pointIndex.value, settings.value.steps)}
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
        <span class="count">{words.value.of(pointIndex.value, settings.value.steps)}</span>
      </div>
    </div>
  );
}

function LossCurve() {
  const text = trainingWords.value;
  const all = points.value;
  const here = all[pointIndex.value];
  const width = Math.max(LOSS_PAD * 3, stageSize.value.width - BOX_MARGIN);
  if (here === undefined) return <svg class="loss" viewBox={`0 0 ${width} ${LOSS_HEIGHT}`} />;
  const most = Math.max(...all.map(({ loss }) => loss), Number.MIN_VALUE);
  const least = Math.min(0, ...all.map(({ loss }) => loss));
  const line = all.map(({ step, loss }) => ({
    x: LOSS_PAD + (step / settings.value.steps) * (width - 2 * LOSS_PAD),
    y: LOSS_FLOOR - ((loss - least) / (most - least || 1)) * (LOSS_FLOOR - 8),
  }));
  const { x, y } = line[pointIndex.value]!;
  const label = text.curve(short(all[0]!.loss), pointIndex.value, short(here.loss));
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
