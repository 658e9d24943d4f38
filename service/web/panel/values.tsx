/** A row for each variable: name, number, slider and curve; a click on the curve opens its details. */

import type { Node } from "../../../engine_ts/src/template.ts";
import { NumberField, RadioGroup } from "../controls.tsx";
import { deferredWords } from "../deferred_words.ts";
import { accuracy } from "../lazy.tsx";
import {
  nudgeSize,
  openCurve,
  rangeOf,
  resultOver,
  setRange,
  showsDifferences,
} from "../state/curves.ts";
import type { Range } from "../state/curves.ts";
import { guesses, startPredicting } from "../state/guesses.ts";
import { currentNodes, partialGradOf, progress, step } from "../state/play.ts";
import { editable, fault, parameters, setValue, shown, toggleParameter } from "../state/program.ts";
import { announcement } from "../state/view.ts";
import { words } from "../words.ts";
import { exact, Rich, short, signed } from "../words/text.tsx";
import { Curve } from "./curve.tsx";

/** A name of more letters is written smaller, in lines as it needs them. */
const LONG_NAME = 8;
/** With more variables than this the rows are slim. */
const FEW = 3;
/** And with more than this a curve is drawn only where it is open: each takes a dozen forward passes. */
const MOST_CURVES = 8;

export function Values() {
  const leaves = editable.value.prepared.template.variables;
  const isSlim = leaves.length > FEW || openCurve.value !== null;
  if (leaves.length === 0) return <NoVariables />;
  return (
    <>
      {leaves.map(({ row }) => (
        <ValueRow
          key={row.label}
          node={row}
          isSlim={isSlim}
          hasCurve={leaves.length <= MOST_CURVES}
        />
      ))}
      {openCurve.value === null &&
        step.value === 0 &&
        guesses.value.isOpen &&
        leaves.length <= FEW && <PredictInvite />}
    </>
  );
}

/** Of a program without variables. */
export function NoVariables() {
  return (
    <p class="muted">
      <Rich text={deferredWords.value.values.none} />
    </p>
  );
}

function PredictInvite() {
  const text = deferredWords.value.invite;
  return (
    <div class="tip-card">
      <h2>{text.title}</h2>
      <p>{text.before}</p>
      <div class="actions">
        <button onClick={startPredicting}>{text.button}</button>
      </div>
    </div>
  );
}

const SLIDER_STEPS = 200;

function ValueRow(props: { node: Node; isSlim: boolean; hasCurve: boolean }) {
  const { node, isSlim, hasCurve } = props;
  const name = node.label!;
  const text = words.value;
  const { values, parameters } = editable.value;
  const value = values[name]!;
  const range = rangeOf(name, value);
  const isOpen = openCurve.value === name;
  const role = parameters.includes(name) ? text.stage.parameter : text.stage.input;
  const slope = partialGradOf(node.id);
  const isWhole = slope.arrived === slope.expected && slope.grad !== null;
  const [width, height] = isSlim ? [70, 40] : [114, 70];
  const look = (
    <button
      class="curve-button"
      aria-label={deferredWords.value.values.slope(name)}
      aria-expanded={isOpen}
      onClick={() => (openCurve.value = isOpen ? null : name)}
    >
      {hasCurve ? (
        <Curve
          program={editable.value}
          name={name}
          range={range}
          value={value}
          slope={isWhole ? slope.grad : null}
          width={width}
          height={height}
        />
      ) : (
        <svg class="curve" viewBox="0 0 70 40" aria-hidden="true">
          <path class="plot" d="M8 32C32 32 38 8 62 8" />
        </svg>
      )}
    </button>
  );
  return (
    <div class={`row${isSlim ? " slim" : ""}${isOpen ? " open" : ""}`}>
      <div class="top">
        <label for={`slider-${name}`} class={name.length > LONG_NAME ? "small" : ""}>
          {name}
        </label>
        <span class="role">
          {isSlim && !isOpen && isWhole ? `${role} · ${short(slope.grad!)}` : role}
        </span>
        <ValueField name={name} value={value} />
      </div>
      <Slider name={name} value={value} range={range} />
      {!isSlim && <RangeFields name={name} range={range} />}
      {!isOpen && look}
      {isOpen ? (
        <CurveDetail node={node} range={range} />
      ) : (
        !isSlim && <GradientEffect node={node} />
      )}
    </div>
  );
}

function Slider({ name, value, range }: { name: string; value: number; range: Range }) {
  return (
    <input
      type="range"
      id={`slider-${name}`}
      min={range.from}
      max={range.to}
      step={(range.to - range.from) / SLIDER_STEPS}
      value={value}
      onInput={(event) => setValue(name, roundSlider(Number(event.currentTarget.value)))}
    />
  );
}

/** What a slider gives is a share of its range, with the rounding of that; a person means less. */
function roundSlider(value: number): number {
  return Number(value.toPrecision(6));
}

function ValueField({ name, value }: { name: string; value: number }) {
  return (
    <NumberField
      class={`number${String(value).length > 7 ? " tiny" : ""}`}
      label={deferredWords.value.values.value(name)}
      text={exact(value)}
      accept={(number) => setValue(name, number)}
    />
  );
}

function RangeFields({ name, range }: { name: string; range: Range }) {
  const text = deferredWords.value.values;
  const field = (end: "from" | "to") => (
    <NumberField
      class="range-end"
      label={text[end](name)}
      text={short(range[end])}
      accept={(number) => setRange(name, { ...range, [end]: number })}
    />
  );
  return (
    <div class="range-ends">
      {field("from")}
      {field("to")}
    </div>
  );
}

/** What the gradient says, as far as it is known. */
function GradientEffect({ node }: { node: Node }) {
  const text = deferredWords.value.values;
  const { grad, arrived, expected } = partialGradOf(node.id);
  const isComing = progress.value < 1 && currentNodes.value.has(node.id) && fault.value === null;
  if (grad === null) {
    return (
      <p class="gradient-effect">
        {text.gradient} <span class="mono muted">--</span>{" "}
        <span class="muted">{isComing ? text.onItsWay : text.notReached}</span>
      </p>
    );
  }
  return (
    <p class="gradient-effect">
      {text.gradient} <b class={`g mono${grad < 0 ? " minus" : ""}`}>{short(grad)}</b>{" "}
      <span class="muted">{arrived < expected ? text.partOf(arrived, expected) : text.up}</span>{" "}
      {arrived === expected && (
        <b class={`g mono${grad < 0 ? " minus" : ""}`}>{signed(0.01 * grad)}</b>
      )}
    </p>
  );
}

const CentralDifferences = accuracy.part(({ CentralDifferences }) => CentralDifferences);

const NUDGE_SIZES = [0.01, 0.1, 1];

function CurveDetail({ node, range }: { node: Node; range: Range }) {
  const name = node.label!;
  const text = deferredWords.value.curve;
  const program = editable.value;
  const result = program.document?.result;
  const value = program.values[name]!;
  const { grad, arrived, expected } = partialGradOf(node.id);
  const slope = arrived === expected ? grad : null;
  const isMarked = parameters.value.includes(name);
  return (
    <div class="curve-detail">
      <div class="large-curve">
        <Curve
          program={program}
          name={name}
          range={range}
          value={value}
          slope={slope}
          width={350}
          height={160}
          hasNumbers
        />
        {/* Over the curve: numbers in a button would be a part of its name. */}
        <button
          aria-label={deferredWords.value.values.slope(name)}
          aria-expanded="true"
          onClick={() => (openCurve.value = null)}
        />
      </div>
      <p class="legend">
        <b class="d">
          {text.curve(
            program.prepared.template.nodes.at(-1)!.row.label ?? words.value.stage.result,
            name,
            short(range.from),
            short(range.to),
          )}
        </b>
        {slope !== null && <b class="g">{text.tangent(short(slope))}</b>}
        {result !== undefined && (
          <span class="muted">{`${name} = ${short(value)}: ${short(result)}`}</span>
        )}
      </p>
      <div class="actions">
        <button class="chip" aria-pressed={isMarked} onClick={() => toggleParameter(name)}>
          {text.parameter}
          {isMarked ? " ✓" : ""}
        </button>
        <button
          class="chip"
          aria-pressed={showsDifferences.value}
          onClick={() => (showsDifferences.value = !showsDifferences.value)}
        >
          {text.central}
        </button>
      </div>
      {showsDifferences.value && editable.value === shown.value && (
        <CentralDifferences name={name} />
      )}
      {slope !== null && <Nudge name={name} value={value} slope={slope} />}
    </div>
  );
}

/** Both, side by side: what the slope says about a small step, and the step. */
function Nudge({ name, value, slope }: { name: string; value: number; slope: number }) {
  const text = deferredWords.value.curve;
  const by = nudgeSize.value;
  const after = resultOver(shown.value, name)(value + by);
  const foretold = slope * by;
  const happened = after === null ? null : after - shown.value.document.result;
  const most = Math.max(Math.abs(foretold), Math.abs(happened ?? 0)) || 1;
  const tell = () => {
    const [told, came] = [signed(foretold), happened === null ? null : signed(happened)];
    announcement.value = () => {
      const { noValue, nudged } = deferredWords.value.curve;
      if (came === null) return noValue(name, short(by));
      return nudged(name, short(by), told, came, told === came);
    };
  };
  return (
    <div class="nudge">
      <div class="actions">
        <button onClick={tell}>{text.nudge(name)}</button>
        <RadioGroup
          label={text.by}
          name="nudge"
          options={NUDGE_SIZES.map((size) => [size, String(size)])}
          chosen={by}
          choose={(size) => (nudgeSize.value = size)}
        />
      </div>
      <Meter label={text.foretold} share={foretold / most} number={signed(foretold)} kind="g" />
      {happened !== null && (
        <Meter label={text.happened} share={happened / most} number={signed(happened)} kind="d" />
      )}
    </div>
  );
}

function Meter(props: { label: string; share: number; number: string; kind: "g" | "d" }) {
  return (
    <>
      <span>{props.label}</span>
      <svg class="meter" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bed" width="100" height="10" />
        <rect class={props.kind} width={Math.abs(props.share) * 100} height="10" />
      </svg>
      <b class={`${props.kind} mono`}>{props.number}</b>
    </>
  );
}
