/** A row for each variable: name, number, slider, and a button that opens the curve. */

import type { Node } from "../../../engine_ts/src/template.ts";
import { NumberField } from "../controls.tsx";
import { deferredWords } from "../deferred_words.ts";
import { accuracy, curve } from "../lazy.tsx";
import { openCurve, rangeOf, setRange, stepOf } from "../state/curves.ts";
import type { Range } from "../state/curves.ts";
import { guesses, startPredicting } from "../state/guesses.ts";
import { currentNodes, partialGradOf, progress, step } from "../state/play.ts";
import { editable, fault, setValue, shown } from "../state/program.ts";
import { words } from "../words.ts";
import { exact, Rich, short, signed } from "../words/text.tsx";

const CurveDetail = curve.room(({ CurveDetail }) => CurveDetail);
const CentralDifferences = accuracy.part(({ CentralDifferences }) => CentralDifferences);

/** A name of more letters is written smaller, in lines as it needs them. */
const LONG_NAME = 8;
/** With more variables than this the rows are slim. */
const FEW = 3;

export function Values() {
  const leaves = editable.value.prepared.template.variables;
  const isSlim = leaves.length > FEW || openCurve.value !== null;
  if (leaves.length === 0) return <NoVariables />;
  return (
    <>
      {leaves.map(({ row }) => (
        <ValueRow key={row.label} node={row} isSlim={isSlim} />
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
  const { none, isNumber } = deferredWords.value.values;
  const { nodes } = shown.value.document;
  const number = nodes.find(({ kind, label }) => kind === "constant" && label !== null);
  return (
    <p class="muted">
      <Rich text={number === undefined ? none : isNumber(number.label!)} />
    </p>
  );
}

function PredictInvite() {
  const text = deferredWords.value.invite;
  return (
    <div class="tip-card">
      <h2>{text.title}</h2>
      <p>{text.before}</p>
      <div class="wraps">
        <button onClick={startPredicting}>{text.button}</button>
      </div>
    </div>
  );
}

function ValueRow({ node, isSlim }: { node: Node; isSlim: boolean }) {
  const name = node.label!;
  const text = words.value;
  const { values, parameters } = editable.value;
  const value = values[name]!;
  const range = rangeOf(name, value);
  const isOpen = openCurve.value === name;
  const role = parameters.includes(name) ? text.stage.parameter : text.stage.input;
  const slope = partialGradOf(node.id);
  const isWhole = slope.arrived === slope.expected && slope.grad !== null;
  return (
    <div class={`row${isSlim ? " slim" : ""}`}>
      <div class="top">
        <label for={`slider-${name}`} class={name.length > LONG_NAME ? "small" : ""}>
          {name}
        </label>
        <span class="role">
          {isSlim && !isOpen && isWhole ? `${role} · ${short(slope.grad!)}` : role}
        </span>
        <ValueField name={name} value={value} />
        <button
          class="curve-button"
          aria-label={deferredWords.value.values.slope(name)}
          aria-expanded={isOpen}
          onClick={() => (openCurve.value = isOpen ? null : name)}
        />
      </div>
      <Slider name={name} value={value} range={range} />
      {!isSlim && <RangeFields name={name} range={range} />}
      {isOpen ? (
        <CurveDetail node={node} range={range}>
          <CentralDifferences name={name} />
        </CurveDetail>
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
      step={stepOf(range)}
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
      {text.gradient} <Rich text={`[g:${short(grad)}]`} />{" "}
      <span class="muted">
        {arrived < expected ? `(${words.value.of(arrived, expected)})` : text.up}
      </span>{" "}
      {arrived === expected && <Rich text={`[g:${signed(0.01 * grad)}]`} />}
    </p>
  );
}
